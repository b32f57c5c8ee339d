-- Columns: what the filters of listings compare, as arrays. The service evaluates filters in them, for counts and pages of any
-- filter. See docs/adr/0029.
--
-- listing_part divides the listed datasets, public and private ones (neither deleted nor drafts), in the order of ids into parts
-- of at most 1,024 datasets. The bit 25 of marks says which are private, so that each caller's view is one more filter. The
-- arrays have one element for each dataset. The fold brings them up to date together with the ranks. Until then, a pending change
-- names each dataset that differs from its element, and a reader takes this dataset from the table.

create table listing_part (
    -- The part has the ids from here up to the next part.
    first_id   bigint not null,
    -- The number of the fold that wrote the row, see sum_rank. A part with the same first_id and number has the same arrays.
    folded     bigint not null,
    ids        bigint[] not null,
    -- See marks and band_marks.
    marks      int[] not null,
    bands      bigint[] not null,
    owners     bigint[] not null,
    workspaces bigint[] not null,
    -- Microseconds since 1970.
    captured   bigint[] not null,
    -- Degrees: west, south, east and north of the footprint.
    wests      double precision[] not null,
    souths     double precision[] not null,
    easts      double precision[] not null,
    norths     double precision[] not null,
    -- The newest version of a row is the last one of its first_id: see the table rank.
    primary key (first_id, folded)
-- The arrays stay outside of the row, so that a list of the parts reads few pages.
) with (toast_tuple_target = 128);

-- The bits of the array bands. A label gets a bit when the first fold sees it, and keeps it until all parts are rebuilt.
create table band_mark (
    label text collate "C" primary key,
    bit   int not null unique check (bit between 0 and 61)
);

-- The choices and the flags of a dataset as bits: from bit 0 the categories, from bit 13 the rasters, from bit 17 the rasters
-- with statistics, then is_shareable, cant_orthomosaic, is_dem_processing, whether the footprint is an area, and is_private. The
-- class Mark of the service has the same order. The planner inlines the body because it has no subquery: five times as fast.
create function marks(category text[], available_rasters text[], band_stats jsonb, is_shareable boolean, cant_orthomosaic boolean,
                      is_dem_processing boolean, footprint box, is_private boolean)
returns int language sql immutable parallel safe
return case when 'Artificial - terrestrial' = any (category) then 1 << 0 else 0 end
    | case when 'Deep ocean floor' = any (category) then 1 << 1 else 0 end
    | case when 'Desert' = any (category) then 1 << 2 else 0 end
    | case when 'Forest' = any (category) then 1 << 3 else 0 end
    | case when 'Grassland' = any (category) then 1 << 4 else 0 end
    | case when 'Intertidal' = any (category) then 1 << 5 else 0 end
    | case when 'Neritic' = any (category) then 1 << 6 else 0 end
    | case when 'Oceanic' = any (category) then 1 << 7 else 0 end
    | case when 'Other' = any (category) then 1 << 8 else 0 end
    | case when 'Rocky' = any (category) then 1 << 9 else 0 end
    | case when 'Savanna' = any (category) then 1 << 10 else 0 end
    | case when 'Shrubland' = any (category) then 1 << 11 else 0 end
    | case when 'Wetlands' = any (category) then 1 << 12 else 0 end
    | case when 'ortho' = any (available_rasters) then 1 << 13 else 0 end
    | case when 'dsm' = any (available_rasters) then 1 << 14 else 0 end
    | case when 'dtm' = any (available_rasters) then 1 << 15 else 0 end
    | case when 'multispec_ortho' = any (available_rasters) then 1 << 16 else 0 end
    | case when band_stats -> 'ortho' <> '{}' then 1 << 17 else 0 end
    | case when band_stats -> 'dsm' <> '{}' then 1 << 18 else 0 end
    | case when band_stats -> 'dtm' <> '{}' then 1 << 19 else 0 end
    | case when band_stats -> 'multispec_ortho' <> '{}' then 1 << 20 else 0 end
    | case when is_shareable then 1 << 21 else 0 end
    | case when cant_orthomosaic then 1 << 22 else 0 end
    | case when is_dem_processing then 1 << 23 else 0 end
    | case when (footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1] then 1 << 24 else 0 end
    | case when is_private then 1 << 25 else 0 end;

