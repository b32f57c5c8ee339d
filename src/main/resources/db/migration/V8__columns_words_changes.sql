-- What the service keeps of the listed datasets beside the ranks: columns, words and the feed of changes, with the functions that
-- fill, fold and check each of them. Nothing uses them before V9. What waits: pages and writes, for milliseconds.

-- In the order of a write, which locks listing_change after dataset: otherwise both could wait for each other.
lock table dataset in share row exclusive mode;

-- Columns: what the filters of listings compare, as arrays (docs/adr/0029). A row has at most 1,024 listed datasets, public and
-- private ones (neither deleted nor drafts), in the order of ids; the arrays have one element for each of them. The fold brings
-- them up to date. Until then, a pending change names each dataset that differs, and a reader takes this one from the table.
create table listing_part (
    first_id bigint not null, -- the part has the ids from here up to the next part
    folded bigint not null, -- the fold that wrote the row, see sum_rank: rows with equal first_id and folded have the same arrays
    ids bigint[] not null, marks int[] not null, bands bigint[] not null, -- see listing_element
    owners bigint[] not null, workspaces bigint[] not null, captured bigint[] not null, -- microseconds since 1970
    wests double precision[] not null, souths double precision[] not null, -- degrees: the edges of the footprint
    easts double precision[] not null, norths double precision[] not null,
    gsds double precision[] not null, -- metres, see raster_gsd; 0: not known
    primary key (first_id, folded) -- the newest version of a row is the last one of its first_id: see the table rank
) with (toast_tuple_target = 128); -- the arrays stay outside of the row, so that a list of the parts reads few pages

-- The last fold of the parts, which may be later than the last fold of the ranks: after many changes at once, the columns are
-- folded at short intervals and alone (docs/adr/0036). The newest row is the last one: see rank.
create table part_fold (
    folded bigint primary key, -- as listing_part.folded; see listing_change.is_counted for the listing version
    pending_from bigint not null -- the parts contain all changes with lower numbers
);

-- Which datasets each of the last folds of the parts has merged: the service keeps what a text search has found, and asks again
-- only for these (docs/adr/0038).
create table part_change (
    folded bigint primary key, -- as part_fold.folded
    previous bigint not null, -- the fold before it. If that one has no row, it is not known what has changed
    ids bigint[], -- null for more than 500 datasets
    texts bigint[] -- those of them that are new or have another text, see listing_change.has_text; null for more than 500
);

alter table listing_change
    -- Whether the update changed no value of a rank, a part or a name: its part only gets another number.
    add column is_equal boolean not null default false,
    -- Whether the parts contain the change although its number is not below part_fold.pending_from.
    add column in_parts boolean not null default false,
    -- Whether a search of texts may answer otherwise for the dataset than before: it is new, or a text has changed.
    add column has_text boolean not null default true,
    -- Whether the listing version counts the change: one change of each statement, so that a statement for half of the datasets
    -- does not make each request count its changes.
    add column is_counted boolean not null default true;
-- A statement that looks for no + 0 cannot use the primary key, which has all changes.
create index listing_change_counted_idx on listing_change ((no + 0)) where is_counted;

-- The bits of the array bands. A label gets a bit when the first fold sees it, and keeps it until all parts are rebuilt.
create table band_mark (label text collate "C" primary key, bit int not null unique check (bit between 0 and 61));

