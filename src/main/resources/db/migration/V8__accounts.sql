-- One account for each name, whatever its case and normal form; and one upper limit for all ids and workspaces.

-- Moves a sequence past a number that an import has used. A sequence that has given out no number has its first number
-- as last_value. Calls for one sequence run one at a time, because otherwise the lower of two numbers could move the
-- sequence back.
create or replace function continue_sequence(sequence regclass, used bigint) returns void language plpgsql
set search_path from current as $$
declare
    last bigint;
begin
    perform pg_advisory_xact_lock('pg_sequence'::regclass::oid::int, sequence::oid::int);
    execute format('select case when is_called then last_value else last_value - 1 end from %s', sequence) into last;
    if used > last then
        perform setval(sequence, used);
    end if;
end
$$;

-- 2^53 - 1 is the largest integer that every JSON parser reads exactly. An import refuses larger numbers, so the service
-- does not give them out. A sequence that is already past the limit gives out no more numbers.
do $$
declare
    sequence regclass;
begin
    foreach sequence in array array['dataset_id_seq', 'account_id_seq', 'account_workspace_seq']::regclass[] loop
        if coalesce(pg_sequence_last_value(sequence), 0) > 9007199254740991 then
            perform setval(sequence, 9007199254740991);
        end if;
        execute format('alter sequence %s maxvalue 9007199254740991', sequence);
    end loop;
end
$$;

-- What two names have in common that differ only in case or normal form.
create function username_key(username text) returns text language sql immutable parallel safe strict
return lower(upper(normalize(username, NFKC) collate "und-x-icu"));

-- The service stores names in the normal form NFKC, without control and other invisible characters and without space around
-- them. Here the names of earlier versions get this form. A name that has this form already stays, except if an account with
-- a lower id has it. An account whose name another account keeps gets its id in addition: "Ada (12)". Datasets follow by
-- the foreign key.
lock table account in share row exclusive mode;
create index account_plain_key_idx on account (username_key(username));
do $$
declare
    renamed record;
    suffix text;
    new_name text;
    settled bigint[] := '{}';
begin
    for renamed in
        select id, username, plain from account cross join lateral (
            select coalesce(nullif(left(btrim(normalize(
                regexp_replace(regexp_replace(username, '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' ', 'g'),
                    '[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f'
                    '\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0'
                    '\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
                    '\U000e0001\U000e0020-\U000e007f\U000e0100-\U000e01ef]', '', 'g'), NFKC), U&' \1680'), 150), ''),
                'account') as plain) name
        order by username <> plain, id
    loop
        suffix := '';
        new_name := renamed.plain;
        while exists (select from account other
                      where username_key(other.username) = username_key(new_name) and other.id <> renamed.id
                      and (other.id = any (settled) or suffix <> '')) loop
            suffix := suffix || format(' (%s)', renamed.id);
            new_name := left(renamed.plain, 150 - length(suffix)) || suffix;
        end loop;
        if new_name <> renamed.username then
            raise warning 'The account % has the name "%" from now on.', renamed.id, new_name;
            update account set username = new_name where id = renamed.id;
        end if;
        settled := settled || renamed.id;
    end loop;
end
$$;
create unique index account_username_key_idx on account (username_key(username));
drop index account_plain_key_idx;
