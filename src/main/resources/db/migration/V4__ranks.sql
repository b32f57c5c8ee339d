-- Ranks: they tell where a page of the public listing begins, without counting up to it. See docs/adr/0010.
--
-- There is one rank for each sortable column of dataset. A rank divides the public listing in the order of (column, id)
-- into blocks of about 128 datasets, and 64 blocks form a section:
--   rank                    one row for each rank: its sections, and how many datasets precede each of them
--   rank_section_<column>   one row for each section: its blocks, and how many of its datasets precede each of them
--   listing_change          the pending changes: writes that are not yet merged into the blocks
-- Triggers on dataset add a pending change in the transaction of the writer. A page reads rank, one section and all
-- pending changes in one statement. So it is exact in every snapshot, whether or not changes are pending. The service
-- folds: it merges the pending changes into the sections and deletes them, twice a second, in one instance at a time.

create table rank (
    -- The sortable column of dataset.
    field    text primary key,
    -- The start of the first section: no value of the column sorts before it.
    lowest   text not null,
    -- The number of the last fold, from the clock (see sum_rank). With the number of pending changes it is the version
    -- of the listing (docs/adr/0011).
    folded   bigint not null default 0,
    -- How many datasets the sections contain.
    total    bigint not null default 0,
    -- The numbers of the sections in the order of the rank, and how many datasets precede each of them.
    sections int[] not null default '{}',
    starts   bigint[] not null default '{}'
);
-- Every page reads the arrays: they stay in the row instead of a TOAST table.
alter table rank alter sections set storage main, alter starts set storage main;

-- create_rank adds a column for each further rank: the value that the dataset had or has.
create table listing_change (
    -- Readers need the index of this key: the table keeps the pages of deleted changes as long as any snapshot is open.
    no     bigint generated always as identity primary key,
    -- 1: added to the public listing; -1: removed from it; 0: a change outside of it.
    change smallint not null,
    id     bigint not null
);

-- Divides the datasets of one section into new blocks, and into several sections if there are more than 64 blocks.
create function cut_rank_section(field text, section int) returns void language plpgsql as $$
declare
    is_last boolean;
begin
    execute format('select not exists (select from rank_section_%1$s o join rank_section_%1$s s
                        on (o.key, o.id) > (s.key, s.id) where s.no = $1)', field) into is_last using section;
    execute format($dml$
        with cut as (
            delete from rank_section_%1$s where no = $1 returning key, id
        ), behind as materialized (
            select key, id from rank_section_%1$s
            where (key, id) > ((select key from cut), (select id from cut)) order by key, id limit 1
        ), listed as (
            select place / 128 as block, count(*) as rows,
                   (array_agg(key) filter (where place %% 128 = 0))[1] as key,
                   (array_agg(id) filter (where place %% 128 = 0))[1] as id
            from (select %1$I as key, id, row_number() over (order by %1$I, id) - 1 as place from dataset
                  where not is_deleted and not is_private and coordinates is not null
                    and (%1$I, id) >= ((select key from cut), (select id from cut)) %2$s) numbered
            group by place / 128
        ), block as (
            -- The first block begins where the section began, even if that dataset no longer exists, or none does.
            select coalesce(block, 0) as no, coalesce(rows, 0) as rows,
                   case when block > 0 then listed.key else cut.key end as key,
                   case when block > 0 then listed.id else cut.id end as id
            from cut left join listed on true
        )
        insert into rank_section_%1$s (key, id, rows, widest, keys, ids, starts)
        select (array_agg(key order by no))[1], (array_agg(id order by no))[1], sum(rows), max(rows),
               array_agg(key order by no), array_agg(id order by no), array_agg(no %% 64 * 128 order by no)
        from block group by no / 64
        $dml$, field, case when not is_last
                           then format('and (%I, id) < ((select key from behind), (select id from behind))', field)
                      end)
    using section;
end
$$;