-- The element of each listed dataset. Its marks are choices and flags, in the order of the class Mark of the service: categories,
-- rasters, rasters with statistics, flags, whether the footprint is an area, privacy, whether the geometry is a point elsewhere
-- (see V3). Bit 62 of the bands stands for all labels without a bit.
create view listing_element as
select id,
       ('Artificial - terrestrial' = any (category))::int
       | (('Deep ocean floor' = any (category))::int << 1) | (('Desert' = any (category))::int << 2)
       | (('Forest' = any (category))::int << 3) | (('Grassland' = any (category))::int << 4)
       | (('Intertidal' = any (category))::int << 5) | (('Neritic' = any (category))::int << 6)
       | (('Oceanic' = any (category))::int << 7) | (('Other' = any (category))::int << 8)
       | (('Rocky' = any (category))::int << 9) | (('Savanna' = any (category))::int << 10)
       | (('Shrubland' = any (category))::int << 11) | (('Wetlands' = any (category))::int << 12)
       | (('ortho' = any (available_rasters))::int << 13) | (('dsm' = any (available_rasters))::int << 14)
       | (('dtm' = any (available_rasters))::int << 15) | (('multispec_ortho' = any (available_rasters))::int << 16)
       | ((band_stats -> 'ortho' <> '{}')::int << 17) | ((band_stats -> 'dsm' <> '{}')::int << 18)
       | ((band_stats -> 'dtm' <> '{}')::int << 19) | (coalesce(band_stats -> 'multispec_ortho' <> '{}', false)::int << 20)
       | (is_shareable::int << 21) | (cant_orthomosaic::int << 22) | (is_dem_processing::int << 23)
       | (((footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1])::int << 24) | (is_private::int << 25)
       | ((((footprint[0])[0] = (footprint[1])[0] or (footprint[0])[1] = (footprint[1])[1])
           and ((footprint[0])[0], (footprint[0])[1], (footprint[1])[0], (footprint[1])[1])
               <> (coordinates[2], coordinates[1], coordinates[2], coordinates[1]))::int << 26) as mark,
       case when band_stats -> 'multispec_ortho' <> '{}'
            then coalesce((select bit_or(1::bigint << coalesce(bit, 62))
                           from unnest(band_labels(band_stats)) label left join band_mark using (label)), 0) else 0 end as band,
       owner_id as owner, workspace, (extract(epoch from captured_date) * 1000000)::bigint as time,
       (footprint[1])[0] as west, (footprint[1])[1] as south, (footprint[0])[0] as east, (footprint[0])[1] as north,
       coalesce(raster_gsd(raster_headers), 0) as gsd
from dataset where not is_deleted and coordinates is not null;

-- Gives bits to labels of bands that have none, as long as bits are left.
create function learn_bands(labels text[]) returns void language sql set search_path from current as $$
    insert into band_mark (label, bit)
    select label, (select count(*) from band_mark) + row_number() over (order by label) - 1
    from (select distinct unnest(labels) as label) seen
    where label is not null and not exists (select from band_mark known where known.label = seen.label)
    order by label limit 62 - (select count(*) from band_mark)
$$;

-- The array with this element at a place. An equal array is the stored one, which an update does not write again.
create function replaced(elements anyarray, place int, element anyelement) returns anyarray language sql immutable parallel safe
as 'select case when elements[place] = element then elements else elements[:place - 1] || element || elements[place + 1:] end';

-- Begins a fold of the parts, and returns its number: see sum_rank. No other fold of parts runs until the transaction ends.
create function next_part_fold() returns bigint language plpgsql set search_path from current as $$
declare number bigint;
begin
    perform pg_advisory_xact_lock('part_fold'::regclass::oid::int, 0);
    update part_fold
    set folded = greatest(folded + 1, (extract(epoch from now() - timestamptz '2020-01-01 00:00:00Z') * 10)::bigint)
    where folded = (select max(folded) from part_fold) returning folded into strict number;
    return number;
end $$;

-- Writes parts anew: the datasets that changes name get the elements of the snapshot, and a part with too many datasets becomes
-- several ones. The part before takes the range of a part without datasets. The first part stays: a reader finds a part for each
-- id. All datasets of a large catalogue are joined and sorted in memory.
create function write_parts(recut bigint[], touched bigint[], newest bigint) returns void
language plpgsql set search_path from current set work_mem = '64MB' as $$
declare first_ids constant bigint[] := array(select distinct first_id from listing_part order by first_id);
begin
    with part as materialized (
        select id, first_ids[width_bucket(id, first_ids)] as first_id from unnest(touched) id
    ), cut as (
        delete from listing_part where first_id = any (recut) returning *
    ), element as materialized (
        select cut.first_id, element.* from cut
        cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths, gsds)
            element (id, mark, band, owner, workspace, time, west, south, east, north, gsd)
        where not exists (select from part where part.id = element.id)
        union all
        select part.first_id, listing_element.* from part join listing_element using (id) where first_id = any (recut)
    ), placed as (
        select *, case when count(*) over (partition by first_id) > 1024
                       then (row_number() over (partition by first_id order by id) - 1) / 512 else 0 end as place
        from element
    )
    insert into listing_part
    select case when place = 0 then first_id else min(id) end, newest, array_agg(id), array_agg(mark), array_agg(band),
           array_agg(owner), array_agg(workspace), array_agg(time), array_agg(west), array_agg(south), array_agg(east),
           array_agg(north), array_agg(gsd)
    from (select * from placed order by first_id, place, id) placed group by first_id, place
    union all
    select first_id, newest, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' from cut
    where first_id = -9223372036854775808 and first_id not in (select first_id from element);
