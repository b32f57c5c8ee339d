-- Ranks: they tell where a page of the public listing begins, without counting up to it. See docs/adr/0010 and docs/adr/0021.
--
-- There is one rank for each sortable column of dataset. A rank divides the public listing in the order of (column, id)
-- into blocks of about 128 datasets, and 64 blocks form a section:
--   rank                    one row for each rank: its sections, and how many datasets precede each of them
--   rank_section_<column>   one row for each section: its blocks, and how many of its datasets precede each of them
--   listing_change          the pending changes: writes that are not yet merged into the blocks
-- Triggers on dataset add a pending change in the transaction of the writer. A page reads rank, one section and all
-- pending changes in one statement. So it is exact in every snapshot, whether or not changes are pending. The service
-- folds: it merges the pending changes into the sections and deletes them, twice a second, in one instance at a time.
--
-- While a snapshot is open, vacuum removes nothing that the snapshot may read. So a page must not step over what the
-- folds since then have replaced:
--   rank            the newest version of a row is the last in the index of (field, folded)
--   rank_section_*  a changed section gets a new number, and rank contains the number of its newest version
--   listing_change  no pending change has a lower number than rank.pending_from, so that pages begin there
--
-- Every function sets its search_path: a restored dump runs the functions with an empty one.

create table rank (
    -- The sortable column of dataset.
    field    text not null,
    -- The start of the first section: no value of the column sorts before it.
    lowest   text not null,
    -- The number of the last fold, from the clock (see sum_rank). With the number of pending changes it is the version
    -- of the listing (docs/adr/0011).
    folded   bigint not null default 0,
    -- How many datasets the sections contain.
    total    bigint not null default 0,
    -- The numbers of the sections in the order of the rank, and how many datasets precede each of them.
    sections bigint[] not null default '{}',
    starts   bigint[] not null default '{}',
    -- See fold_listing_changes.
    pending_from bigint not null default 0,
    primary key (field, folded)
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

-- The libraries on which the orders of the ranks and the words of the search depend.
create table text_versions (
    versions text not null,
    only_row boolean primary key default true check (only_row)
);

create function current_text_versions() returns text language sql stable
return 'collation ' || pg_collation_actual_version('pg_catalog."und-x-icu"'::regcollation)
    || ', PostgreSQL ' || current_setting('server_version_num')::int / 10000;

insert into text_versions values (current_text_versions());

-- The names of all ranks. Each step reads the newest row of one rank.
create function rank_fields() returns setof text language sql stable set search_path from current as $$
    with recursive known as (
        (select field from rank order by field desc, folded desc limit 1)
        union all
        select (select rank.field from rank where rank.field < known.field
                order by rank.field desc, rank.folded desc limit 1)
        from known where field is not null
    )
    select field from known where field is not null order by field
$$;

-- Divides the datasets of one section into new blocks, and into several sections if there are more than 64 blocks.
create function cut_rank_section(field text, section bigint) returns void
language plpgsql set search_path from current as $$
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
create function split_rank_blocks(field text, section bigint) returns void
language plpgsql set search_path from current as $$
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
create function sum_rank(field text, pending_from bigint) returns void
language plpgsql set search_path from current as $$
begin
    -- The sections that this transaction has made have the highest numbers. The others are those of before that it has
    -- not replaced.
    execute format($dml$
        with newest as materialized (
            select folded, sections from rank where field = %1$L order by folded desc limit 1
        ), section as (
            select key, id, no, rows from rank_section_%1$s where no = any ((select sections from newest)::bigint[])
            union all
            select key, id, no, rows from rank_section_%1$s
            where no > (select coalesce(max(known), 0) from newest cross join unnest(sections) known)
        )
        update rank set pending_from = greatest(pending_from, $1),
                        folded = greatest(folded + 1, (extract(epoch from now()
                                                               - timestamptz '2020-01-01 00:00:00Z') * 10)::bigint),
                        (total, sections, starts) = (
            select sum(rows), array_agg(no order by place), array_agg(upto - rows order by place)
            from (select no, rows, row_number() over places as place, sum(rows) over places as upto
                  from section window places as (order by key, id)) placed)
        where field = %1$L and folded = (select folded from newest)
        $dml$, field)
    using pending_from;
end
$$;

-- Rebuilds one rank from the datasets, whatever its tables contain.
create function fill_rank(field text, pending_from bigint default 0) returns void
language plpgsql set search_path from current as $$
declare
    first bigint;
begin
    delete from rank where rank.field = fill_rank.field
        and folded < (select max(folded) from rank where rank.field = fill_rank.field);
    update rank set sections = '{}', starts = '{}' where rank.field = fill_rank.field;
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
    perform sum_rank(field, pending_from);
end
$$;

-- Merges the pending changes into the sections of one rank. It reads and writes only the blocks and sections in which
-- something has changed.
create function fold_rank(field text, first bigint, pending_from bigint) returns void
language plpgsql set search_path from current as $$
declare
    changed record;
begin
    for changed in execute format($dml$
        with change as (
            select %1$I as key, id, sum(change) as change from listing_change where no >= $1
            group by %1$I, id having sum(change) <> 0
        ), placed as materialized (
            select no, change,
                   case when keys[upto] is distinct from change.key then upto
                        else upto - same + width_bucket(change.id, ids[upto - same + 1 : upto]) end as block
            from change cross join lateral (
                select no, keys, ids, width_bucket(change.key, keys) as upto from rank_section_%1$s section
                where (section.key, section.id) <= (change.key, change.id)
                order by section.key desc, section.id desc, section.no desc limit 1) section
            -- Among blocks that begin with the same key the ids decide.
            cross join lateral (select cardinality(array_positions(keys, change.key)) as same) equal
        ), changed as (
            select no, block, sum(change) as change, sum(sum(change)) over (partition by no order by block) as upto
            from placed group by no, block
        ), summed as (
            select no, sum(change) as change, array_agg(block order by block) as blocks,
                   array_agg(change order by block) as changes, array_agg(upto::int order by block) as uptos
            from changed group by no
        ), folded as (
            update rank_section_%1$s section
            set no = default,
                rows = rows + summed.change,
                starts = array(
                    -- Plus the changes in the blocks before.
                    select start + coalesce(uptos[width_bucket(block::int - 1, blocks)], 0)
                    from unnest(section.starts) with ordinality moved (start, block) order by block),
                -- An upper bound: the widest block may have lost datasets.
                widest = greatest(widest, (
                    select max(coalesce(section.starts[block + 1], section.rows) - section.starts[block] + change)
                    from unnest(blocks, changes) grown (block, change)))
            from summed where section.no = summed.no
            returning section.no, section.id, section.rows, section.widest, cardinality(section.starts) as blocks
        )
        select no, id, rows, widest, blocks from folded where widest > 256 or rows = 0
        $dml$, field)
        using first
    loop
        if changed.rows = 0 then
            -- The section before takes the range of a deleted one; the first section always stays.
            execute format('delete from rank_section_%s where no = $1 and id <> %L', field, '-9223372036854775808')
                using changed.no;
        elsif changed.blocks + changed.widest / 128 <= 96 then
            perform split_rank_blocks(field, changed.no);
        else
            perform cut_rank_section(field, changed.no);
        end if;
    end loop;
    perform sum_rank(field, pending_from);
end
$$;

-- Merges all pending changes into all ranks, deletes them and returns their number. The caller has locked rank in share
-- row exclusive mode, and sees the changes and the datasets of one snapshot. decided is as for fold_listing_changes.
create function merge_listing_changes(decided bigint default 0) returns bigint
language plpgsql set search_path from current as $$
declare
    first bigint;
    listed bigint;
    pending bigint;
begin
    select pending_from, total into first, listed from rank where field = 'id' order by folded desc limit 1;
    select count(*) into pending from listing_change where no >= first;
    if pending = 0 then
        return 0;
    end if;
    if pending > greatest(10000, listed / 20) then
        -- Rebuilding takes less time than merging so many.
        perform fill_rank(field, decided + 1) from rank_fields() field;
    else
        perform fold_rank(field, first, decided + 1) from rank_fields() field;
    end if;
    delete from listing_change where no >= first;
    return pending;
end
$$;

-- The highest number of a change whose transaction has ended, and all lower ones too; 0 if there is none yet. It waits
-- up to 0.1 s for the transactions that may have drawn a number before the call. Such a transaction holds a lock on
-- listing_change until its changes are visible or undone.
create function decided_listing_changes() returns bigint language plpgsql set search_path from current as $$
declare
    drawn bigint;
    writers text[];
begin
    select last_value into drawn from listing_change_no_seq where is_called;
    for attempt in 0 .. 20 loop
        select array_agg(virtualtransaction) into writers from pg_locks
        where relation = 'listing_change'::regclass
            and database = (select oid from pg_database where datname = current_database())
            and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            and pid is distinct from pg_backend_pid()
            and (attempt = 0 or virtualtransaction = any (writers));
        if writers is null then
            return coalesce(drawn, 0);
        end if;
        perform pg_sleep(0.005);
    end loop;
    return 0;
end
$$;

-- Folds, and returns the number of merged changes. Call it in a transaction of isolation level repeatable read that has
-- locked dataset in access share mode before: then the pending changes and the datasets are of one snapshot, and no
-- truncate runs meanwhile. decided is the result of decided_listing_changes from before the transaction: pages no longer
-- read changes up to this number. If another session is folding, this one returns at once.
create function fold_listing_changes(decided bigint default 0) returns bigint
language plpgsql set search_path from current as $$
begin
    if current_setting('transaction_isolation') not in ('repeatable read', 'serializable') then
        raise 'ranks are folded in repeatable read';
    end if;
    begin
        lock table rank in share row exclusive mode nowait;
    exception when lock_not_available then
        return 0;
    end;
    return merge_listing_changes(decided);
end
$$;

-- Enables the triggers of dataset and rebuilds all ranks, beside readers and writers. Call it outside of a transaction.
create procedure rebuild_ranks() language plpgsql as $$
declare
    statement text;
begin
    for statement in select wrong_triggers() loop
        execute statement;
    end loop;
    -- Ends the snapshot of the call.
    commit;
    set transaction isolation level repeatable read;
    -- Before the first query, which takes the snapshot. No fold runs from here on.
    lock table dataset in access share mode;
    lock table rank in share row exclusive mode;
    perform fill_rank(field) from rank_fields() field;
    update rank set (folded, pending_from) = (select max(folded), max(pending_from) from rank);
    delete from listing_change;
end
$$;

-- Says why names may be in a wrong order, or words may not be found; null if the libraries are the same as when the
-- indexes and the ranks were built.
create function text_problem() returns text language plpgsql stable set search_path from current as $$
declare
    problem text;
begin
    select format('the indexes of names were built with version %s of the collation und-x-icu, and the server has version %s',
                  collversion, pg_collation_actual_version(oid))
    into problem from pg_collation
    where oid = 'pg_catalog."und-x-icu"'::regcollation and collversion <> pg_collation_actual_version(oid);
    -- PostgreSQL 14 does not record the version of the locale.
    if problem is null and to_regprocedure('pg_database_collation_actual_version(oid)') is not null then
        execute $sql$
            select format('the indexes of texts were built with version %s of the locale %s, and the server has version %s',
                          datcollversion, datcollate, pg_database_collation_actual_version(oid))
            from pg_database
            where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)
            $sql$ into problem;
    end if;
    return coalesce(problem, (
        select format('the ranks were built with %s, and the server has %s', versions, current_text_versions())
        from text_versions where versions is distinct from current_text_versions()));