-- Divides the blocks of one section that have more than 256 datasets, and reads the datasets of these blocks alone.
create function split_rank_blocks(field text, section int) returns void language plpgsql as $$
begin
    execute format($dml$
        with block as (
            select block.key, block.id, start, lead(start, 1, rows) over (order by block.key, block.id) - start as width
            from rank_section_%1$s cross join unnest(keys, ids, starts) block (key, id, start)
            where no = $1
        ), measured as (
            select key, id, start, lead(start, 1, (select rows from rank_section_%1$s where no = $1))
                                       over (order by key, id) - start as width
            from (select key, id, start from block
                  union all
                  select listed.key, listed.id, start + place::int
                  from block cross join lateral (
                      select %1$I as key, dataset.id, row_number() over (order by %1$I, dataset.id) - 1 as place
                      from dataset
                      where not is_deleted and not is_private and coordinates is not null
                        and (%1$I, dataset.id) >= (block.key, block.id)
                      order by %1$I, dataset.id limit width) listed
                  -- The last new block has at least 64 datasets.
                  where width > 256 and place between 128 and width - 64 and place %% 128 = 0) block
        )
        update rank_section_%1$s section
        set keys = cut.keys, ids = cut.ids, starts = cut.starts, widest = cut.widest
        from (select array_agg(key order by key, id) as keys, array_agg(id order by key, id) as ids,
                     array_agg(start order by key, id) as starts, max(width) as widest
              from measured) cut
        where no = $1
        $dml$, field)
    using section;
end
$$;

-- Updates the row of one rank after a change of its sections. The number of a fold is the time of its transaction in
-- tenths of a second: a standby that takes over may lack the last folds, and counted numbers would then repeat, while
-- instances still have cached pages of the first folds with these numbers. All ranks of one transaction get the same
-- number, because a cached page is compared with the listing version of the rank of id.
create function sum_rank(field text) returns void language plpgsql as $$
begin
    execute format($dml$
        update rank set folded = greatest(folded + 1, (extract(epoch from now()
                                                               - timestamptz '2020-01-01 00:00:00Z') * 10)::bigint),
                        (total, sections, starts) = (
            select sum(rows), array_agg(no order by place), array_agg(upto - rows order by place)
            from (select no, rows, row_number() over places as place, sum(rows) over places as upto
                  from rank_section_%1$s window places as (order by key, id)) section)
        where field = %1$L
        $dml$, field);
end
$$;

-- Rebuilds one rank from the datasets.
create function fill_rank(field text) returns void language plpgsql as $$
declare
    first int;
begin
    execute format('delete from rank_section_%s', field);
    execute format('insert into rank_section_%1$s (key, id, rows, widest, keys, ids, starts)
                    select key, %3$s, 0, 0, array[key], array[%3$s], array[0]
                    from (select lowest::%2$s as key from rank where field = %1$L) lowest returning no',
                   field,
                   (select atttypid::regtype from pg_attribute
                    where attrelid = 'dataset'::regclass and attname = fill_rank.field),
                   'bigint ''-9223372036854775808''')
        into first;
    perform cut_rank_section(field, first);
    perform sum_rank(field);
end
$$;

-- Merges the pending changes into the sections of one rank. It reads and writes only the blocks and sections in which
-- something has changed.
create function fold_rank(field text) returns void language plpgsql as $$
declare
    section int;
    fits boolean;
begin
    execute format($dml$
        with change as (
            select %1$I as key, id, sum(change) as change from listing_change
            group by %1$I, id having sum(change) <> 0
        ), placed as materialized (
            select no, change,
                   case when keys[upto] is distinct from change.key then upto
                        else upto - same + width_bucket(change.id, ids[upto - same + 1 : upto]) end as block
            from change cross join lateral (
                select no, keys, ids, width_bucket(change.key, keys) as upto from rank_section_%1$s section
                where (section.key, section.id) <= (change.key, change.id)
                order by section.key desc, section.id desc limit 1) section
            -- Among blocks that begin with the same key the ids decide.
            cross join lateral (select cardinality(array_positions(keys, change.key)) as same) equal
        ), changed as (
            select no, block, sum(change) as change, sum(sum(change)) over (partition by no order by block) as upto
            from placed group by no, block
        ), summed as (
            select no, sum(change) as change, array_agg(block order by block) as blocks,
                   array_agg(change order by block) as changes, array_agg(upto::int order by block) as uptos
            from changed group by no
        )
        update rank_section_%1$s section
        set rows = rows + summed.change,
            starts = array(
                -- Plus the changes in the blocks before.
                select start + coalesce(uptos[width_bucket(block::int - 1, blocks)], 0)
                from unnest(section.starts) with ordinality moved (start, block) order by block),
            -- An upper bound: the widest block may have lost datasets.
            widest = greatest(widest, (
                select max(coalesce(section.starts[block + 1], section.rows) - section.starts[block] + change)
                from unnest(blocks, changes) grown (block, change)))
        from summed where section.no = summed.no
        $dml$, field);
    for section, fits in execute format(
        'select no, cardinality(starts) + widest / 128 <= 96 from rank_section_%s where widest > 256', field)
    loop
        if fits then
            perform split_rank_blocks(field, section);
        else
            perform cut_rank_section(field, section);
        end if;
    end loop;
    -- The section before takes the range of a deleted one; the first section always stays.
    execute format('delete from rank_section_%s where rows = 0 and id <> %L', field, '-9223372036854775808');
    perform sum_rank(field);