end $$;

-- Rebuilds all parts from the datasets.
create function fill_parts() returns void language plpgsql set search_path from current as $$
begin
    delete from listing_part;
    delete from band_mark;
    perform learn_bands(array_agg(seen.label)) from (
        select distinct unnest(band_labels(band_stats)) as label from dataset
        where not is_deleted and coordinates is not null and band_stats -> 'multispec_ortho' <> '{}') seen;
    insert into listing_part values (-9223372036854775808, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}');
    perform write_parts('{-9223372036854775808}', array(select id from listing_element), next_part_fold());
end $$;

-- Merges the changes that the parts lack into the parts. decided is as for fold_listing_changes.
create function merge_part_changes(decided bigint) returns void language plpgsql set search_path from current as $$
declare first constant bigint := (select pending_from from part_fold order by folded desc limit 1);
    before constant bigint := (select max(folded) from part_fold);
    newest constant bigint := next_part_fold();
    first_ids constant bigint[] := array(select distinct first_id from listing_part order by first_id);
    touched constant bigint[] := array( -- In the order of the table, so that many are read one after another.
        select distinct id from listing_change where no >= first and not is_equal and not in_parts order by id);
    -- Replacing an element writes arrays anew: several of them cost as much as writing the part anew.
    recut bigint[] := array(
        select first_ids[place] from unnest(touched) id cross join width_bucket(id, first_ids) place
        group by place having count(*) > 8 or cardinality(touched) > 5000);
    next record;
begin
    perform learn_bands(array_agg(seen.label)) from (
        select distinct unnest(band_labels(band_stats)) as label from dataset
        where id = any (touched) and not is_deleted and coordinates is not null
            and band_stats -> 'multispec_ortho' <> '{}') seen;
    for next in
        select part.first_id, folded, array_position(ids, touch) as place, element.*
        from unnest(case when cardinality(touched) <= 5000 then touched end) touch
        cross join width_bucket(touch, first_ids) bucket
        cross join lateral (select * from listing_part where first_id = first_ids[bucket] order by folded desc limit 1) part
        left join listing_element element on element.id = touch
        where first_ids[bucket] <> all (recut)
    loop
        if (next.place is null) <> (next.id is null) then
            recut := recut || next.first_id;
        elsif next.place is not null then -- A dataset that stays in its part keeps its place.
            update listing_part set
                folded = newest, marks = replaced(marks, next.place, next.mark), bands = replaced(bands, next.place, next.band),
                owners = replaced(owners, next.place, next.owner), workspaces = replaced(workspaces, next.place, next.workspace),
                captured = replaced(captured, next.place, next.time), wests = replaced(wests, next.place, next.west),
                souths = replaced(souths, next.place, next.south), easts = replaced(easts, next.place, next.east),
                norths = replaced(norths, next.place, next.north), gsds = replaced(gsds, next.place, next.gsd)
            where first_id = next.first_id and folded in (next.folded, newest);
        end if;
    end loop;
    if recut <> '{}' then perform write_parts(recut, touched, newest); end if;
    -- The number changes in any case: the service also caches what it has found out about names and other values.
    update listing_part set folded = newest
    from (select distinct first_ids[width_bucket(id, first_ids)] as first_id from listing_change
          where no >= first and is_equal and not in_parts) equal
    where listing_part.first_id = equal.first_id and folded <> newest;
    delete from part_change where folded < before - 3000; -- those of five minutes stay
    insert into part_change
    select newest, before, case when cardinality(ids) <= 500 then ids end, case when cardinality(texts) <= 500 then texts end
    from (select coalesce(array_agg(distinct id), '{}') as ids,
                 coalesce(array_agg(distinct id) filter (where has_text), '{}') as texts
          from listing_change where no >= first and not in_parts) merged;
    update part_fold set pending_from = greatest(pending_from, decided + 1) where folded = newest;
