-- The changes that the parts lack are found among many others. What waits: writers, for milliseconds; the migration waits
-- for running writes.

-- Behind one statement for many datasets, the parts have its changes, and the ranks do not have them yet. Each search, each check
-- of the folder and each fold of the parts went through all of these to find no other one.
create index listing_change_lacking_idx on listing_change (no) where not in_parts;

-- As in V9. It locks nothing where it has nothing to do, because merge_statement needs the lock.
create or replace function fold_part_changes(decided bigint) returns void language plpgsql set search_path from current as $$
declare first constant bigint := (select pending_from from part_fold order by folded desc limit 1);
begin
    -- Also if the parts have all changes: behind pending_from, readers need not step over them.
    if (exists (select from listing_change where no >= first and not in_parts)
            or decided >= first and exists (select from listing_change where no between first and decided))
            and lock_for_fold('part_fold') then
        perform merge_part_changes(decided);
        update listing_change set in_parts = true where no >= greatest(first, decided + 1) and not in_parts;
    end if;
end $$;

-- As lock_for_fold, but tries for 0.8 s. It does not wait in a queue of locks, where PostgreSQL would look for deadlocks: a
-- statement that has merged its datasets keeps the lock until its transaction ends, and may wait for a row of this one.
create function await_fold(state regclass) returns boolean language plpgsql set search_path from current as $$
declare is_locked boolean := lock_for_fold(state);
begin
    for attempt in 1 .. 16 loop
        exit when is_locked;
        perform pg_sleep(0.05);
        is_locked := lock_for_fold(state);
    end loop;
    return is_locked;
end $$;

-- As in V9, with await_fold.
create or replace function merge_statement(touched bigint[]) returns boolean
language plpgsql set search_path from current as $$
declare before bigint; newest bigint; first_ids bigint[];
begin
    if current_setting('transaction_isolation') <> 'read committed' or not await_fold('part_fold') then return false; end if;
    before := (select max(folded) from part_fold);
    newest := next_part_fold();
    first_ids := array(select distinct first_id from listing_part order by first_id);
    perform learn_bands(array_agg(seen.label)) from (
        select distinct unnest(band_labels(band_stats)) as label from dataset
        where id = any (touched) and not is_deleted and coordinates is not null
            and band_stats -> 'multispec_ortho' <> '{}') seen;
    perform write_parts(array(select distinct first_ids[width_bucket(id, first_ids)] from unnest(touched) id), touched, newest);
    insert into part_change values (newest, before);
    return true;
exception when insufficient_privilege then
    return false;
end $$;
