-- An index for each category and each raster says which datasets have it, in order of their ids. For categories at less than
-- half the price of the index of whole sets, which this takes the place of: see docs/adr/0009. No release has had that.

drop trigger dataset_inserts_are_seen on dataset;
drop trigger dataset_updates_are_seen on dataset;
drop function note_category_sets;
drop table category_set;
drop index dataset_listed_category_idx;

do $$
declare
    category text;
    raster text;
begin
    foreach category in array array['Artificial - terrestrial', 'Deep ocean floor', 'Desert', 'Forest', 'Grassland',
            'Intertidal', 'Neritic', 'Oceanic', 'Other', 'Rocky', 'Savanna', 'Shrubland', 'Wetlands'] loop
        execute format('create index dataset_listed_%s_idx on dataset (id)
            where not is_deleted and not is_private and coordinates is not null and category && %L',
            lower(regexp_replace(category, '\W+', '_', 'g')), array[category]);
    end loop;
    foreach raster in array array['ortho', 'dsm', 'dtm', 'multispec_ortho'] loop
        execute format('create index dataset_listed_%s_idx on dataset (id)
            where not is_deleted and not is_private and coordinates is not null and available_rasters && %L',
            raster, array[raster]);
    end loop;
end
$$;
