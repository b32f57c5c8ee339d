-- After many changes at once, as of an import, the columns are folded at short intervals and alone, and the ranks beside them.
-- Before, one fold merged both: for two minutes each request with a filter read all datasets of an import. See docs/adr/0036.

-- The last fold of the parts, which may be later than the last fold of the ranks. The newest row is the last one: see rank.
create table part_fold (
    -- As listing_part.folded. With the number of changes that the parts lack it is the listing version.
    folded       bigint primary key,
    -- The parts contain all changes with lower numbers.
    pending_from bigint not null
);

-- No fold runs from here on.
lock table rank in share row exclusive mode;
insert into part_fold select folded, pending_from from rank where field = 'id' order by folded desc limit 1;

-- Whether the parts contain the change although its number is not below part_fold.pending_from.
alter table listing_change add column in_parts boolean not null default false;

-- Begins a fold of the parts, and returns its number: see sum_rank. No other fold of parts runs until the transaction ends.
create function next_part_fold() returns bigint language plpgsql set search_path from current as $$
declare
    number bigint;
begin
    lock table part_fold in share row exclusive mode;
    update part_fold set folded = greatest(folded + 1, (extract(epoch from now()
                                                                - timestamptz '2020-01-01 00:00:00Z') * 10)::bigint)
    where folded = (select max(folded) from part_fold) returning folded into strict number;
    return number;
end
$$;

-- Ends an autovacuum for which a fold returns without folding. PostgreSQL cancels an autovacuum only for a session that waits for
-- its lock, and folds do not wait. The autovacuum may last for minutes, because it waits for a moment in which no statement reads
-- the row of the last fold.
create function end_vacuums() returns void language plpgsql set search_path from current set lock_timeout = '3s' as $$
declare
    held regclass;
begin
    for held in select relation from pg_locks
                where relation in ('rank'::regclass, 'part_fold'::regclass) and mode = 'ShareUpdateExclusiveLock' and granted
                    and database = (select oid from pg_database where datname = current_database()) loop
        execute format('lock table %s in share update exclusive mode', held);
    end loop;
exception when lock_not_available then
    return;
end
$$;

-- The number of a fold of parts is no longer that of a fold of ranks. fold_parts takes all parts of many changes apart at once,
-- and sorts the elements once in place of ten times. A rebuild locks what both kinds of folds lock.
do $$
declare
    edit text[];
    before text;
    wanted text;
