-- What a filter by category or by a part of the map leaves over, from an index alone: see docs/adr/0009. The indexes so far
-- say which datasets match, and each of them is read then to see whether it is there for everybody.

-- Of all sets that categories could make up few are in use: with those at hand a B-tree has the datasets of each set.
create table category_set (
    -- As datasets have them, each once. One that no dataset has any more does no harm.
    categories text[] primary key
);

create function note_category_sets() returns trigger language plpgsql as $$
begin
    insert into category_set
    select distinct category from come
    where not exists (select from category_set where categories = category)
    order by category
    on conflict do nothing;
    return null;
end
$$;
create trigger dataset_inserts_are_seen after insert on dataset
    referencing new table as come for each statement execute function note_category_sets();
create trigger dataset_updates_are_seen after update on dataset
    referencing new table as come for each statement execute function note_category_sets();

-- The triggers' creation keeps writers away until this is committed.
insert into category_set select distinct category from dataset;

create index dataset_listed_category_idx on dataset (category, id)
    where not is_deleted and not is_private and coordinates is not null;

create index dataset_listed_footprint_idx on dataset using gist (footprint) include (id)
    where not is_deleted and not is_private and coordinates is not null;
