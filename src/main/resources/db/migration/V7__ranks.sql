-- Where each page begins, without counting to it: see docs/adr/0010.
--
-- For each order on offer the datasets of the public listing are cut into blocks of some hundred, and the blocks into
-- sections. A section knows its blocks' first datasets, and how many datasets come before each; rank knows the same of
-- the sections. What is written is noted in listing_change, in the writer's own transaction, and folded into the
-- sections later. Both together are exact in each snapshot, whether or not anybody folds.

create table listing_change (
    -- An index: the pages of notes that have been folded away stay in the table as long as readers keep it busy.
    no                       bigint generated always as identity primary key,
    -- 1: came into the public listing; -1: left it; 0: changed outside of it.
    change                   smallint not null,
    id                       bigint not null,
    uav_uid                  uuid not null,
    owner_name               text collate "und-x-icu" not null,
    workspace                bigint not null,
    dataset_name             text collate "und-x-icu" not null,
    captured_date            timestamptz not null,
    is_private               boolean not null,
    is_shareable             boolean not null,
    cant_orthomosaic         boolean not null,
    is_dem_processing        boolean not null,
    cumulative_adjustment    double precision not null,
    latest_adjustment_status text collate "und-x-icu" not null
);

create table rank (
    -- The column of dataset that this is the order of; id breaks ties.
    field    text primary key,
    -- Where the first section and its first block begin: no value sorts before.
    lowest   text not null,
    -- How often changes have been folded in: with the number of changes it is the version of the listing.
    folded   bigint not null default 0,
    total    bigint not null default 0,
    sections int[] not null default '{}',
    -- How many datasets come before each section.
    starts   bigint[] not null default '{}'
);

alter table rank alter sections set storage main, alter starts set storage main;

insert into rank (field, lowest) values
    ('id', '-9223372036854775808'),
    ('uav_uid', '00000000-0000-0000-0000-000000000000'),
    ('owner_name', ''),
    ('workspace', '-9223372036854775808'),
    ('dataset_name', ''),
    ('captured_date', '-infinity'),
    ('is_private', 'false'),
    ('is_shareable', 'false'),
    ('cant_orthomosaic', 'false'),
    ('is_dem_processing', 'false'),
    ('cumulative_adjustment', '-infinity'),
    ('latest_adjustment_status', '');

do $$
declare
    ranked text;
    typed text;
    collated text;
begin
    for ranked, typed, collated in
        select attname, format_type(atttypid, null), case when atttypid = 'text'::regtype then 'collate "und-x-icu"' end
        from rank join pg_attribute on attname = rank.field and attrelid = 'listing_change'::regclass
    loop
        execute format($ddl$
            create table rank_section_%1$s (
                no     int generated always as identity primary key,
                -- Its first dataset's place: key of the order, and id.
                key    %2$s %3$s not null,
                id     bigint not null,
                rows   int not null,
                -- Rows of its largest block.
                widest int not null,
                -- For each block its first dataset's place, and how many of the section come before it.
                keys   %2$s[] %3$s not null,
                ids    bigint[] not null,
                starts int[] not null,
                unique (key, id)
            ) with (fillfactor = 50);
            -- In the row, not beside it: each page reads them.
            alter table rank_section_%1$s alter keys set storage main, alter ids set storage main,
                alter starts set storage main
            $ddl$, ranked, typed, collated);
    end loop;
end
$$;

-- Cuts a section's datasets into blocks anew, and into several sections where there are too many.
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
            -- The range begins where it did, whatever is there now, and if nothing is.
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

create function fill_rank(filled text) returns void language plpgsql as $$
declare
    first int;
begin
    execute format('delete from rank_section_%s', filled);
    execute format('insert into rank_section_%s (key, id, rows, widest, keys, ids, starts)
                    select lowest, %L, 0, 0, array[lowest], array[%2$L::bigint], array[0]
                    from (select lowest::%3$s as lowest from rank where field = %4$L) begin returning no',
                   filled, '-9223372036854775808',
                   (select atttypid::regtype from pg_attribute
                    where attrelid = 'listing_change'::regclass and attname = filled), filled)
        into first;
    perform cut_rank_section(filled, first);
    perform sum_rank(filled);
end
$$;

create function sum_rank(summed text) returns void language plpgsql as $$
begin
    execute format($dml$
        update rank set folded = folded + 1, (total, sections, starts) = (
            select sum(rows), array_agg(no order by place), array_agg(upto - rows order by place)
            from (select no, rows, row_number() over places as place, sum(rows) over places as upto
                  from rank_section_%1$s window places as (order by key, id)) section)
        where field = %1$L
        $dml$, summed);
end
$$;

