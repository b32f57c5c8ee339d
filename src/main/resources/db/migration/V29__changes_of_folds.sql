-- Which datasets each of the last folds of the parts has merged. The service keeps what a text search has found, and asks again
-- only for these. See docs/adr/0038.
create table part_change (
    -- The number of the fold, see part_fold.
    folded   bigint primary key,
    -- The number of the fold before it. If a fold is missing between two numbers, it is not known what has changed: the fold was
    -- a rebuild, had too many changes, or is of another server.
    previous bigint not null,
    ids      bigint[] not null
);

-- As in V28, with part_change.
create or replace function merge_part_changes(decided bigint) returns void language plpgsql set search_path from current as $$
declare
    first constant bigint := (select pending_from from part_fold order by folded desc limit 1);
    before constant bigint := (select max(folded) from part_fold);
begin
    perform fold_parts(first);
    perform renew_parts(first);
    -- Those of five minutes: the numbers are tenths of a second.
    delete from part_change where folded < before - 3000;
    insert into part_change
    select (select max(folded) from part_fold), before, ids
    from (select array_agg(distinct id) as ids from listing_change where no >= first and not in_parts) merged
    where cardinality(ids) <= 500;
    update part_fold set pending_from = greatest(pending_from, decided + 1) where folded = (select max(folded) from part_fold);
end
$$;
