-- A fold gives a changed section a new number (V6), so that a page finds the one version of the section that it needs
-- by its number, however many earlier versions an old snapshot keeps. The index of the keys has the newest version of a
-- section last. See docs/adr/0010.
--
-- A migration of its own: pages have one of these tables and rank, so that locking both could deadlock with them.

-- No fold runs meanwhile.
do $$
declare
    field text;
begin
    perform pg_advisory_xact_lock('rank'::regclass::oid::int, 0);
    for field in select rank.field from rank order by rank.field loop
        execute format($ddl$
            alter table rank_section_%1$s alter no type bigint;
            alter table rank_section_%1$s drop constraint rank_section_%1$s_key_id_key;
            create index rank_section_%1$s_key_idx on rank_section_%1$s (key, id, no);
            $ddl$, field);
    end loop;
end
$$;
