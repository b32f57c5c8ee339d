-- The words of the names of datasets, for suggestions: the service keeps them in memory, finds similar ones there, and counts the
-- datasets of a suggestion in the columns of V6. So a word may stay here that no dataset has any more, and a reader sees no word
-- that it does not find. The fold adds words. A write of a dataset has no cost.

create table search_word (
    -- As search_words has it, with a letter. A number leads to no similar name.
    word    text collate "C" primary key,
    -- As the first dataset has written it.
    written text not null,
    -- About the number of datasets, so that frequent words are tried first.
    uses    bigint not null,
    -- Ascends with each new word, so that the service reads new words only.
    no      bigint not null generated always as identity unique
);

-- The parts of a name that search_words takes for words, as they are written.
create function name_parts(name text) returns setof text language sql immutable parallel safe strict
return regexp_split_to_table(normalize(name, NFC) collate "und-x-icu", '[^[:alnum:]\u0300-\u036f\u064b-\u065f]+');

-- The words of parts of names; a part that is no word, or only a number, has no row.
create function written_words(parts text[]) returns table (word text, written text)
language sql immutable parallel safe strict as $$
    select words[1], part from unnest(parts) part
    cross join lateral (select search_words(part) as words offset 0) folded
    where cardinality(words) = 1 and words[1] collate "und-x-icu" ~ '[[:alpha:]]' and length(words[1]) between 2 and 40
$$;

-- Adds the words of parts of names. The second array says how many names have each part.
create function learn_parts(parts text[], uses bigint[]) returns void language sql set search_path from current as $$
    insert into search_word (word, written, uses)
    select word, min(written), sum(part.uses)
    from written_words(parts) join unnest(parts, uses) part (part, uses) on part = written
    group by word order by word collate "C"
    on conflict (word) do update set uses = search_word.uses + excluded.uses
$$;

-- Adds the words of the names of these datasets; null for all listed datasets.
create function learn_words(ids bigint[]) returns void language plpgsql set search_path from current as $$
begin
    if ids is null then
        perform learn_parts(array_agg(part), array_agg(uses))
        from (select part, count(*) as uses from dataset cross join name_parts(dataset_name) part
              where not is_deleted and coordinates is not null group by part) named;
    else
        perform learn_parts(array_agg(part), array_agg(uses))
        from (select part, count(*) as uses from dataset cross join name_parts(dataset_name) part
              where id = any (ids) and not is_deleted and coordinates is not null group by part) named;
    end if;
end
$$;

-- The functions of V6 that merge changes and rebuild ranks also learn words: these replace them.

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
    perform learn_words(array(select distinct id from listing_change where no >= first));
    if pending > greatest(10000, listed / 20) then
        -- Rebuilding takes less time than merging so many.
        perform fill_rank(field, decided + 1) from rank_fields() field;
        perform fill_parts();
    else
        perform fold_rank(field, first, decided + 1) from rank_fields() field;
        perform fold_parts(first);
    end if;
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
    -- Before the first query, which takes the snapshot. No fold runs from here on.
    lock table dataset in access share mode;
    lock table rank in share row exclusive mode;
    perform fill_rank(field) from rank_fields() field;
    update rank set (folded, pending_from) = (select max(folded), max(pending_from) from rank);
    perform fill_parts();
    delete from search_word;
    perform learn_words(null);
    delete from listing_change;
end
$$;

select learn_words(null);
