-- A database knows which catalogue it is, which one it follows, and whether it has writes of its own. Before, a service with
-- dataset.follow.url replaced the datasets of any database. See docs/adr/0033.

-- The identity of the catalogue in this database. A mirror has an identity of its own, and another one after it has been
-- replaced.
create table catalogue (
    id       uuid not null default gen_random_uuid(),
    only_row boolean primary key default true check (only_row)
);
insert into catalogue default values;

-- The identity of the origin; null: an origin that does not tell it, or that has not been asked yet.
alter table mirror_position add column origin_id uuid;
-- When the mirror last had all changes of its origin; before, when it began.
alter table mirror_position add column caught_up timestamptz not null default now();

-- Not empty: the mirror was promoted, which means that it has writes of its own. There is a row for each of the first writes
-- that run at the same time, because they must not wait for one another.
create table mirror_promotion (
    at timestamptz not null default now()
);

-- Whether the datasets come from an origin, and only from there.
create function follows_origin() returns boolean language sql stable
return exists (select from mirror_position) and not exists (select from mirror_promotion);

-- Keeps the first own writes out until the end of the transaction, and returns whether none runs: it does not wait for them,
-- because other first writes would wait behind it. Instances of the mirror wait for one another.
create function lock_mirror() returns boolean language plpgsql set search_path from current as $$
begin
    perform pg_advisory_xact_lock('mirror_position'::regclass::oid::int, 1);
    return pg_try_advisory_xact_lock('mirror_position'::regclass::oid::int, 2);
end
$$;

-- Notes that the mirror has a write of its own. The first writes share a lock, so that they do not wait for one another. The
-- mirror itself sets dataset.keep_times to 'on' for its transactions, as also the mirrors of 1.0 do: they do not look for a
-- promotion, so that their writes fail here.
create function note_own_write() returns trigger language plpgsql set search_path from current as $$
declare
    promoted boolean;
begin
    select exists (select from mirror_promotion) into promoted from mirror_position;
    if promoted is null then
        return null;
    elsif current_setting('dataset.keep_times', true) = 'on' then
        if promoted and tg_table_name = 'dataset' then
            raise 'The database has writes of its own since its promotion, and does not follow another one';
        end if;
    elsif not promoted then
        perform pg_advisory_xact_lock_shared('mirror_position'::regclass::oid::int, 2);
        insert into mirror_promotion default values;
    end if;
    return null;
end
$$;

-- Before the statement, so that it waits for the mirror without locks of rows.
create trigger dataset_own_writes_are_noted before insert or update or delete on dataset
    for each statement execute function note_own_write();
-- The account with id 0 belongs to the operator of each service, which writes it at its start.
create trigger account_own_writes_are_noted after insert or update on account
    for each row when (new.id <> 0) execute function note_own_write();
create trigger account_own_deletes_are_noted after delete on account
    for each row when (old.id <> 0) execute function note_own_write();

-- The numbers that the mirror gives after a promotion are behind a gap: its origin may have given numbers that it has not seen.
create function leave_gap(sequence regclass, used bigint) returns void language sql set search_path from current as $$
    select continue_sequence(sequence, used + 1000000)
$$;

do $$
begin
    if exists (select from mirror_position) then
        perform leave_gap('dataset_id_seq', last_value) from dataset_id_seq;
        perform leave_gap('account_id_seq', last_value) from account_id_seq;
        perform leave_gap('account_workspace_seq', last_value) from account_workspace_seq;
    end if;
end
$$;