end
$$;

-- Records that the indexes and the ranks are built with the libraries of now. Returns the statements that only a superuser
-- or the owner of the database may run; null if there are none.
create function accept_text_versions() returns text language plpgsql set search_path from current as $$
declare
    statement text;
    refused text;
begin
    update text_versions set versions = current_text_versions();
    foreach statement in array array['alter collation pg_catalog."und-x-icu" refresh version']
        || case when to_regprocedure('pg_database_collation_actual_version(oid)') is not null
                then array[format('alter database %I refresh collation version', current_database())] end loop
        begin
            execute statement;
        exception when insufficient_privilege then
            refused := concat_ws('; ', refused, statement);
        end;
    end loop;
    return refused;
end
$$;

-- The statements that enable the triggers of dataset as the migrations do.
create function wrong_triggers() returns setof text language sql stable set search_path from current as $$
    select format('alter table dataset enable %strigger %I', kind, name)
    from (values ('dataset_inserts_are_recorded', 'O', ''), ('dataset_updates_are_recorded', 'O', ''),
                 ('dataset_deletes_are_recorded', 'O', ''), ('dataset_truncates_are_recorded', 'A', 'always '),
                 ('dataset_is_touched', 'O', ''), ('dataset_replication_is_recorded', 'R', 'replica '),
                 ('dataset_replication_is_touched', 'R', 'replica ')) wanted (name, mode, kind)
    where not exists (select from pg_trigger
                      where tgrelid = 'dataset'::regclass and tgname = name and tgenabled::text = mode)
