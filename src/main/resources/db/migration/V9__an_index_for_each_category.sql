-- An index for each category says which datasets it has, in order of their ids and at less than half the cost of the
-- index of whole sets, which it takes the place of: see docs/adr/0009. No release has had that.

drop trigger dataset_inserts_are_seen on dataset;
drop trigger dataset_updates_are_seen on dataset;
drop function note_category_sets;
drop table category_set;
drop index dataset_listed_category_idx;

do $$
declare
    category text;
begin
    foreach category in array array['Artificial - terrestrial', 'Deep ocean floor', 'Desert', 'Forest', 'Grassland',
            'Intertidal', 'Neritic', 'Oceanic', 'Other', 'Rocky', 'Savanna', 'Shrubland', 'Wetlands'] loop
        execute format('create index dataset_listed_%s_idx on dataset (id)
            where not is_deleted and not is_private and coordinates is not null and category && %L',
            lower(regexp_replace(category, '\W+', '_', 'g')), array[category]);
    end loop;
end
$$;
