-- Columns: what the filters of listings compare, as arrays. The service evaluates filters in them, for counts and pages of any
-- filter. See docs/adr/0029.
--
-- listing_part divides the listed datasets, public and private ones, in the order of ids into parts of at most 1,024 datasets.
-- Its arrays have one element for each dataset. The fold brings them up to date together with the ranks. Until then a pending
-- change names each dataset whose elements may differ, and a reader takes this dataset from the table. Therefore the triggers
-- record the id of each listed dataset that is written, also where no rank changes.

create table listing_part (
    -- The part has the ids from here up to the next part.
    first_id   bigint not null,
    -- The number of the fold that has written the row, see sum_rank. Two rows with equal first_id and number have equal arrays.
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

-- The choices and flags of a dataset as bits: from bit 0 the categories, from bit 13 the rasters, from bit 17 the rasters with
-- statistics, then is_shareable, cant_orthomosaic, is_dem_processing, whether the footprint is an area, and is_private. The class
-- Mark of the service has the same order. Without a subquery the planner inlines the body, which is five times as fast.
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

-- As in V4, and merges the pending changes into the parts.
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

-- As in V4, and rebuilds the parts.
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

-- As in V4, and empties the parts.
create or replace function empty_ranks() returns trigger language plpgsql set search_path from current as $$
begin
    delete from listing_change;
    perform fill_rank(field) from rank_fields() field;
    perform fill_parts();
    return null;
end
$$;

-- Compares the parts with the datasets, except for the ones that pending changes name. An empty result means that they are right.
-- A row names a dataset that stands in the parts with other elements than it has, or another number of times.
create function wrong_parts() returns table (id bigint, elements bigint, datasets bigint)
language sql stable set search_path from current as $$
    with part as (
        select *, lead(first_id) over (order by first_id) as next from listing_part
    ), element as (
        select element.*, element.id >= first_id and (next is null or element.id < next)
               and (element.id > ids[place - 1]) is not false as is_placed
        from part cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths)
            with ordinality element (id, mark, band, owner, workspace, time, west, south, east, north, place)
    )
    select id, count(*) filter (where is_element), count(*) filter (where not is_element)
    from (select id, mark, band, owner, workspace, time, west, south, east, north, is_placed, true as is_element from element
          union all
          select id, mark, band, owner, workspace, time, west, south, east, north, true, false from listing_element
          where not is_deleted and coordinates is not null) side
    where not exists (select from listing_change where listing_change.id = side.id)
    group by id, mark, band, owner, workspace, time, west, south, east, north, is_placed
    having count(*) filter (where is_element) <> count(*) filter (where not is_element)
$$;

-- As in V4, and compares the parts.
alter function wrong_ranks() rename to wrong_positions;
create function wrong_ranks() returns table (field text, key text, id bigint, ranked bigint, counted bigint)
language sql stable set search_path from current as $$
    select * from wrong_positions() union all select 'parts', null, id, elements, datasets from wrong_parts()
$$;

-- As in V4, and counts the elements of the parts.
alter function rank_problem() rename to position_problem;
create function rank_problem() returns text language sql stable set search_path from current as $$
    select coalesce(position_problem(), (
        select format('the columns contain %s datasets, and the table contains %s', elements, datasets)
        from (select (select coalesce(sum(cardinality(ids)), 0) from listing_part)
                         - (select count(array_position(ids, change.id))
                            from (select distinct id from listing_change) change
                            cross join lateral (select ids from listing_part where first_id <= change.id
                                                order by first_id desc limit 1) part) as elements,
                     (select count(*) from dataset where not is_deleted and coordinates is not null
                          and not exists (select from listing_change where listing_change.id = dataset.id)) as datasets) counts
        where elements <> datasets))
$$;

-- As in V4, and records the id of each listed dataset that is written, also of a private one, and where only a column changes
-- that no rank orders. A change of 0 leaves the ranks as they are.
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
        begin
            if tg_op = 'INSERT' then
                insert into listing_change (change, %1$s)
                select case when is_private then 0 else 1 end, %1$s from new_rows
                where not is_deleted and coordinates is not null;
            elsif tg_op = 'DELETE' then
                insert into listing_change (change, %1$s)
                select case when is_private then 0 else -1 end, %1$s from old_rows
                where not is_deleted and coordinates is not null;
            else
                -- A dataset that keeps its place in all orders, and its columns, needs no change: it stands twice in its group.
                insert into listing_change (change, %1$s)
                select sum(change), %1$s
                from (select case when is_private then 0 else -1 end as change, %1$s,
                             category, available_rasters, band_stats, bbox, coordinates
                      from old_rows where not is_deleted and coordinates is not null
                      union all
                      select case when is_private then 0 else 1 end, %1$s,
                             category, available_rasters, band_stats, bbox, coordinates
                      from new_rows where not is_deleted and coordinates is not null) moved
                group by %1$s, category, available_rasters, band_stats, bbox, coordinates having count(*) = 1;
            end if;
            if found then
                return null;
            end if;
            -- One change outside of the listing, for the listing version.
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

do $$
begin
    -- From here on nobody writes datasets, rebuilds ranks or folds, and each statement sees what was committed before.
    lock table dataset in share row exclusive mode;
    lock table rank in share row exclusive mode;
    perform write_trigger_functions();
    perform fill_parts();
    perform merge_listing_changes();
end
$$;