-- The labels of bands as bits; bit 62 stands for all labels without a bit.
create function band_marks(labels text[]) returns bigint language sql stable parallel safe
return coalesce((select bit_or(1::bigint << coalesce(bit, 62)) from unnest(labels) label left join band_mark using (label)), 0);

-- The elements of each dataset. A reader adds the condition of the listed ones.
create view listing_element as
select id, marks(category, available_rasters, band_stats, is_shareable, cant_orthomosaic, is_dem_processing, footprint,
             is_private) as mark,
       case when band_stats ? 'multispec_ortho' and band_stats -> 'multispec_ortho' <> '{}'
            then band_marks(band_labels(band_stats)) else 0 end as band,
       owner_id as owner, workspace, (extract(epoch from captured_date) * 1000000)::bigint as time,
       (footprint[1])[0] as west, (footprint[1])[1] as south, (footprint[0])[0] as east, (footprint[0])[1] as north,
       owner_id, is_deleted, is_private, coordinates
from dataset;

-- Gives bits to labels of bands that have none, as long as bits are left.
create function learn_bands(labels text[]) returns void language sql set search_path from current as $$
    insert into band_mark (label, bit)
    select label, (select count(*) from band_mark) + row_number() over (order by label) - 1
    from (select distinct unnest(labels) as label) seen
    where label is not null and not exists (select from band_mark known where known.label = seen.label)
    order by label limit 62 - (select count(*) from band_mark)
$$;

-- The array with another element at a place.
create function replaced(elements anyarray, place int, element anyelement) returns anyarray
language sql immutable parallel safe as 'select elements[:place - 1] || element || elements[place + 1:]';

-- Rebuilds all parts from the datasets. The caller has brought the row of the rank of id up to date.
create function fill_parts() returns void language plpgsql set search_path from current as $$
declare
    start bigint := -9223372036854775808;
    newest bigint := (select folded from rank where field = 'id' order by folded desc limit 1);
begin
    delete from listing_part;
    delete from band_mark;
    perform learn_bands(array_agg(seen.label))
    from (select distinct unnest(band_labels(band_stats)) as label from dataset
          where not is_deleted and coordinates is not null
              and band_stats -> 'multispec_ortho' <> '{}') seen;
    -- The first part is there even if no dataset is: a reader finds a part for each id.
    while start is not null loop
        -- The rows arrive in the order of the index, and array_agg keeps it.
        insert into listing_part
        select start, newest, coalesce(array_agg(id), '{}'), coalesce(array_agg(mark), '{}'), coalesce(array_agg(band), '{}'),
               coalesce(array_agg(owner), '{}'), coalesce(array_agg(workspace), '{}'), coalesce(array_agg(time), '{}'),
               coalesce(array_agg(west), '{}'), coalesce(array_agg(south), '{}'), coalesce(array_agg(east), '{}'),
               coalesce(array_agg(north), '{}')
        from (select * from listing_element
              where not is_deleted and coordinates is not null and id >= start
              order by id limit 512) element;
        start := (select id from dataset
                  where not is_deleted and coordinates is not null and id >= start
                  order by id offset 512 limit 1);
    end loop;
end
$$;

-- Merges the pending changes into the parts: the datasets that they name get the elements of the snapshot. The caller has
-- brought the row of the rank of id up to date.
create function fold_parts(first bigint) returns void language plpgsql set search_path from current as $$
declare
    newest bigint := (select folded from rank where field = 'id' order by folded desc limit 1);
    touched bigint[] := (select array_agg(distinct id) from listing_change where no >= first);
    recut bigint[] := '{}';
    next record;
