-- A standby that is promoted may lack the last commits of the primary before it, and with them the numbers that these have taken.
-- A promotion begins a new timeline of the log: the first insert on it leaves a gap, so that no number is given twice.

-- The timeline on which the last numbers were given. It is the value of a sequence, because that is changed outside of
-- transactions: other inserts need not wait for the end of the one that leaves the gap, which may be a long import.
create sequence id_timeline;

create function current_timeline() returns bigint language sql volatile
return ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;

select setval('id_timeline', current_timeline());

-- The locks are those of continue_sequence(), so that it does not set a sequence back.
create function advance_ids(gap bigint) returns void language plpgsql set search_path from current as $$
declare
    sequence regclass;
begin
    foreach sequence in array array['account_id_seq', 'account_workspace_seq', 'dataset_id_seq']::regclass[] loop
        perform pg_advisory_lock('pg_sequence'::regclass::oid::int, sequence::oid::int);
        perform setval(sequence, nextval(sequence) + gap);
        perform pg_advisory_unlock('pg_sequence'::regclass::oid::int, sequence::oid::int);
    end loop;
end
$$;

-- Of the owner of the schema, because another role may not be allowed to set a sequence.
create function leave_gap_after_promotion() returns trigger language plpgsql security definer set search_path from current as $$
declare
    timeline constant bigint = current_timeline();
begin
    if timeline <> (select last_value from id_timeline) then
        perform pg_advisory_lock('pg_sequence'::regclass::oid::int, 'id_timeline'::regclass::oid::int);
        if timeline <> (select last_value from id_timeline) then
            perform advance_ids(1000000);
            perform setval('id_timeline', timeline);
        end if;
        perform pg_advisory_unlock('pg_sequence'::regclass::oid::int, 'id_timeline'::regclass::oid::int);
    end if;
    return null;
end
$$;

-- Before the statement, which is before the first number is taken.
create trigger dataset_ids_after_promotion before insert on dataset
    for each statement execute function leave_gap_after_promotion();
create trigger account_ids_after_promotion before insert on account
    for each statement execute function leave_gap_after_promotion();