end $$;

-- Compares the parts with the datasets that no pending change names: each dataset has one element, with its values, and the ids
-- ascend within the range of their part. A row names a dataset, and in key values that only the parts or only the table have.
create function wrong_parts() returns table (key text, id bigint, ranked bigint, counted bigint)
language sql stable set search_path from current as $$
    with held as materialized (
        select first_id, next_id, element.*, lag(element.id) over (order by first_id, place) as before
        from (select *, lead(first_id) over (order by first_id) as next_id from listing_part) part
        cross join unnest(ids, marks, bands, owners, workspaces, captured, wests, souths, easts, norths, gsds)
            with ordinality element (id, mark, band, owner, workspace, time, west, south, east, north, gsd, place)
    ), pending as materialized (
        select distinct id from listing_change where no >= (select max(pending_from) from part_fold) and not in_parts
    )
    select 'first_id', min(first_id), count(*), 1 from listing_part
    having coalesce(min(first_id), 0) <> -9223372036854775808 or count(*) <> count(distinct first_id)
    union all
    select 'ids', id, 1, 1 from held where id is null or id < first_id or id >= next_id or id <= before
    union all
    select concat_ws(' ', 'mark', mark, 'band', band, 'owner', owner, 'workspace', workspace, 'captured', time,
                     'box', west, south, east, north, 'gsd', gsd), id, sum(held), sum(1 - held)
    from (select id, mark, band, owner, workspace, time, west, south, east, north, gsd, 1 as held from held
          union all
          select id, mark, band, owner, workspace, time, west, south, east, north, gsd, 0 from listing_element) each
    where not exists (select from pending where pending.id = each.id)
    group by id, mark, band, owner, workspace, time, west, south, east, north, gsd having sum(held) <> 1 or count(*) <> 2
$$;

-- The words of the names of public datasets, for suggestions, with their exact number as of the last fold: what all callers share
-- must not depend on datasets that a caller does not see. Pending changes name each name that came to the public listing or left
-- it, so that a fold reads no dataset for its words.
create table search_word (
    word text collate "C" primary key, -- as search_words has it, with a letter: a number leads to no similar name
    written text not null, -- as the first dataset has written it
    uses bigint not null, -- 0: the tombstone of a word, which tells the service to forget it
    no bigint not null -- the fold that has changed the word last
);
create index search_word_no_idx on search_word (no);
create index search_word_gone_idx on search_word (no) where uses = 0;
-- A reader that has read the words up to a lower number has missed tombstones.
create table search_word_floor (no bigint not null default 0, only_row boolean primary key default true check (only_row));
insert into search_word_floor default values;

-- How many names have each word, in the form of a name that has it; a part that is no word, or only a number, has no row. A name
-- counts as often as the number beside it says, or once without numbers. The numbers may be negative: so many names have the word
-- no more. The planner must not expect that arrays of 70,000 names and of two are alike.
create function count_words(names text[], counts bigint[]) returns table (word text, written text, uses bigint)
language sql stable set search_path from current set plan_cache_mode = force_custom_plan as $$
    with parts as materialized ( -- divided as search_words does
        select part, sum(coalesce(named.count, 1)) as count from unnest(names, counts) named (name, count)
        cross join regexp_split_to_table(normalize(name, NFC) collate "und-x-icu", '[^[:alnum:]\u0300-\u036f\u064b-\u065f]+') part
        group by part having sum(coalesce(named.count, 1)) <> 0
    )
    select words[1], coalesce(min(part) filter (where count > 0), min(part)), sum(count)::bigint
    from parts cross join lateral (select search_words(part) as words offset 0) folded
    where cardinality(words) = 1 and words[1] collate "und-x-icu" ~ '[[:alpha:]]' and length(words[1]) between 2 and 40
    group by words[1] having sum(count) <> 0
$$;

