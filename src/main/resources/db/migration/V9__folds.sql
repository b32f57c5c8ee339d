-- From here on, the folds and the triggers keep columns, words and the feed up to date.
-- What waits, for a million datasets: folds of 1.0 for 23 s, and writers for the last 16 s of these.

-- No fold runs from here on. The words come first, because writes go on meanwhile.
lock table rank in share row exclusive mode;
insert into part_fold select folded, pending_from from rank where field = 'id' order by folded desc limit 1;
insert into change_floor select -1, folded from part_fold;
do $$ begin perform merge_words(null); end $$;

-- Begins a fold of the ranks or of the parts, and returns whether this succeeds at once: it does not while another session folds,
-- rebuilds or creates a rank. The lock of the table is one that no autovacuum of the table has to wait for.
create function lock_for_fold(state regclass) returns boolean language plpgsql set search_path from current as $$
begin
    execute format('lock table %s in row exclusive mode nowait', state);
    return pg_try_advisory_xact_lock(state::oid::int, 0);
exception when lock_not_available then
    return false;
end $$;

-- Merges many pending changes into one rank. Rebuilding it takes less time than merging so many, unless nearly all of them keep
-- their place in its order, as those of an import that gives all datasets other names.
create function merge_many_changes(field text, first bigint, upto bigint, many bigint) returns void
language plpgsql set search_path from current as $$
declare moved bigint;
begin
    execute format('select count(*) from (select from listing_change where no >= $1
                        group by %I, id having sum(change) <> 0 limit $2 + 1) moved', field) into moved using first, many;
    if moved > many then
        perform fill_rank(field, upto);
    elsif moved > 0 then
        perform fold_rank(field, first, upto);
    else
        perform sum_rank(field, upto);
    end if;
end $$;

-- Merges the pending changes of the snapshot into the ranks, the words and the feed, and returns their number.
create function merge_rank_changes(upto bigint) returns bigint language plpgsql set search_path from current as $$
declare first bigint; many bigint; pending bigint; other bigint; gone bigint;
begin
    select pending_from, greatest(10000, total / 20) into first, many from rank where field = 'id' order by folded desc limit 1;
    select count(*), count(*) filter (where not is_equal), count(*) filter (where change < 0) into pending, other, gone
    from listing_change where no >= first;
    if pending = 0 then return 0; end if;
    perform begin_epoch();
    perform case when other <= many then fold_rank(field, first, upto)
                 when gone = 0 then fill_rank(field, upto) -- all are new
                 else merge_many_changes(field, first, upto, many) end
    from rank_fields() field;
    perform merge_words(first);
    perform fold_changes(first);
    return pending;
end $$;

-- Merges all pending changes into all ranks and parts, deletes them and returns their number. The caller has locked rank, and
-- sees the changes and the datasets of one snapshot.
create or replace function merge_listing_changes(decided bigint default 0) returns bigint
language plpgsql set search_path from current as $$
declare first constant bigint := (select pending_from from rank where field = 'id' order by folded desc limit 1);
    pending bigint;
begin
    if exists (select from listing_change where no >= first) then
        perform merge_part_changes(decided);
        pending := merge_rank_changes(decided + 1);
        delete from listing_change where no >= first;
    end if;
    return coalesce(pending, 0);
end $$;

-- As in V4, with the parts.
create or replace function fold_listing_changes(decided bigint default 0) returns bigint
language plpgsql set search_path from current as $$
begin
    if current_setting('transaction_isolation') not in ('repeatable read', 'serializable') then
        raise 'ranks are folded in repeatable read';
    end if;
    return case when lock_for_fold('rank') and lock_for_fold('part_fold') then merge_listing_changes(decided) else 0 end;
end $$;

-- Folds the parts alone. The caller does as for fold_listing_changes. The changes stay for the ranks.
create function fold_part_changes(decided bigint) returns void language plpgsql set search_path from current as $$
declare first constant bigint := (select pending_from from part_fold order by folded desc limit 1);
begin
    -- Also if the parts have all changes: behind pending_from, readers need not step over them.
    if lock_for_fold('part_fold')
            and exists (select from listing_change where no >= first and (not in_parts or no <= decided)) then
        perform merge_part_changes(decided);
        update listing_change set in_parts = true where no >= greatest(first, decided + 1) and not in_parts;
    end if;
end $$;

-- Folds all but the parts, beside folds of the parts, and returns the number of merged changes. The caller does as for
-- fold_listing_changes. A change that the parts lack stays, because a fold of the parts may write it meanwhile: another change of
-- the opposite sign takes it from the ranks again.
create function fold_rank_changes() returns bigint language plpgsql set search_path from current as $$
declare first constant bigint := (select pending_from from rank where field = 'id' order by folded desc limit 1);
    upto constant bigint := (select pending_from from part_fold order by folded desc limit 1);
    columns constant text := (select string_agg(quote_ident(field), ', ') from rank_fields() field); merged bigint;
