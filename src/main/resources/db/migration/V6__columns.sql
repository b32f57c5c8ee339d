-- Columns: what the filters of listings compare, as arrays. The service evaluates filters in them, for counts and pages of any
-- filter. See docs/adr/0029.
--
-- listing_part divides the listed datasets, public and private ones (neither deleted nor drafts), in the order of ids into parts of
-- at most 1,024 datasets. The bit 25 of marks says which are private, so that each caller's view is one more filter. Therefore the
-- triggers must record a pending change with the id of EACH listed dataset that is written, also of each private one (a change of 0
-- for the ranks). The arrays have one element for each dataset. The fold brings them up to date together with the ranks. Until then, a pending change names each dataset that
-- differs from its element, and a reader takes this dataset from the table.

create table listing_part (
    -- The part has the ids from here up to the next part.
    first_id   bigint primary key,
    -- The number of the fold that wrote the row, see sum_rank. A part with the same first_id and the same number has the same arrays.
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
    norths     double precision[] not null
);

-- The bits of the array bands. A label gets a bit when the first fold sees it, and keeps it until all parts are rebuilt.
create table band_mark (
    label text collate "C" primary key,
    bit   int not null unique check (bit between 0 and 61)
);

-- The choices and the flags of a dataset as bits: from bit 0 the categories, from bit 13 the rasters, from bit 17 the rasters with
-- statistics, then is_shareable, cant_orthomosaic, is_dem_processing, whether the footprint is an area, and is_private. The class Mark of the
-- service has the same order.
create function marks(category text[], available_rasters text[], band_stats jsonb, is_shareable boolean, cant_orthomosaic boolean,
                      is_dem_processing boolean, footprint box, is_private boolean)
returns int language sql immutable parallel safe
return coalesce((
        select bit_or(1 << place - 1) from unnest(category) chosen join lateral (select array_position(array[
            'Artificial - terrestrial', 'Deep ocean floor', 'Desert', 'Forest', 'Grassland', 'Intertidal', 'Neritic', 'Oceanic',
            'Other', 'Rocky', 'Savanna', 'Shrubland', 'Wetlands'], chosen) as place) known on place is not null), 0)
    | case when available_rasters && array['ortho'] then 1 << 13 else 0 end
    | case when available_rasters && array['dsm'] then 1 << 14 else 0 end
    | case when available_rasters && array['dtm'] then 1 << 15 else 0 end
    | case when available_rasters && array['multispec_ortho'] then 1 << 16 else 0 end
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

-- The array with another element.
create function replaced(elements anyarray, place int, element anyelement) returns anyarray
language plpgsql immutable parallel safe as $$
begin
    elements[place] := element;
    return elements;
end
$$;

-- Rebuilds all parts from the datasets. The caller has brought the row of the rank of id up to date.
create function fill_parts() returns void language plpgsql set search_path from current as $$
begin
    delete from listing_part;
    delete from band_mark;
    perform learn_bands(array_agg(labels.label))
    from (select distinct unnest(band_labels(band_stats)) as label from dataset
          where not is_deleted and coordinates is not null
              and band_stats -> 'multispec_ortho' <> '{}') labels;
    insert into listing_part
    select case when place = 0 then -9223372036854775808 else min(id) end, (select max(folded) from rank where field = 'id'),
           array_agg(id order by id), array_agg(mark order by id), array_agg(band order by id), array_agg(owner order by id),
           array_agg(workspace order by id), array_agg(time order by id), array_agg(west order by id),
           array_agg(south order by id), array_agg(east order by id), array_agg(north order by id)
    from (select (row_number() over (order by id) - 1) / 512 as place, *
          from listing_element where not is_deleted and coordinates is not null) element
    group by place;
    -- A reader finds a part for each id.
    insert into listing_part
    select -9223372036854775808, (select max(folded) from rank where field = 'id'), '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'
    where not exists (select from listing_part);
end
$$;

-- Merges the pending changes into the parts: replaces the elements of the datasets that they name by those of the snapshot, and
-- divides parts of more than 1,024 elements. The caller has brought the row of the rank of id up to date.
create function fold_parts(first bigint) returns void language plpgsql set search_path from current as $$
declare
    touched bigint[];
    recut bigint[];
    next record;
begin
    select array_agg(distinct id) into touched from listing_change where no >= first;
    perform learn_bands(array_agg(label))
    from dataset cross join unnest(band_labels(band_stats)) label
    where id = any (touched) and not is_deleted and coordinates is not null;

    -- A dataset that stays in its part has its place in the arrays. Only the arrays with another value are written.
    for next in
        select part.first_id, array_position(ids, touch.id) as place, element.*
        from unnest(touched) touch (id)
        cross join lateral (select * from listing_part where first_id <= touch.id order by first_id desc limit 1) part
        left join lateral (select * from listing_element element
                           where element.id = touch.id and not is_deleted and coordinates is not null) element on true
        order by part.first_id
    loop
        if (next.place is null) <> (next.id is null) then
            recut := recut || next.first_id;
        elsif next.place is not null and next.first_id <> all (coalesce(recut, '{}')) then
            update listing_part set
                folded = (select max(rank.folded) from rank where field = 'id'),
                marks = case when marks[next.place] = next.mark then marks else replaced(marks, next.place, next.mark) end,
                bands = case when bands[next.place] = next.band then bands else replaced(bands, next.place, next.band) end,
                owners = case when owners[next.place] = next.owner then owners else replaced(owners, next.place, next.owner) end,
                workspaces = case when workspaces[next.place] = next.workspace then workspaces else replaced(workspaces, next.place, next.workspace) end,
                captured = case when captured[next.place] = next.time then captured else replaced(captured, next.place, next.time) end,
                wests = case when wests[next.place] = next.west then wests else replaced(wests, next.place, next.west) end,
                souths = case when souths[next.place] = next.south then souths else replaced(souths, next.place, next.south) end,
                easts = case when easts[next.place] = next.east then easts else replaced(easts, next.place, next.east) end,
                norths = case when norths[next.place] = next.north then norths else replaced(norths, next.place, next.north) end
            where first_id = next.first_id;
        end if;
    end loop;

    with part as materialized (
        select id, (select first_id from listing_part where first_id <= id order by first_id desc limit 1) as first_id
        from unnest(touched) id
    ), cut as (
        delete from listing_part where first_id = any (recut) returning *
    ), element as materialized (
        select cut.first_id, element.* from cut
        cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths)
            element (id, mark, band, owner, workspace, time, west, south, east, north)
        where not exists (select from part where part.id = element.id)
        union all
        select part.first_id, id, mark, band, owner, workspace, time, west, south, east, north
        from part join listing_element using (id)
        where part.first_id = any (recut) and not is_deleted and coordinates is not null
    ), placed as (
        select *, case when count(*) over (partition by first_id) > 1024
                       then (row_number() over (partition by first_id order by id) - 1) / 512 else 0 end as place
        from element
    ), newest as (
        select max(folded) as folded from rank where field = 'id'
    )
    insert into listing_part
    select case when place = 0 then first_id else min(id) end, folded,
           array_agg(id order by id), array_agg(mark order by id), array_agg(band order by id), array_agg(owner order by id),
           array_agg(workspace order by id), array_agg(time order by id), array_agg(west order by id),
           array_agg(south order by id), array_agg(east order by id), array_agg(north order by id)
    from placed cross join newest group by first_id, place, folded
    union all
    -- The first part stays when it is empty.
    select first_id, newest.folded, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' from cut cross join newest
    where first_id = -9223372036854775808 and first_id not in (select first_id from element);
end
$$;
