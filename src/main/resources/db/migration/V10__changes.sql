-- The feed of changes: which datasets have changed since a fold, for programs that keep a copy. See docs/adr/0030.
--
-- dataset_change has one row for each dataset and audience that sees or has seen it. The fold that merges a change of the dataset
-- gives its rows the number of the fold. So the numbers ascend in the order in which changes are merged, whatever their
-- transactions do, and a dataset has one row at its last change. The fold commits synchronously: a change that has a number is
-- durable. A pending change has none yet, and the feed leaves its dataset out until the next fold.

create table dataset_change (
    id       bigint not null,
    -- The callers that see the dataset: -1 for all callers, otherwise the owner of a private dataset. Admins see all.
    audience bigint not null,
    -- The number of the fold that has merged the last change: tenths of a second after 2020, see sum_rank.
    folded   bigint not null,
    -- See change_hash. null: the audience does not see the dataset any more.
    hash     bigint,
    uav_uid  uuid not null,
    primary key (id, audience)
);
create index dataset_change_folded_idx on dataset_change (folded, id, audience);

-- Tombstones up to this number may be deleted: a position before it is no longer valid. Earlier changes have no tombstones.
create table change_floor (
    folded   bigint not null,
    only_row boolean primary key default true check (only_row)
);

-- An epoch is a server whose changes are one history: see current_server(). A standby that takes over, and a restored
-- dump, may lack the last folds of the epoch before. A position of that epoch is valid up to where the new one began.
create table listing_epoch (
    no     bigint generated always as identity primary key,
    id     uuid not null default gen_random_uuid() unique,
    server text not null,
    -- The number of the last fold of the epoch before that this server has.
    began  bigint not null,
    at     timestamptz not null default now()
);

-- The cluster, the table of the changes, and the timeline that the cluster writes. A standby has no timeline. A restored dump has
-- another table, also in the same cluster.
create function current_server() returns text language sql stable
return (select concat_ws('-', system_identifier, (select oid from pg_database where datname = current_database()),
                         'dataset_change'::regclass::oid) from pg_control_system())
    || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8);

-- The first 64 bits of the SHA-256 of "{id}:{version}-{microseconds}". A copy of the catalogue computes the same.
create function change_hash(id bigint, version bigint, updated_at timestamptz) returns bigint
language sql immutable parallel safe strict
return ('x' || left(encode(sha256(convert_to(id || ':' || version || '-' || (extract(epoch from updated_at) * 1000000)::bigint,
                                             'UTF8')), 'hex'), 16))::bit(64)::bigint;

-- Begins an epoch if this server has none. It precedes the first fold of the server.
create function begin_epoch() returns void language plpgsql set search_path from current as $$
begin
    if current_server() is distinct from (select server from listing_epoch order by no desc limit 1) then
        insert into listing_epoch (server, began)
        values (current_server(), (select folded from rank where field = 'id' order by folded desc limit 1));
    end if;
end
$$;

-- Gives the datasets that the pending changes name the number of the fold; with null all datasets whose rows are not up to date.
-- The caller has brought the row of the rank of id up to date, and sees the changes and the datasets of one snapshot.
create function fold_changes(first bigint) returns void language sql set search_path from current as $$
    with newest as materialized (
        select folded from rank where field = 'id' order by folded desc limit 1
    ), touched as materialized (
        select id from listing_change where no >= first
        union select id from dataset where first is null
        union select id from dataset_change where first is null and hash is not null
    ), present as materialized (
        select dataset.id, case when is_private then owner_id else -1 end as audience,
               change_hash(dataset.id, version, updated_at) as hash, uav_uid
        from touched join dataset using (id) where not is_deleted and coordinates is not null
    ), gone as (
        update dataset_change change set folded = newest.folded, hash = null
        from touched, newest
        where change.id = touched.id and hash is not null
            and not exists (select from present where present.id = change.id and present.audience = change.audience)
    )
    insert into dataset_change as change (id, audience, folded, hash, uav_uid)
    select id, audience, newest.folded, hash, uav_uid from present cross join newest
    on conflict (id, audience) do update set folded = excluded.folded, hash = excluded.hash, uav_uid = excluded.uav_uid
    where (change.hash, change.uav_uid) is distinct from (excluded.hash, excluded.uav_uid)
$$;

-- Deletes the tombstones from before a time, and returns their number.
create function forget_changes(before timestamptz) returns bigint language plpgsql set search_path from current as $$
declare
    forgotten bigint;
    newest bigint;