begin
    perform learn_bands(array_agg(label))
    from dataset cross join unnest(band_labels(band_stats)) label
    where id = any (touched) and not is_deleted and coordinates is not null;

    for next in
        select part.first_id, folded, place, element.*,
               -- Replacing an element writes arrays anew: several of them cost as much as taking the part apart.
               bool_or((place is null) <> (element.id is null)) over one_part
                   or count(place) over one_part > 8 as is_recut
        from unnest(touched) touch (id)
        cross join lateral (select first_id, folded, array_position(ids, touch.id) as place from listing_part
                            where first_id <= touch.id order by first_id desc, folded desc limit 1) part
        left join lateral (select * from listing_element
                           where listing_element.id = touch.id and not is_deleted and coordinates is not null) element on true
        window one_part as (partition by part.first_id)
    loop
        if next.is_recut then
            recut := recut || next.first_id;
        elsif next.place is not null then
            -- A dataset that stays in its part keeps its place. Only the arrays with another value are written. The number
            -- changes in any case, because the service also caches what it has found out about the name.
            update listing_part part set
                folded = newest,
                marks = case when held.mark = next.mark then marks else replaced(marks, next.place, next.mark) end,
                bands = case when held.band = next.band then bands else replaced(bands, next.place, next.band) end,
                owners = case when held.owner = next.owner then owners else replaced(owners, next.place, next.owner) end,
                workspaces = case when held.workspace = next.workspace then workspaces
                                  else replaced(workspaces, next.place, next.workspace) end,
                captured = case when held.time = next.time then captured else replaced(captured, next.place, next.time) end,
                wests = case when held.west = next.west then wests else replaced(wests, next.place, next.west) end,
                souths = case when held.south = next.south then souths else replaced(souths, next.place, next.south) end,
                easts = case when held.east = next.east then easts else replaced(easts, next.place, next.east) end,
                norths = case when held.north = next.north then norths else replaced(norths, next.place, next.north) end
            -- Without "offset 0" the planner reads each array twice.
            from (select marks[next.place] as mark, bands[next.place] as band, owners[next.place] as owner,
                         workspaces[next.place] as workspace, captured[next.place] as time, wests[next.place] as west,
                         souths[next.place] as south, easts[next.place] as east, norths[next.place] as north
                  from listing_part where first_id = next.first_id and folded in (next.folded, newest) offset 0) held
            where part.first_id = next.first_id and part.folded in (next.folded, newest);
        end if;
    end loop;

    with part as materialized (
        select touch.id, part.first_id, part.folded
        from unnest(touched) touch (id)
        cross join lateral (select first_id, folded from listing_part
                            where first_id <= touch.id order by first_id desc, folded desc limit 1) part
        where part.first_id = any (recut)
    ), cut as (
        delete from listing_part using (select distinct first_id, folded from part) old
        where listing_part.first_id = old.first_id and listing_part.folded = old.folded
        returning listing_part.*
    ), element as materialized (
        select cut.first_id, element.* from cut
        cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths)
            element (id, mark, band, owner, workspace, time, west, south, east, north)
        where not exists (select from part where part.id = element.id)
        union all
        select part.first_id, id, mark, band, owner, workspace, time, west, south, east, north
        from part join listing_element using (id)
        where not is_deleted and coordinates is not null
    ), placed as (
        select *, case when count(*) over (partition by first_id) > 1024
                       then (row_number() over (partition by first_id order by id) - 1) / 512 else 0 end as place
        from element
    )
    insert into listing_part
    select case when place = 0 then first_id else min(id) end, newest,
           array_agg(id order by id), array_agg(mark order by id), array_agg(band order by id), array_agg(owner order by id),
           array_agg(workspace order by id), array_agg(time order by id), array_agg(west order by id),
           array_agg(south order by id), array_agg(east order by id), array_agg(north order by id)
    from placed group by first_id, place
    union all
    -- The first part stays when it is empty. The part before takes the range of another one.
    select first_id, newest, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' from cut
    where first_id = -9223372036854775808 and first_id not in (select first_id from element);