-- Merges the names of pending changes; with null, replaces all words by those of the names as of the last fold, while no fold
-- runs. The caller has brought the row of the rank of id up to date. Tombstones stay for an hour.
create function merge_words(first bigint) returns void
language plpgsql set search_path from current set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare newest bigint; folded_before bigint; names text[]; counts bigint[];
begin
    select folded, coalesce(first, pending_from) into newest, folded_before
    from rank where field = 'id' order by folded desc limit 1;
    if first is null then
        delete from search_word;
        update search_word_floor set no = newest;
    end if;
    -- One statement reads names and changes, so that writes may go on: it sees each dataset with its change.
    select array_agg(name), array_agg(count::bigint) into names, counts
    from (select dataset_name as name, sum(change) as count
          from (select dataset_name, case when first is null then -change else change end as change
                from listing_change where no >= folded_before and change <> 0
                union all
                select dataset_name, count(*) from dataset
                where first is null and not is_deleted and not is_private and coordinates is not null
                group by dataset_name) counted
          group by dataset_name having sum(change) <> 0) named;
    with changed as materialized (
        select word, written, uses from count_words(names, counts)
    ), fewer as (
        update search_word known set uses = greatest(known.uses + changed.uses, 0), no = newest
        from changed where changed.uses < 0 and known.word = changed.word and known.uses > 0
    )
    insert into search_word as known (word, written, uses, no)
    select word, written, uses, newest from changed where uses > 0 order by word collate "C"
    on conflict (word) do update set uses = known.uses + excluded.uses, no = excluded.no,
        written = case when known.uses > 0 then known.written else excluded.written end;
    with gone as (delete from search_word where uses = 0 and no < newest - 36000 returning no)
    update search_word_floor set no = greatest(search_word_floor.no, last.no)
    from (select max(no) as no from gone) last where last.no is not null;
end $$;

-- The feed of changes, for programs that keep a copy: which datasets have changed since a fold (docs/adr/0030). There is one row
-- for each dataset and audience that sees or has seen it. The fold that merges a change of the dataset gives its rows the number
-- of the fold: the numbers ascend in the order in which changes are merged, whatever their transactions do. The fold commits
-- synchronously: a change that has a number is durable. The feed leaves the dataset of a pending change out until the next fold.
create table dataset_change (
    id bigint not null,
    audience bigint not null, -- the callers that see the dataset: -1 for all, or the owner of a private dataset; admins see all
    folded bigint not null, -- the fold that has merged the last change: tenths of a second after 2020, see sum_rank
    hash bigint, -- see change_hash; null: the audience does not see the dataset any more
    uav_uid uuid not null,
    primary key (id, audience)
);
create index dataset_change_folded_idx on dataset_change (folded, id, audience);
-- Tombstones up to this number may be deleted: a position of the audience before it is no longer valid. Earlier changes have no
-- tombstones. The row of all callers counts for each audience.
create table change_floor (audience bigint primary key, folded bigint not null);

-- The first 64 bits of the SHA-256 of "{id}:{version}-{microseconds}". A copy of the catalogue computes the same.
create function change_hash(id bigint, version bigint, updated_at timestamptz) returns bigint
language sql immutable parallel safe strict
return ('x' || left(encode(sha256(convert_to(id || ':' || version || '-' || (extract(epoch from updated_at) * 1000000)::bigint,
                                             'UTF8')), 'hex'), 16))::bit(64)::bigint;

-- Each listed dataset as the feed has it.
create view seen_dataset as
select id, case when is_private then owner_id else -1 end as audience, change_hash(id, version, updated_at) as hash, uav_uid,
       updated_at
from dataset where not is_deleted and coordinates is not null;

-- An epoch is a server whose changes are one history: see current_server(). A standby that takes over, and a restored
-- dump, may lack the last folds of the epoch before. A position of that epoch is valid up to where the new one began.
create table listing_epoch (
    no bigint generated always as identity primary key, id uuid not null default gen_random_uuid() unique, server text not null,
    began bigint not null, -- the number of the last fold of the epoch before that this server has
    at timestamptz not null default now()
);

-- The cluster, the table of the changes, and the timeline that the cluster writes. A standby has no timeline. A restored dump has
-- another table, also in the same cluster.
create function current_server() returns text language sql stable
return (select concat_ws('-', system_identifier, (select oid from pg_database where datname = current_database()),
                         'dataset_change'::regclass::oid) from pg_control_system())
    || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8);

-- Begins an epoch if this server has none. It precedes the first fold of the server.
create function begin_epoch() returns void language sql set search_path from current as $$
    insert into listing_epoch (server, began)
    select current_server(), (select folded from rank where field = 'id' order by folded desc limit 1)
    where current_server() is distinct from (select server from listing_epoch order by no desc limit 1)