$$;

-- Compares all ranks and pending changes with the count of the datasets, for operators and tests. An empty result means
-- that the ranks are correct. A row names a position where a rank differs.
create function wrong_ranks() returns table (field text, key text, id bigint, ranked bigint, counted bigint)
language plpgsql set search_path from current as $$
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

-- Says why counts or pages are wrong; null if the ranks contain as many datasets as the table. It counts all datasets.
-- wrong_ranks() compares each position.
create function rank_problem() returns text language sql stable set search_path from current as $$
    select case
        when exists (select from wrong_triggers()) then 'the triggers of dataset do not record all changes'
        when (select count(*) from rank) <> (select count(*) from rank_fields()) then 'a rank has several rows'
        when (select count(distinct (total, folded, pending_from)) from rank) > 1 then 'the ranks differ from one another'
        when ranked <> counted then format('the ranks contain %s public datasets, and the table contains %s', ranked, counted)
        end
    from (select (select total from rank where field = 'id' order by folded desc limit 1)
                     + (select coalesce(sum(change), 0) from listing_change
                        where no >= (select max(pending_from) from rank)) as ranked,
                 (select count(*) from dataset where not is_deleted and not is_private and coordinates is not null)
                     as counted) counts
$$;

-- Writes the trigger functions that record pending changes, with a column for each rank.
create function write_trigger_functions() returns void language plpgsql set search_path from current as $$
declare
    columns text;
    olds text;
    news text;