begin
    foreach edit slice 1 in array array[
        ['fill_parts()', '(select folded from rank where field = ''id'' order by folded desc limit 1)', 'next_part_fold()'],
        ['fold_parts(bigint)', '(select folded from rank where field = ''id'' order by folded desc limit 1)', 'next_part_fold()'],
        ['fold_parts(bigint)', 'where no >= first and not is_equal)', 'where no >= first and not is_equal and not in_parts)'],
        ['fold_parts(bigint)', 'from unnest(touched) touch (id)
        cross join lateral (select first_id, folded, array_position',
         'from unnest(case when cardinality(touched) <= 5000 then touched end) touch (id)
        cross join lateral (select first_id, folded, array_position'],
        ['fold_parts(bigint)', '    end loop;

    with part as materialized (',
         '    end loop;
    if cardinality(touched) > 5000 then
        recut := array(
            select distinct first_ids[width_bucket(id, first_ids)]
            from (select array(select distinct first_id from listing_part order by first_id) as first_ids offset 0) part
            cross join unnest(touched) id);
    end if;

    with part as materialized ('],
        ['fold_parts(bigint)', ' order by id),', '),'],
        ['fold_parts(bigint)', 'array_agg(north order by id)
    from placed', 'array_agg(north)
    from (select * from placed order by first_id, place, id) placed'],
        ['wrong_parts()', 'where no >= (select max(pending_from) from rank)',
         'where no >= (select max(pending_from) from part_fold) and not in_parts'],
        ['fold_listing_changes(bigint)', 'lock table rank in', 'lock table rank, part_fold in'],
        ['fold_listing_changes(bigint)', 'return 0;', 'perform end_vacuums();
        return 0;'],
        ['rebuild_ranks()', 'lock table rank in', 'lock table rank, part_fold in']
    ] loop
        before := pg_get_functiondef(edit[1]::regprocedure);
        wanted := replace(before, edit[2], edit[3]);
        if wanted = before then
            raise '% has another text', edit[1];
        end if;
        execute wanted;
    end loop;
end
$$;

-- All datasets of a large catalogue are joined and sorted in memory.
alter function fold_parts(bigint) set work_mem = '64MB';

-- As in V21, with the number and the changes of part_fold.
create or replace function renew_parts(first bigint) returns void language sql set search_path from current as $$
    update listing_part part set folded = newest.folded
    from (select distinct part.first_id, part.folded
          from (select distinct id from listing_change where no >= first and is_equal and not in_parts) equal
          cross join lateral (select first_id, folded from listing_part
                              where first_id <= equal.id order by first_id desc, folded desc limit 1) part) equal,
         (select max(folded) as folded from part_fold) newest
    where part.first_id = equal.first_id and part.folded = equal.folded and part.folded <> newest.folded
$$;

-- Merges the changes that the parts lack into the parts. decided is as for fold_listing_changes.
create function merge_part_changes(decided bigint) returns void language plpgsql set search_path from current as $$
declare
    first constant bigint := (select pending_from from part_fold order by folded desc limit 1);
begin
    perform fold_parts(first);
    perform renew_parts(first);
    update part_fold set pending_from = greatest(pending_from, decided + 1) where folded = (select max(folded) from part_fold);
end
$$;

-- Merges the pending changes of the snapshot into the ranks, the words and the feed, and returns their number. As in V23.
create function merge_rank_changes(upto bigint) returns bigint language plpgsql set search_path from current as $$
declare
    first bigint;
    listed bigint;
    pending bigint;
    other bigint;
begin
    select pending_from, total into first, listed from rank where field = 'id' order by folded desc limit 1;
    select count(*), count(*) filter (where not is_equal) into pending, other from listing_change where no >= first;
    if pending = 0 then
        return 0;
    end if;
    perform begin_epoch();
    if other > greatest(10000, listed / 20) then
        -- Rebuilding takes less time than merging so many.
        perform fill_rank(field, upto) from rank_fields() field;
    else
        perform fold_rank(field, first, upto) from rank_fields() field;
    end if;
    perform merge_words(first);
    perform fold_changes(first);
    return pending;
end
$$;

-- Merges all pending changes into all ranks and parts, deletes them and returns their number. The caller has locked rank and
-- part_fold in share row exclusive mode, and sees the changes and the datasets of one snapshot.
create or replace function merge_listing_changes(decided bigint default 0) returns bigint
language plpgsql set search_path from current as $$
declare
    first constant bigint := (select pending_from from rank where field = 'id' order by folded desc limit 1);
    pending bigint;
begin
    if exists (select from listing_change where no >= first) then
        perform merge_part_changes(decided);
        pending := merge_rank_changes(decided + 1);
        delete from listing_change where no >= first;
    end if;
    return coalesce(pending, 0);
end
$$;

-- Folds the parts alone. The caller does as for fold_listing_changes. The changes stay for the ranks.
create function fold_part_changes(decided bigint) returns void language plpgsql set search_path from current as $$
declare
    first constant bigint := (select pending_from from part_fold order by folded desc limit 1);
begin
    begin
        lock table part_fold in share row exclusive mode nowait;
    exception when lock_not_available then
        perform end_vacuums();
        return;
    end;
    if exists (select from listing_change where no >= first and not in_parts) then
        perform merge_part_changes(decided);
        update listing_change set in_parts = true where no >= greatest(first, decided + 1) and not in_parts;
    end if;
end
$$;

-- Folds all but the parts, beside folds of the parts, and returns the number of merged changes. The caller does as for
-- fold_listing_changes. A change that the parts lack stays, because a fold of the parts may write it meanwhile: another change of
-- the opposite sign takes it from the ranks again.
create function fold_rank_changes() returns bigint language plpgsql set search_path from current as $$
declare
    first constant bigint := (select pending_from from rank where field = 'id' order by folded desc limit 1);
    upto constant bigint := (select pending_from from part_fold order by folded desc limit 1);
    columns constant text := (select string_agg(quote_ident(field), ', ') from rank_fields() field);
    merged bigint;
begin
    begin
        lock table rank in share row exclusive mode nowait;
    exception when lock_not_available then
        perform end_vacuums();
        return 0;
    end;
    merged := merge_rank_changes(upto);
    -- And one change outside of the listings, for the listing version.
    execute format($dml$
        with merged as (
            delete from listing_change where no >= $1 and (no < $2 or in_parts) returning *
        )
        insert into listing_change (change, %1$s, is_equal, in_parts)
        select -change, %1$s, true, true from listing_change where no >= $2 and not in_parts and change <> 0
        union all
        (select 0, %1$s, true, false from merged limit 1)
        $dml$, columns) using first, upto;
    return merged;
end
$$;