begin
    if not lock_for_fold('rank') then return 0; end if;
    merged := merge_rank_changes(upto);
    -- And one change outside of the listings, for the listing version.
    execute format($dml$
        with merged as (delete from listing_change where no >= $1 and (no < $2 or in_parts) returning *)
        insert into listing_change (change, %1$s, is_equal, in_parts)
        select -change, %1$s, true, true from listing_change where no >= $2 and not in_parts and change <> 0
        union all
        (select 0, %1$s, true, false from merged limit 1)
        $dml$, columns) using first, upto;
    return merged;
end $$;

-- Writes the texts of a workspace, and returns whether there is room for them among all texts. One writer at a time takes the
-- next revision, from the clock: after a restore, the service does not take other texts for those that it has cached. The
-- listing version increases without a change of a dataset, so that no cached page stays.
create function write_workspace(
    workspace_number bigint, name_text text, description_text text, license_text text, max_bytes bigint) returns boolean
language plpgsql set search_path from current as $$
declare columns constant text := (select string_agg(quote_ident(field), ', ') from rank_fields() field);
    bytes constant bigint := octet_length(concat(name_text, description_text, license_text));
begin
    lock table workspace in share row exclusive mode;
    if bytes > 0 and bytes + (select coalesce(sum(octet_length(concat(name, description, license))), 0) from workspace
                              where number <> workspace_number) > max_bytes then
        return false;
    end if;
    insert into workspace (number, name, description, license, revision)
    select workspace_number, name_text, description_text, license_text,
           greatest(coalesce(max(revision), 0) + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint) from workspace
    on conflict (number) do update set name = excluded.name, description = excluded.description, license = excluded.license,
        revision = excluded.revision;
    execute format('insert into listing_change (change, %1$s, is_equal, has_text)
        select 0, %1$s, true, false from dataset order by id limit 1', columns);
    return true;
end $$;

-- Rebuilds all ranks, parts, words and rows of the feed. The caller has locked rank and part_fold, or has emptied dataset.
-- A rebuild may follow writes without triggers, in which a dataset may have left the public listing.
create function fill_all() returns void language plpgsql set search_path from current as $$
begin
    perform begin_epoch();
    perform withdraw_exports();
    perform fill_rank(field) from rank_fields() field;
    update rank set (folded, pending_from) = (select max(folded), max(pending_from) from rank);
    perform fill_parts();
    perform fold_changes(null);
    delete from listing_change;
    perform merge_words(null);
end $$;

-- The statements that enable the triggers of dataset as the migrations do.
create or replace function wrong_triggers() returns setof text language sql stable set search_path from current as $$
    select format('alter table dataset enable %strigger %I', kind, name)
    from (values ('', 'O', '{dataset_inserts_are_recorded, dataset_updates_are_recorded, dataset_deletes_are_recorded,
                             dataset_is_touched, dataset_own_writes_are_noted, dataset_ids_after_promotion}'::name[]),
                 ('always ', 'A', '{dataset_truncates_are_recorded, dataset_departures_are_recorded,
                                    dataset_public_deletes_are_recorded}'),
                 ('replica ', 'R', '{dataset_replication_is_recorded, dataset_replication_is_touched}')
         ) wanted (kind, mode, names) cross join unnest(names) name
    where not exists (select from pg_trigger
                      where tgrelid = 'dataset'::regclass and tgname = name and tgenabled::text = mode)
$$;

-- Enables the triggers of dataset and rebuilds all, beside readers and writers. Call it outside of a transaction.
create or replace procedure rebuild_ranks() language plpgsql as $$
declare statement text;
begin
    for statement in select wrong_triggers() loop
        execute statement;
    end loop;
    commit; -- ends the snapshot of the call
    set transaction isolation level repeatable read;
    set local synchronous_commit = on; -- the numbers of changes that it gives are durable when they are visible
    lock table dataset in access share mode; -- before the first query, which takes the snapshot
    lock table rank, part_fold in share row exclusive mode;
    perform fill_all();
end $$;

create or replace function empty_ranks() returns trigger language plpgsql set search_path from current as $$
begin
    set local synchronous_commit = on;
    delete from listing_change;
    perform fill_all();
    return null;
end $$;

-- The checks of V4, and those of the parts and the feed.
alter function wrong_ranks() rename to wrong_orders;
create function wrong_ranks() returns table (field text, key text, id bigint, ranked bigint, counted bigint)
language sql set search_path from current as $$
    select * from wrong_orders()
    union all select 'listing_part', wrong.* from wrong_parts() wrong
    union all select 'dataset_change', wrong.* from wrong_changes() wrong
$$;

alter function rank_problem() rename to order_problem;
create function rank_problem() returns text language sql stable set search_path from current as $$
    select coalesce(order_problem(), case when elements <> listed
        then format('the columns contain %s datasets, and the table contains %s', elements, listed) end)
    -- Both without the datasets that pending changes name. Two indexes count the listed ones.
    from (select (select coalesce(sum(cardinality(ids)), 0) from listing_part) - count(held) as elements,
                 (select count(*) from dataset where not is_deleted and not is_private and coordinates is not null)
                     + (select count(*) from dataset where not is_deleted and is_private and coordinates is not null)
                     - count(listed.id) as listed
          from (select distinct id from listing_change where no >= (select max(pending_from) from rank)) pending
          left join lateral (select array_position(ids, pending.id) as held from listing_part
                             where first_id <= pending.id order by first_id desc, folded desc limit 1) part on true
          left join listing_element listed on listed.id = pending.id) columns
$$;

-- Merges the datasets that a statement has written into the parts, and returns whether it did. This belongs to the transaction of
-- the statement, which keeps other folds of the parts away until it ends. In another isolation its snapshot may be older than the
-- last fold, and a writer may lack the right: then the service merges the changes later.
create function merge_statement(touched bigint[]) returns boolean language plpgsql set search_path from current as $$
declare before bigint; newest bigint; first_ids bigint[];
begin
    if current_setting('transaction_isolation') <> 'read committed' or not lock_for_fold('part_fold') then return false; end if;
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

-- Writes the trigger functions that record pending changes, with a column for each rank: that of V4 for replication, and another
-- one for statements.
alter function write_trigger_functions() rename to write_first_trigger_functions;
create function write_trigger_functions() returns void language plpgsql set search_path from current as $$
declare columns text; olds text; news text;
begin
    perform write_first_trigger_functions();
    select string_agg(quote_ident(field), ', '), string_agg('old.' || quote_ident(field), ', '),
           string_agg('new.' || quote_ident(field), ', ')
    into columns, olds, news from rank_fields() field;
    execute format($ddl$
        create or replace function record_listing_changes() returns trigger
        language plpgsql set search_path from current as $function$
        #variable_conflict use_column
        declare is_merged boolean := false;
        begin
            if tg_op = 'INSERT' then
                if exists (select from new_rows offset 5000) then
                    is_merged := merge_statement(array(select id from new_rows));
                end if;
                insert into listing_change (change, %1$s, in_parts, is_counted)
                select (not is_private)::int, %1$s, is_merged, row_number() over () = 1 from new_rows
                where not is_deleted and coordinates is not null;
            elsif tg_op = 'DELETE' then
                if exists (select from old_rows offset 5000) then
                    is_merged := merge_statement(array(select id from old_rows));
                end if;
                insert into listing_change (change, %1$s, in_parts, is_counted)
                select -(not is_private)::int, %1$s, is_merged, row_number() over () = 1 from old_rows
                where not is_deleted and coordinates is not null;
            else
                if exists (select from new_rows offset 5000) then
                    is_merged := merge_statement(array(select id from old_rows union select id from new_rows));
                end if;
                -- Two changes for a dataset that gets another place in an order, one for each other dataset: the feed names all.
                insert into listing_change (change, %1$s, is_equal, has_text, in_parts, is_counted)
                select side.*, is_merged, row_number() over () = 1
                from (select * from old_rows where not is_deleted and coordinates is not null) old
                full join (select * from new_rows where not is_deleted and coordinates is not null) new on new.id = old.id
                cross join lateral (
                    select (%2$s) is distinct from (%3$s) as moved,
                           -- With the ranks, these are the columns of listing_element.
                           (old.owner_id, old.category, old.available_rasters, old.band_stats, old.bbox, old.coordinates,
                               old.raster_headers)
                               is not distinct from
                           (new.owner_id, new.category, new.available_rasters, new.band_stats, new.bbox, new.coordinates,
                               new.raster_headers) as is_same,
                           -- The texts that the service searches with the indexes of words.
                           new.id is not null and (old.id is null
                               or (old.dataset_name, old.category, old.description, old.tags, old.data_credits,
                                   old.data_captured_by, old.institution_name, old.location_name)
                               is distinct from
                               (new.dataset_name, new.category, new.description, new.tags, new.data_credits,
                                   new.data_captured_by, new.institution_name, new.location_name)) as has_text
                ) place
                cross join lateral (
                    select -(not old.is_private)::int, %2$s, false, has_text where moved and old.id is not null
                    union all
                    select (moved and not new.is_private)::int, %3$s, not moved and is_same, has_text
                    where new.id is not null
                ) side;
                if is_merged and not exists (select from listing_change
                        where no >= (select max(pending_from) from part_fold) and in_parts and has_text) then
                    update part_change set texts = '{}' where folded = (select max(folded) from part_fold);
                end if;
            end if;
            if found then return null; end if;
            -- One change outside of the listings, for the listing version. It is marked as equal: no audience has seen it.
            if tg_op = 'DELETE' then
                insert into listing_change (change, %1$s, is_equal) select 0, %1$s, true from old_rows limit 1;
            else
                insert into listing_change (change, %1$s, is_equal) select 0, %1$s, true from new_rows limit 1;
            end if;
            return null;
        end
        $function$
        $ddl$, columns, olds, news);
end $$;

-- Nobody writes datasets from here on: the parts, the feed and the triggers begin together.
do $$
begin
    set local synchronous_commit = on;
    lock table dataset in share row exclusive mode;
    perform write_trigger_functions();
    perform fill_parts();
    perform begin_epoch();
    insert into dataset_change (id, audience, folded, hash, uav_uid)
    select id, seen_dataset.audience, change_floor.folded, hash, uav_uid from seen_dataset, change_floor;
end $$;