$$;

-- For the filter updated_since, the folds that merged a change long after its updated_at. This is the start of a transaction: if
-- the transaction commits late, a client that asked meanwhile has not seen the change, and asks next for times after updated_at.
-- A row without a use is deleted: folded and oldest both ascend.
create table late_fold (
    folded bigint primary key, oldest timestamptz not null -- the least updated_at of this fold and of all later ones
);

-- The time of the number of a fold, see sum_rank.
create function fold_time(folded bigint) returns timestamptz language sql immutable parallel safe strict
return timestamptz '2020-01-01 00:00:00Z' + folded * interval '0.1 seconds';

-- Keeps the oldest updated_at of a fold if it is late, in at most 10,000 rows. Without the first row, its updated_at counts for
-- the second one: a client finds more than it needs, and misses nothing.
create function record_late_fold(folded bigint, oldest timestamptz) returns void
language plpgsql set search_path from current as $$
#variable_conflict use_column
begin
    if oldest is null or oldest >= fold_time(folded) - interval '5 seconds' then return; end if;
    delete from late_fold where oldest >= record_late_fold.oldest;
    insert into late_fold values (record_late_fold.folded, record_late_fold.oldest) on conflict do nothing;
    if (select count(*) from late_fold) > 10000 then
        update late_fold set oldest = (select min(first.oldest) from late_fold first)
        where late_fold.folded = (select second.folded from late_fold second order by folded offset 1 limit 1);
        delete from late_fold where folded = (select min(first.folded) from late_fold first);
    end if;
end $$;

-- A time that is not after the updated_at of any dataset that became visible at a time or later (docs/adr/0030). A change that no
-- fold has merged counts by itself.
create function visible_since(since timestamptz) returns timestamptz
language plpgsql stable parallel safe set search_path from current as $$
declare earlier constant timestamptz := since - interval '4 seconds';
begin
    return least(since - interval '10 seconds',
        (select oldest from late_fold
         where folded >= floor(extract(epoch from earlier - timestamptz '2020-01-01 00:00:00Z') * 10) order by folded limit 1),
        (select min(updated_at) from dataset where earlier <= now() and id in (
             select id from listing_change
             where no >= (select pending_from from rank where field = 'id' order by folded desc limit 1))));
end $$;

-- Gives the datasets that the pending changes name the number of the fold; with null all datasets whose rows are not up to date.
-- The caller has brought the row of the rank of id up to date, and sees the changes and the datasets of one snapshot. The planner
-- knows the length of an array, and reads a few datasets by their ids.
create function fold_changes(first bigint) returns void
language plpgsql set search_path from current set plan_cache_mode = force_custom_plan as $$
declare newest constant bigint := (select folded from rank where field = 'id' order by folded desc limit 1);
    touched constant bigint[] := case
        when first is null then array(select id from dataset union select id from dataset_change where hash is not null)
        else array(select distinct id from listing_change where no >= first) end;
    oldest timestamptz;
begin
    with present as materialized (
        select seen_dataset.* from unnest(touched) touch (id) join seen_dataset using (id)
    ), gone as (
        update dataset_change change set folded = newest, hash = null from unnest(touched) touch (id)
        where change.id = touch.id and hash is not null
            and not exists (select from present where present.id = change.id and present.audience = change.audience)
    ), written as (
        insert into dataset_change as change (id, audience, folded, hash, uav_uid)
        select id, audience, newest, hash, uav_uid from present
        on conflict (id, audience) do update set folded = excluded.folded, hash = excluded.hash, uav_uid = excluded.uav_uid
        where (change.hash, change.uav_uid) is distinct from (excluded.hash, excluded.uav_uid) returning id
    )
    select min(updated_at) into oldest from present where id in (select id from written);
    -- A tombstone for each audience that may have seen a dataset in a pending change and does not see it now: pages and exports
    -- show a change before its fold.
    insert into dataset_change as change (id, audience, folded, hash, uav_uid)
    select distinct on (id, audience) id, audience, newest, null::bigint, uav_uid
    from (select id, uav_uid, no, case when is_private then (select account.id from account where username = owner_name)
                                       else -1 end as audience
          from listing_change where no >= coalesce(first, 0) and not is_equal and (is_private or change <> 0)) seen
    -- A subquery for each row, and no join: a fold of a few changes must not read all datasets.
    where audience is not null
        and (select hash from dataset_change present where present.id = seen.id and present.audience = seen.audience) is null
    order by id, audience, no desc
    on conflict (id, audience) do update set folded = excluded.folded
    where change.hash is null and change.folded <> excluded.folded;
    perform record_late_fold(newest, oldest);