-- Adds what listing_change says about an order to its sections.
create function fold_rank(folded text) returns void language plpgsql as $$
declare
    section int;
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
            -- Of blocks that begin with the same key the ids tell which it is.
            cross join lateral (select cardinality(array_positions(keys, change.key)) as same) equal
        ), changed as (
            select no, block, sum(change) as change from placed group by no, block
        ), moved as (
            select no, block, rows + sum(change) over section as rows,
                   start + coalesce(sum(change) over before, 0) as start
            from (select section.no, block, section.rows, block.start, coalesce(change, 0) as change
                  from rank_section_%1$s section
                  cross join unnest(section.starts) with ordinality block (start, block)
                  left join changed using (no, block)
                  where section.no in (select no from placed)) block
            window section as (partition by no),
                   before as (partition by no order by block rows between unbounded preceding and 1 preceding)
        ), measured as (
            select no, block, rows, start,
                   lead(start, 1, rows) over (partition by no order by block) - start as width from moved
        )
        update rank_section_%1$s section set rows = new.rows, starts = new.starts, widest = new.widest
        from (select no, rows, max(width) as widest, array_agg(start::int order by block) as starts
              from measured group by no, rows) new
        where section.no = new.no
        $dml$, folded);
    for section in execute format('select no from rank_section_%s where widest > 256', folded) loop
        perform cut_rank_section(folded, section);
    end loop;
    -- The range of one that is empty goes to the one before.
    execute format('delete from rank_section_%s where rows = 0 and id <> %L', folded, '-9223372036854775808');
    perform sum_rank(folded);
end
$$;

-- Folds in what is noted, and says how many notes that were. To be called in a transaction of isolation level
-- repeatable read that has locked dataset in access share mode first: the notes and the datasets are of one moment
-- then, and nobody truncates meanwhile. Whoever else folds is let have his way.
create function fold_listing_changes() returns bigint language plpgsql as $$
declare
    notes bigint;
    known bigint;
begin
    if current_setting('transaction_isolation') = 'read committed' then
        raise 'ranks are folded in repeatable read';
    end if;
    if not pg_try_advisory_xact_lock('rank'::regclass::oid::int, 0) then
        return 0;
    end if;
    select count(*) into notes from listing_change;
    if notes = 0 then
        return 0;
    end if;
    select total into known from rank where field = 'id';
    if notes > greatest(10000, known / 20) then
        -- So many are counted sooner than sorted in.
        perform fill_rank(field) from rank;
    else
        perform fold_rank(field) from rank;
    end if;
    delete from listing_change;
    return notes;
end
$$;

-- Counts everything anew, beside readers and writers. To be called as the above; and with rank locked in share row
-- exclusive mode before, so that nobody folds between the snapshot and this.
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

-- Where a rank is not what counting says: no row when all is well.
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

create function note_listing_change() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        insert into listing_change (change, id, uav_uid, owner_name, workspace, dataset_name, captured_date, is_private,
                                    is_shareable, cant_orthomosaic, is_dem_processing, cumulative_adjustment,
                                    latest_adjustment_status)
        select case when is_deleted or is_private or coordinates is null then 0 else -1 end, id, uav_uid, owner_name,
               workspace, dataset_name, captured_date, is_private, is_shareable, cant_orthomosaic, is_dem_processing,
               cumulative_adjustment, latest_adjustment_status
        from gone;
    end if;
    if tg_op <> 'DELETE' then
        insert into listing_change (change, id, uav_uid, owner_name, workspace, dataset_name, captured_date, is_private,
                                    is_shareable, cant_orthomosaic, is_dem_processing, cumulative_adjustment,
                                    latest_adjustment_status)
        select case when is_deleted or is_private or coordinates is null then 0 else 1 end, id, uav_uid, owner_name,
               workspace, dataset_name, captured_date, is_private, is_shareable, cant_orthomosaic, is_dem_processing,
               cumulative_adjustment, latest_adjustment_status
        from come;
    end if;
    return null;
end
$$;
create trigger dataset_inserts_are_noted after insert on dataset
    referencing new table as come for each statement execute function note_listing_change();
create trigger dataset_updates_are_noted after update on dataset
    referencing old table as gone new table as come for each statement execute function note_listing_change();
create trigger dataset_deletes_are_noted after delete on dataset
    referencing old table as gone for each statement execute function note_listing_change();

create function empty_ranks() returns trigger language plpgsql as $$
begin
    delete from listing_change;
    perform fill_rank(field) from rank;
    return null;
end
$$;
create trigger dataset_truncates_are_noted after truncate on dataset
    for each statement execute function empty_ranks();

-- The triggers' creation keeps writers away until this is committed.
select fill_rank(field) from rank;