end
$$;

-- Merges all pending changes into all ranks, deletes them and returns their number. The caller holds the advisory lock
-- of rank, and sees the changes and the datasets of one snapshot.
create function merge_listing_changes() returns bigint language plpgsql as $$
declare
    pending bigint;
    listed bigint;
begin
    select count(*) into pending from listing_change;
    if pending = 0 then
        return 0;
    end if;
    select total into listed from rank where field = 'id';
    if pending > greatest(10000, listed / 20) then
        -- Rebuilding takes less time than merging so many.
        perform fill_rank(field) from rank;
    else
        perform fold_rank(field) from rank;
    end if;
    delete from listing_change;
    return pending;
end
$$;

-- Folds, and returns the number of merged changes. Call it in a transaction of isolation level repeatable read that has
-- locked dataset in access share mode before: then the pending changes and the datasets are of one snapshot, and no
-- truncate runs meanwhile. If another session is folding, this one returns at once.
create function fold_listing_changes() returns bigint language plpgsql as $$
begin
    if current_setting('transaction_isolation') = 'read committed' then
        raise 'ranks are folded in repeatable read';
    end if;
    if not pg_try_advisory_xact_lock('rank'::regclass::oid::int, 0) then
        return 0;
    end if;
    return merge_listing_changes();
end
$$;

-- Rebuilds all ranks beside readers and writers, for operators (docs/operations.md). Call it in a transaction as for
-- fold_listing_changes that has also locked rank in share row exclusive mode, so that no session folds between the
-- snapshot and this call.
create function rebuild_ranks() returns void language plpgsql as $$
begin
    if current_setting('transaction_isolation') = 'read committed' then
        raise 'ranks are rebuilt in repeatable read';
    end if;
    perform pg_advisory_xact_lock('rank'::regclass::oid::int, 0);
    perform fill_rank(field) from rank;
    delete from listing_change;
end
$$;

-- Compares all ranks and pending changes with the count of the datasets, for operators and tests. An empty result means
-- that the ranks are correct. A row names a position where a rank differs.
create function wrong_ranks() returns table (field text, key text, id bigint, ranked bigint, counted bigint)
language plpgsql as $$
declare
    checked text;
begin
    for checked in select rank.field from rank loop
        return query execute format($check$
            with place as (
                select block.key, block.id, rank.starts[i] + start as ranked
                from rank cross join unnest(sections) with ordinality in_rank (no, i)
                join rank_section_%1$s section using (no)
                cross join unnest(keys, ids, section.starts) block (key, id, start)
                where field = %1$L
            ), counted as (
                select key, id, ranked, sum(rows) over (order by key, id, ranked is null, rows
                                                        rows unbounded preceding)::bigint as counted
                from (select key, id, ranked, 0 as rows from place
                      union all select %1$I, id, null, -change from listing_change
                      union all select %1$I, id, null, 1 from dataset
                      where not is_deleted and not is_private and coordinates is not null) row
            )
            select %1$L, key::text, id, ranked, counted from counted where ranked <> counted
            union all
            select field, null, null, total, listed
            from rank cross join (
                select count(*) - (select coalesce(sum(change), 0) from listing_change) as listed from dataset
                where not is_deleted and not is_private and coordinates is not null) counted
            where field = %1$L and total <> listed
            $check$, checked);
    end loop;
end
$$;