end
$$;

-- Compares the parts with the datasets that no pending change names: each dataset has one element, the ids ascend within the
-- range of their part, and each array has the values of the dataset. A row names a dataset, and in key the arrays that are wrong.
create function wrong_parts() returns table (key text, id bigint, ranked bigint, counted bigint)
language sql stable set search_path from current as $$
    with part as (
        select *, lead(first_id) over (order by first_id) as next_id from listing_part
    ), held as materialized (
        select first_id, next_id, element.*, lag(element.id) over (order by first_id, place) as before
        from part cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths)
            with ordinality element (id, mark, band, owner, workspace, time, west, south, east, north, place)
    ), pending as materialized (
        select distinct id from listing_change where no >= (select max(pending_from) from rank)
    )
    select 'first_id', min(first_id), count(*), 1 from listing_part
    having coalesce(min(first_id), 0) <> -9223372036854775808 or count(*) <> count(distinct first_id)
    union all
    select 'ids', id, count(*) over (partition by id), 1 from held
    where id is null or id < first_id or id >= next_id or id <= before
    union all
    select concat_ws(', ', case when element.id is null or held.id is null then 'ids' end,
                     case when held.mark is distinct from element.mark then 'marks' end,
                     case when held.band is distinct from element.band then 'bands' end,
                     case when held.owner is distinct from element.owner then 'owners' end,
                     case when held.workspace is distinct from element.workspace then 'workspaces' end,
                     case when held.time is distinct from element.time then 'captured' end,
                     case when held.west is distinct from element.west then 'wests' end,
                     case when held.south is distinct from element.south then 'souths' end,
                     case when held.east is distinct from element.east then 'easts' end,
                     case when held.north is distinct from element.north then 'norths' end),
           coalesce(held.id, element.id), count(held.id) over same, count(element.id) over same
    from (select * from held where id is not null and not exists (select from pending where pending.id = held.id)) held
    full join (select * from listing_element
               where not is_deleted and coordinates is not null
                   and not exists (select from pending where pending.id = listing_element.id)) element
        on element.id = held.id
    where (held.id, held.mark, held.band, held.owner, held.workspace, held.time,
           held.west, held.south, held.east, held.north)
        is distinct from (element.id, element.mark, element.band, element.owner, element.workspace, element.time,
                          element.west, element.south, element.east, element.north)
    window same as (partition by coalesce(held.id, element.id))
$$;

-- The functions of V4 that keep and check the ranks do the same for the parts: these replace them.

-- Merges all pending changes into all ranks and parts, deletes them and returns their number. The caller has locked rank in share
-- row exclusive mode, and sees the changes and the datasets of one snapshot. decided is as for fold_listing_changes.
create or replace function merge_listing_changes(decided bigint default 0) returns bigint
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
        perform fill_parts();
    else
        perform fold_rank(field, first, decided + 1) from rank_fields() field;
        perform fold_parts(first);
    end if;
    delete from listing_change where no >= first;
    return pending;
end
$$;

-- Enables the triggers of dataset and rebuilds all ranks and parts, beside readers and writers. Call it outside of a transaction.
create or replace procedure rebuild_ranks() language plpgsql as $$
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
    perform fill_parts();
    delete from listing_change;
end
$$;

create or replace function empty_ranks() returns trigger language plpgsql set search_path from current as $$
begin
    delete from listing_change;
    perform fill_rank(field) from rank_fields() field;
    perform fill_parts();
    return null;
end
$$;

-- Compares all ranks and pending changes with the count of the datasets, for operators and tests. An empty result means
-- that the ranks are correct. A row names a position where a rank differs.
create or replace function wrong_ranks() returns table (field text, key text, id bigint, ranked bigint, counted bigint)
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
    return query select 'listing_part', wrong.* from wrong_parts() wrong;
end
$$;

