-- What owners say about their datasets, and what the free text q of /stac finds in it. Triggers of the writes of datasets.
-- What waits: readers and writers of datasets, for milliseconds. A new column writes no row. The migration waits for requests.

alter table dataset
    add column created_at timestamptz, -- null: the dataset is from before this migration
    alter column created_at set default now(),
    add column description text, add column tags text[], -- each tag once, in the order of the owner; never empty
    add column data_credits text, add column data_captured_by text,
    add column institution_name text, add column location_name text,
    add column license text, add column citation text, add column doi text,
    add column rasters jsonb, -- the locations that the owner names, by product; null without one
    add column raster_headers jsonb; -- what the rasters say of themselves, by product; null if none was read

-- The distance of the rows of the finest raster in metres; null if none is known.
create function raster_gsd(headers jsonb) returns double precision language sql immutable parallel safe
return least((headers -> 'ortho' -> 'gsd')::double precision, (headers -> 'dsm' -> 'gsd')::double precision,
             (headers -> 'dtm' -> 'gsd')::double precision, (headers -> 'multispec_ortho' -> 'gsd')::double precision);

-- Before the statement: they wait for the mirror without locks of rows, and run before the first number is taken.
create trigger dataset_own_writes_are_noted before insert or update or delete on dataset
    for each statement execute function note_own_write();
create trigger dataset_ids_after_promotion before insert on dataset
    for each statement execute function leave_gap_after_promotion();

-- A mirror keeps the times and versions of its origin: it sets dataset.keep_times to 'on' for its transaction. A rename of an
-- account changes its datasets by the foreign key, which adds nothing to the version; the tag must differ with the field user.
create or replace function touch_dataset() returns trigger language plpgsql set search_path from current as $$
begin
    if current_setting('dataset.keep_times', true) is distinct from 'on' then
        new.updated_at := now();
        if new.owner_name <> old.owner_name and new.version = old.version then new.version := old.version + 1; end if;
    end if;
    return new;
end $$;

-- A term of q is a phrase: its words follow each other in one text. An index finds the datasets that have all words of a term,
-- and array_phrases decides which of them have the phrase. The positions of a tsvector could not: it keeps 256 of a word and
-- 16,383 of a text. The words of all texts, each once, as search_words has them:
create function array_words(texts text[]) returns text[] language sql immutable parallel safe strict
return array(select distinct word from unnest(texts) text cross join unnest(search_words(text)) word);

-- The words of each text, with a space before and behind each word, and a bar between two texts, which ends a phrase.
create function array_phrases(texts text[]) returns text language sql immutable parallel safe strict
return (select string_agg(' ' || array_to_string(search_words(text), ' ') || ' ', '|') from unnest(texts) text);

-- Matches words that contain all words of a term. Null if no term has a word: that matches nothing.
create function terms_query(terms text[]) returns tsquery language sql immutable parallel safe strict
return (select string_agg('(' || words || ')', ' | ')::tsquery from (
    select (select string_agg(distinct '''' || word || '''', ' & ') from unnest(search_words(term)) word) as words
    from unnest(terms) term) each);

-- The patterns of the terms in array_phrases. Words have only letters and digits, so that nothing is to be escaped.
create function terms_patterns(terms text[]) returns text[] language sql immutable parallel safe strict
return array(select '% ' || array_to_string(search_words(term), ' ') || ' %' from unnest(terms) term
             where cardinality(search_words(term)) > 0);

-- Whether a term has several words, so that the words of a dataset do not decide.
create function terms_have_phrase(terms text[]) returns boolean language sql immutable parallel safe strict
return exists (select from unnest(terms) term where cardinality(search_words(term)) > 1);