begin
    select string_agg(quote_ident(field), ', '), string_agg('old.' || quote_ident(field), ', '),
           string_agg('new.' || quote_ident(field), ', ')
    into columns, olds, news from rank_fields() field;
    execute format($ddl$
        create or replace function record_listing_changes() returns trigger
        language plpgsql set search_path from current as $function$
        begin
            if tg_op = 'INSERT' then
                insert into listing_change (change, %1$s)
                select 1, %1$s from new_rows where not is_deleted and not is_private and coordinates is not null;
            elsif tg_op = 'DELETE' then
                insert into listing_change (change, %1$s)
                select -1, %1$s from old_rows where not is_deleted and not is_private and coordinates is not null;
            else
                -- A dataset that keeps its place in all orders needs no change.
                insert into listing_change (change, %1$s)
                select sum(change), %1$s
                from (select -1 as change, %1$s from old_rows
                      where not is_deleted and not is_private and coordinates is not null
                      union all
                      select 1, %1$s from new_rows
                      where not is_deleted and not is_private and coordinates is not null) moved
                group by %1$s having sum(change) <> 0;
            end if;
            if found then
                return null;
            end if;
            -- One change outside of the public listing, for the listing version.
            if tg_op = 'DELETE' then
                insert into listing_change (change, %1$s) select 0, %1$s from old_rows limit 1;
            else
                insert into listing_change (change, %1$s) select 0, %1$s from new_rows limit 1;
            end if;
            return null;
        end
        $function$
        $ddl$, columns);
    execute format($ddl$
        create or replace function record_replicated_change() returns trigger
        language plpgsql set search_path from current as $function$
        begin
            if tg_op <> 'INSERT' then
                insert into listing_change (change, %1$s)
                values (case when old.is_deleted or old.is_private or old.coordinates is null then 0 else -1 end, %2$s);
            end if;
            if tg_op <> 'DELETE' then
                insert into listing_change (change, %1$s)
                values (case when new.is_deleted or new.is_private or new.coordinates is null then 0 else 1 end, %3$s);
            end if;
            return null;
        end
        $function$
        $ddl$, columns, olds, news);
