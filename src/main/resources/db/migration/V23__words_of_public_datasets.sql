-- search_word has the words of the names of public datasets only, with their exact number as of the last fold: what all callers
-- share must not depend on datasets that a caller does not see. A word that no public dataset has any more goes. The changes that
-- a fold merges name each name that came to the public listing or left it, so that a fold reads no dataset for its words.

-- No fold runs until the words are there. Writes go on. The lock comes first, in the order in which a fold takes its locks.
lock table rank in share row exclusive mode;

-- A row with 0 uses is the tombstone of a word. It tells the service to forget the word.
alter table search_word alter column no drop identity;
alter table search_word drop constraint search_word_no_key;
create index search_word_no_idx on search_word (no);
create index search_word_gone_idx on search_word (no) where uses = 0;
comment on column search_word.no is 'The number of the fold that has changed the word last';

-- Who has read the words up to a lower number has missed tombstones.
create table search_word_floor (
    no       bigint not null default 0,
    only_row boolean primary key default true check (only_row)
);
insert into search_word_floor default values;

drop function learn_words(bigint[]);
drop function learn_parts(text[], bigint[]);

-- How many names have each word. The numbers may be negative: so many names have it no more. The planner must not expect that
-- arrays of 70,000 names and of two are alike.
create function count_words(names text[], counts bigint[]) returns table (word text, written text, uses bigint)
language sql stable set search_path from current set plan_cache_mode = force_custom_plan as $$
    with parts as materialized (
        select part, sum(named.count) as count from unnest(names, counts) named (name, count) cross join name_parts(name) part
        group by part having sum(named.count) <> 0
    )
    select word, coalesce(min(written) filter (where count > 0), min(written)), sum(count)::bigint
    from written_words(array(select part from parts)) join parts on part = written
    group by word having sum(count) <> 0
$$;

-- Merges the names of pending changes. The caller has brought the row of the rank of id up to date.
create function merge_words(first bigint) returns void
language plpgsql set search_path from current set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
    newest constant bigint := (select folded from rank where field = 'id' order by folded desc limit 1);
    an_hour constant bigint := 36000;
    names text[];
    counts bigint[];
begin
    select array_agg(name), array_agg(count) into names, counts
    from (select dataset_name as name, sum(change) as count from listing_change where no >= first and change <> 0
          group by dataset_name having sum(change) <> 0) named;
    if names is not null then
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
    end if;
    with gone as (
        delete from search_word where uses = 0 and no < newest - an_hour returning no
    ), last as (
        select max(no) as no from gone
    )
    update search_word_floor set no = greatest(search_word_floor.no, last.no) from last where last.no is not null;
end
$$;

-- Replaces all words by those of the names as of the last fold. No fold runs meanwhile.
create function learn_all_words() returns void
language plpgsql set search_path from current set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
    newest bigint;
    first bigint;
    names text[];
    counts bigint[];
begin
    select folded, pending_from into newest, first from rank where field = 'id' order by folded desc limit 1;
    -- In one statement, so that writes may go on: it sees each dataset with its change.
    select array_agg(name), array_agg(count) into names, counts
    from (select name, sum(count) as count
          from (select dataset_name as name, count(*) as count from dataset
                where not is_deleted and not is_private and coordinates is not null group by dataset_name
                union all
                select dataset_name, -sum(change) from listing_change where no >= first and change <> 0
                group by dataset_name) counted
          group by name having sum(count) <> 0) named;
    delete from search_word;
    insert into search_word (word, written, uses, no)
    select word, written, uses, newest from count_words(names, counts) where uses > 0 order by word collate "C";
    update search_word_floor set no = newest;
end
$$;

-- As in V21, with merge_words, which needs no datasets, in place of learn_words.
create or replace function merge_listing_changes(decided bigint default 0) returns bigint
language plpgsql set search_path from current as $$
declare
    first bigint;
    listed bigint;
    pending bigint;
    other bigint;
begin
    select pending_from, total into first, listed from rank where field = 'id' order by folded desc limit 1;
    select count(*), count(*) filter (where not is_equal) into pending, other from listing_change where no >= first;
    if pending = 0 then
        return 0;
    end if;
    perform begin_epoch();
    if other > greatest(10000, listed / 20) then
        -- Rebuilding takes less time than merging so many.
        perform fill_rank(field, decided + 1) from rank_fields() field;
        perform fill_parts();
    else
        perform fold_rank(field, first, decided + 1) from rank_fields() field;
        perform fold_parts(first);
        perform renew_parts(first);
    end if;
    perform merge_words(first);
    perform fold_changes(first);
    delete from listing_change where no >= first;
    return pending;
end
$$;

-- As in V10, with learn_all_words behind the end of the changes that the ranks contain.
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
    perform fold_changes(null);
    delete from listing_change;
    perform learn_all_words();
end
$$;

-- As in V10, and no word is left.
create or replace function empty_ranks() returns trigger language plpgsql set search_path from current as $$
begin
    set local synchronous_commit = on;
    delete from listing_change;
    perform begin_epoch();
    perform fill_rank(field) from rank_fields() field;
    update rank set (folded, pending_from) = (select max(folded), max(pending_from) from rank);
    perform fill_parts();
    perform fold_changes(null);
    perform learn_all_words();
    return null;
end
$$;

select learn_all_words();