begin
    with gone as (
        delete from dataset_change
        where hash is null and folded < extract(epoch from before - timestamptz '2020-01-01 00:00:00Z') * 10
        returning folded
    )
    select count(*), max(folded) into forgotten, newest from gone;
    update change_floor set folded = greatest(folded, newest) where newest is not null;
    return forgotten;
end
$$;

-- The functions of V4 and V8 that merge changes and rebuild ranks also number changes: these replace them.

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
    perform begin_epoch();
    perform learn_words(array(select distinct id from listing_change where no >= first));
    if pending > greatest(10000, listed / 20) then
        -- Rebuilding takes less time than merging so many.
        perform fill_rank(field, decided + 1) from rank_fields() field;
        perform fill_parts();
    else
        perform fold_rank(field, first, decided + 1) from rank_fields() field;
        perform fold_parts(first);
    end if;
    perform fold_changes(first);
    delete from listing_change where no >= first;
    return pending;
end
$$;

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
    -- The numbers of changes that it gives are durable when they are visible.
    set local synchronous_commit = on;
    -- Before the first query, which takes the snapshot. No fold runs from here on.
    lock table dataset in access share mode;
    lock table rank in share row exclusive mode;
    perform begin_epoch();
    perform fill_rank(field) from rank_fields() field;
    update rank set (folded, pending_from) = (select max(folded), max(pending_from) from rank);
    perform fill_parts();
    delete from search_word;
    perform learn_words(null);
    perform fold_changes(null);
    delete from listing_change;
end
$$;

create or replace function empty_ranks() returns trigger language plpgsql set search_path from current as $$
begin
    set local synchronous_commit = on;
    delete from listing_change;
    perform begin_epoch();
    perform fill_rank(field) from rank_fields() field;
    update rank set (folded, pending_from) = (select max(folded), max(pending_from) from rank);
    perform fill_parts();
    perform fold_changes(null);
    return null;
end
$$;

-- wrong_changes() is a part of wrong_ranks().
create function wrong_changes() returns table (key text, id bigint, ranked bigint, counted bigint)
language sql stable set search_path from current as $$
    with pending as materialized (
        select distinct id from listing_change where no >= (select max(pending_from) from rank)
    )
    select concat_ws(', ', case when change.id is null or dataset.id is null then 'audience' end,
                     case when change.hash <> change_hash(dataset.id, version, updated_at) then 'hash' end),
           coalesce(change.id, dataset.id), change.audience, dataset.audience
    from (select * from dataset_change where hash is not null
              and not exists (select from pending where pending.id = dataset_change.id)) change
    full join (select *, case when is_private then owner_id else -1 end as audience from dataset
               where not is_deleted and coordinates is not null
                   and not exists (select from pending where pending.id = dataset.id)) dataset
        on dataset.id = change.id and dataset.audience = change.audience
    where change.id is null or dataset.id is null or change.hash <> change_hash(dataset.id, version, updated_at)
$$;

-- wrong_ranks() of V6, and the numbers of changes.
alter function wrong_ranks() rename to wrong_orders_and_parts;
create function wrong_ranks() returns table (field text, key text, id bigint, ranked bigint, counted bigint)
language sql set search_path from current as $$
    select * from wrong_orders_and_parts()
    union all
    select 'dataset_change', wrong.* from wrong_changes() wrong
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
                -- Two changes for a dataset that gets another place in an order, one for each other dataset: the feed names all.
                insert into listing_change (change, %1$s)
                select side.*
                from (select * from old_rows where not is_deleted and coordinates is not null) old
                full join (select * from new_rows where not is_deleted and coordinates is not null) new on new.id = old.id
                cross join lateral (select (%2$s) is distinct from (%3$s) as moved) place
                cross join lateral (
                    select case when old.is_private then 0 else -1 end, %2$s where moved and old.id is not null
                    union all
                    select case when moved and not new.is_private then 1 else 0 end, %3$s where new.id is not null
                ) side;
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

-- A mirror keeps the times of its origin: it sets dataset.keep_times to 'on' for its transaction.
create or replace function touch_dataset() returns trigger language plpgsql set search_path from current as $$
begin
    if current_setting('dataset.keep_times', true) is distinct from 'on' then
        new.updated_at := now();
    end if;
    return new;
end
$$;

-- Nobody writes datasets, rebuilds ranks or folds from here on: the changes and the triggers begin together.
do $$
begin
    set local synchronous_commit = on;
    lock table dataset in share row exclusive mode;
    lock table rank in share row exclusive mode;
    perform write_trigger_functions();
    perform merge_listing_changes();
    perform begin_epoch();
    perform fold_changes(null);
    insert into change_floor (folded) select folded from rank where field = 'id' order by folded desc limit 1;
end
$$;