end
$$;

-- Makes a column of dataset sortable: its row in rank, its sections, the index of its order, its column in
-- listing_change, and new trigger functions that write that column. lowest is a value that no value of the column sorts
-- before.
--
-- Writers wait until the transaction ends; readers wait only at its end, from the change of listing_change on. In a
-- database in use, call it in another transaction than the one that adds the column to dataset, which means a migration
-- of its own: "alter table dataset" locks readers out, and together with the lock on listing_change this can deadlock
-- with a page that has one of the two tables and waits for the other.
create function create_rank(field text, lowest text) returns void
language plpgsql set search_path from current as $$
declare
    key_type text;
    key_collation text;
begin
    -- PostgreSQL treats read uncommitted as read committed.
    if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
        raise 'ranks are created in read committed';
    end if;
    -- From here on nobody writes datasets, rebuilds ranks or folds, and each statement sees what was committed before.
    lock table dataset in share row exclusive mode;
    lock table rank in share row exclusive mode;
    -- Pending changes have no value for the new column.
    perform merge_listing_changes();

    select format_type(atttypid, null),
           case when attcollation <> 0 then format(' collate %s', attcollation::regcollation) end
    into strict key_type, key_collation
    from pg_attribute where attrelid = 'dataset'::regclass and attname = create_rank.field;
    insert into rank (field, lowest, pending_from)
    values (field, lowest, coalesce((select max(pending_from) from rank), 0));
    execute format($ddl$
        create table rank_section_%1$s (
            -- Each version of a section has a number of its own: see rank.
            no     bigint generated always as identity primary key,
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
            starts int[] not null
        -- Room for the new version of a row in the same page: each fold updates the rows.
        ) with (fillfactor = 50);
        create index rank_section_%1$s_key_idx on rank_section_%1$s (key, id, no);
        -- Every page reads the arrays: they stay in the row instead of a TOAST table.
        alter table rank_section_%1$s alter keys set storage main, alter ids set storage main,
            alter starts set storage main;
        $ddl$, field, key_type, key_collation);

    -- A page reads its ids and revisions from this index alone (docs/adr/0014). The id makes the order total.
    execute format('create index dataset_listed_%s_idx on dataset (%s) include (version, updated_at)
                    where not is_deleted and not is_private and coordinates is not null',
                   field, case field when 'id' then 'id' else format('%I, id', field) end);
    perform fill_rank(field);
    -- As after a fold, all ranks have the same number: see sum_rank.
    update rank set folded = (select max(folded) from rank);

    if field <> 'id' then
        execute format('alter table listing_change add column %I %s%s not null', field, key_type, key_collation);
    end if;
    perform write_trigger_functions();
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

create trigger dataset_inserts_are_recorded after insert on dataset
    referencing new table as new_rows for each statement execute function record_listing_changes();
create trigger dataset_updates_are_recorded after update on dataset
    referencing old table as old_rows new table as new_rows for each statement execute function record_listing_changes();
create trigger dataset_deletes_are_recorded after delete on dataset
    referencing old table as old_rows for each statement execute function record_listing_changes();

create function empty_ranks() returns trigger language plpgsql set search_path from current as $$
begin
    delete from listing_change;
    perform fill_rank(field) from rank_fields() field;
    return null;
end
$$;

create trigger dataset_truncates_are_recorded after truncate on dataset
    for each statement execute function empty_ranks();

-- In a session with session_replication_role = replica, for example the one that applies logical replication, only these
-- triggers run. They are for rows, because such a session runs no trigger for statements except for truncate.
-- "enable trigger all", with which pg_restore --disable-triggers ends, enables them everywhere: hence the condition.
create trigger dataset_replication_is_recorded after insert or update or delete on dataset
    for each row when (current_setting('session_replication_role') = 'replica')
    execute function record_replicated_change();
alter table dataset enable replica trigger dataset_replication_is_recorded;
alter table dataset enable always trigger dataset_truncates_are_recorded;
-- Replication brings the time of the source. A statement by hand brings none.
create trigger dataset_replication_is_touched before update on dataset
    for each row when (new.updated_at = old.updated_at) execute function touch_dataset();
alter table dataset enable replica trigger dataset_replication_is_touched;