-- Says why counts or pages are wrong; null if the ranks contain as many datasets as the table. It counts all datasets.
-- wrong_ranks() compares each position.
create or replace function rank_problem() returns text language sql stable set search_path from current as $$
    select case
        when exists (select from wrong_triggers()) then 'the triggers of dataset do not record all changes'
        when (select count(*) from rank) <> (select count(*) from rank_fields()) then 'a rank has several rows'
        when (select count(distinct (total, folded, pending_from)) from rank) > 1 then 'the ranks differ from one another'
        when ranked <> counted then format('the ranks contain %s public datasets, and the table contains %s', ranked, counted)
        when elements <> listed then format('the columns contain %s datasets, and the table contains %s', elements, listed)
        end
    from (select (select total from rank where field = 'id' order by folded desc limit 1)
                     + (select coalesce(sum(change), 0) from listing_change
                        where no >= (select max(pending_from) from rank)) as ranked,
                 (select count(*) from dataset where not is_deleted and not is_private and coordinates is not null)
                     as counted) counts
    -- Both without the datasets that pending changes name.
    cross join (select (select coalesce(sum(cardinality(ids)), 0) from listing_part) - count(held) as elements,
                       (select count(*) from dataset where not is_deleted and not is_private and coordinates is not null)
                           + (select count(*) from dataset where not is_deleted and is_private and coordinates is not null)
                           - count(listed.id) as listed
                from (select distinct id from listing_change where no >= (select max(pending_from) from rank)) pending
                left join lateral (select array_position(ids, pending.id) as held from listing_part
                                   where first_id <= pending.id order by first_id desc, folded desc limit 1) part on true
                left join dataset listed
                    on listed.id = pending.id and not is_deleted and coordinates is not null) columns
$$;

-- Writes the trigger functions that record pending changes, with a column for each rank.
create or replace function write_trigger_functions() returns void language plpgsql set search_path from current as $$
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
        #variable_conflict use_column
        begin
            if tg_op = 'INSERT' then
                insert into listing_change (change, %1$s)
                select case when is_private then 0 else 1 end, %1$s
                from new_rows where not is_deleted and coordinates is not null;
            elsif tg_op = 'DELETE' then
                insert into listing_change (change, %1$s)
                select case when is_private then 0 else -1 end, %1$s
                from old_rows where not is_deleted and coordinates is not null;
            else
                -- Two changes for a dataset that gets another place in an order, one for a dataset that gets other elements.
                -- A dataset that keeps both needs none.
                insert into listing_change (change, %1$s)
                select side.*
                from (select * from old_rows where not is_deleted and coordinates is not null) old
                full join (select * from new_rows where not is_deleted and coordinates is not null) new on new.id = old.id
                cross join lateral (select (%2$s) is distinct from (%3$s) as moved) place
                cross join lateral (
                    select case when old.is_private then 0 else -1 end, %2$s where moved and old.id is not null
                    union all
                    select case when moved and not new.is_private then 1 else 0 end, %3$s where new.id is not null
                ) side
                where moved or (old.owner_id, old.category, old.available_rasters, old.band_stats, old.bbox, old.coordinates)
                    is distinct from
                    (new.owner_id, new.category, new.available_rasters, new.band_stats, new.bbox, new.coordinates);
            end if;
            if found then
                return null;
            end if;
            -- One change outside of the listings, for the listing version.
            if tg_op = 'DELETE' then
                insert into listing_change (change, %1$s) select 0, %1$s from old_rows limit 1;
            else
                insert into listing_change (change, %1$s) select 0, %1$s from new_rows limit 1;
            end if;
            return null;
        end
        $function$
        $ddl$, columns, olds, news);
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

-- Nobody writes datasets, rebuilds ranks or folds from here on: the parts and the triggers begin together.
do $$
begin
    lock table dataset in share row exclusive mode;
    lock table rank in share row exclusive mode;
    perform write_trigger_functions();
    perform fill_parts();
end
$$;