-- Makes a column of dataset sortable: its row in rank, its sections, the index of its order, its column in
-- listing_change, and a new record_listing_changes, the trigger function that writes that column. lowest is a value
-- that no value of the column sorts before.
--
-- Writers wait until the transaction ends; readers wait only at its end, from the change of listing_change on. In a
-- database in use, call it in another transaction than the one that adds the column to dataset, which means a migration
-- of its own: "alter table dataset" locks readers out, and together with the lock on listing_change this can deadlock
-- with a page that has one of the two tables and waits for the other.
create function create_rank(field text, lowest text) returns void language plpgsql as $$
declare
    key_type text;
    key_collation text;
    columns text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise 'ranks are created in read committed';
    end if;
    -- From here on nobody writes datasets, rebuilds ranks or folds, and each statement sees what was committed before.
    lock table dataset in share row exclusive mode;
    lock table rank in row exclusive mode;
    perform pg_advisory_xact_lock('rank'::regclass::oid::int, 0);
    -- Pending changes have no value for the new column.
    perform merge_listing_changes();

    select format_type(atttypid, null),
           case when attcollation <> 0 then format(' collate %s', attcollation::regcollation) end
    into strict key_type, key_collation
    from pg_attribute where attrelid = 'dataset'::regclass and attname = create_rank.field;
    insert into rank (field, lowest) values (field, lowest);
    execute format($ddl$
        create table rank_section_%1$s (
            no     int generated always as identity primary key,
            -- Where the section begins: a value of the column, and an id.
            key    %2$s%3$s not null,
            id     bigint not null,
            -- How many datasets the section contains.
            rows   int not null,
            -- An upper bound of how many datasets its largest block contains.
            widest int not null,
            -- Where each block begins, and how many datasets of the section precede it.
            keys   %2$s[]%3$s not null,
            ids    bigint[] not null,
            starts int[] not null,
            unique (key, id)
        -- Room for the new version of a row in the same page: each fold updates the rows.
        ) with (fillfactor = 50);
        -- Every page reads the arrays: they stay in the row instead of a TOAST table.
        alter table rank_section_%1$s alter keys set storage main, alter ids set storage main,
            alter starts set storage main;
        $ddl$, field, key_type, key_collation);

    -- A page reads its ids and revisions from this index alone (docs/adr/0014). The id makes the order total.
    execute format('create index dataset_listed_%s_idx on dataset (%s) include (version, updated_at)
                    where not is_deleted and not is_private and coordinates is not null',
                   field, case field when 'id' then 'id' else format('%I, id', field) end);
    perform fill_rank(field);

    if field <> 'id' then
        execute format('alter table listing_change add column %I %s%s not null', field, key_type, key_collation);
    end if;
    select string_agg(quote_ident(rank.field), ', ' order by rank.field) into columns from rank;
    execute format($ddl$
        create or replace function record_listing_changes() returns trigger language plpgsql as $function$
        begin
            if tg_op <> 'INSERT' then
                insert into listing_change (change, %1$s)
                select case when is_deleted or is_private or coordinates is null then 0 else -1 end, %1$s
                from old_rows;
            end if;
            if tg_op <> 'DELETE' then
                insert into listing_change (change, %1$s)
                select case when is_deleted or is_private or coordinates is null then 0 else 1 end, %1$s
                from new_rows;
            end if;
            return null;
        end
        $function$
        $ddl$, columns);
end
$$;

-- Not as select statements, because Flyway logs a table for the result of each.
do $$
begin
    perform create_rank('id', '-9223372036854775808');
    perform create_rank('uav_uid', '00000000-0000-0000-0000-000000000000');
    perform create_rank('owner_name', '');
    perform create_rank('workspace', '-9223372036854775808');
    perform create_rank('dataset_name', '');
    perform create_rank('captured_date', '-infinity');
    perform create_rank('is_private', 'false');
    perform create_rank('is_shareable', 'false');
    perform create_rank('cant_orthomosaic', 'false');
    perform create_rank('is_dem_processing', 'false');
    perform create_rank('cumulative_adjustment', '-infinity');
    perform create_rank('latest_adjustment_status', '');
end
$$;

create trigger dataset_inserts_are_noted after insert on dataset
    referencing new table as new_rows for each statement execute function record_listing_changes();
create trigger dataset_updates_are_noted after update on dataset
    referencing old table as old_rows new table as new_rows for each statement execute function record_listing_changes();
create trigger dataset_deletes_are_noted after delete on dataset
    referencing old table as old_rows for each statement execute function record_listing_changes();

create function empty_ranks() returns trigger language plpgsql as $$
begin
    delete from listing_change;
    perform fill_rank(field) from rank;
    return null;
end
$$;
create trigger dataset_truncates_are_noted after truncate on dataset
    for each statement execute function empty_ranks();