end $$;

-- Deletes the tombstones from before a time, and returns their number.
create function forget_changes(before timestamptz) returns bigint language sql set search_path from current as $$
    with gone as (
        delete from dataset_change
        where hash is null and folded < extract(epoch from before - timestamptz '2020-01-01 00:00:00Z') * 10
        returning audience, folded
    ), raised as (
        insert into change_floor as floor select audience, max(folded) from gone group by audience
        on conflict (audience) do update set folded = greatest(floor.folded, excluded.folded)
    )
    select count(*) from gone
$$;

-- Compares the feed with the datasets that no pending change names. A row names a dataset, an audience, and in key a hash that
-- only the feed or only the table has.
create function wrong_changes() returns table (key text, id bigint, ranked bigint, counted bigint)
language sql stable set search_path from current as $$
    with pending as materialized (
        select distinct id from listing_change where no >= (select max(pending_from) from rank)
    )
    select concat_ws(' ', 'audience', audience, 'hash', hash), id, sum(fed), sum(1 - fed)
    from (select id, audience, hash, 1 as fed from dataset_change where hash is not null
          union all
          select id, audience, hash, 0 from seen_dataset) each
    where not exists (select from pending where pending.id = each.id)
    group by id, audience, hash having count(*) <> 2
$$;

-- Stored exports of the public datasets (docs/adr/0043). The row is there before the snapshot of its files.
create table stored_export (
    version text primary key, -- part of the addresses of the files
    server text not null default current_server(), -- another one numbers transactions otherwise, or may have lost some
    snapshot pg_snapshot not null default pg_current_snapshot(),
    listing bigint not null, -- the listing version in this snapshot
    begun timestamptz not null default clock_timestamp(),
    made timestamptz, -- null until the files are complete
    bytes bigint[] -- of each file
);

-- The transactions in which a dataset has left the public listing, or the name of an owner has been erased. An export whose
-- snapshot does not have one of them still shows what has left.
create table public_departure (xid xid8 primary key);

create function withdraw_exports() returns void language sql set search_path from current as $$
    insert into public_departure values (pg_current_xact_id()) on conflict do nothing
$$;

create function record_departure() returns trigger language plpgsql set search_path from current as $$
begin
    perform withdraw_exports();
    return null;
end $$;

-- For rows, so that the condition decides without a call, and "always", so that they also run for replicated changes.
create trigger dataset_departures_are_recorded after update on dataset for each row
    when (not old.is_deleted and not old.is_private and old.coordinates is not null
          and (new.is_deleted or new.is_private or new.coordinates is null))
    execute function record_departure();
create trigger dataset_public_deletes_are_recorded after delete on dataset for each row
    when (not old.is_deleted and not old.is_private and old.coordinates is not null) execute function record_departure();
alter table dataset enable always trigger dataset_departures_are_recorded;
alter table dataset enable always trigger dataset_public_deletes_are_recorded;

-- The place of a point of the map on the Hilbert curve over the world, whose steps are 600 m wide: datasets with neighbouring
-- places lie near each other.
create function curve_place(place point) returns bigint
language plpgsql immutable parallel safe strict set search_path from current as $$
declare
    x bigint := greatest(0, least(65535, floor((place[0] + 180) / 360 * 65536)));
    y bigint := greatest(0, least(65535, floor((place[1] + 90) / 180 * 65536)));
    last bigint; side bigint := 32768; passed bigint := 0;
begin
    while side > 0 loop
        if y & side <> 0 then
            passed := passed + side * side * case when x & side = 0 then 1 else 2 end;
        else -- The curve enters these quarters from another side.
            last := x;
            if x & side = 0 then
                x := y; y := last;
            else
                passed := passed + 3 * side * side;
                x := 65535 - y; y := 65535 - last;
            end if;
        end if;
        side := side / 2;
    end loop;
    return passed;
end $$;
