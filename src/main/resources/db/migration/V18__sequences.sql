-- As before, but a number of the upper half does not move a sequence: with one dataset, an import could otherwise use up all
-- numbers. The numbers up to 2^52 last for ever.
create or replace function continue_sequence(sequence regclass, used bigint) returns void language plpgsql
set search_path from current as $$
declare
    last bigint;
begin
    perform pg_advisory_xact_lock('pg_sequence'::regclass::oid::int, sequence::oid::int);
    execute format('select case when is_called then last_value else last_value - 1 end from %s', sequence) into last;
    if used > last and used <= 1::bigint << 52 then
        perform setval(sequence, used);
    end if;
end
$$;
