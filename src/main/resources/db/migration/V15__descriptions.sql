-- What owners say about their datasets, each of it optional: the fields that the listing does not show. Columns without a default
-- change the catalogue alone; no row is written.
alter table dataset
    add column description      text,
    -- Each tag once, in the order of the owner; never empty.
    add column tags             text[],
    add column data_credits     text,
    add column data_captured_by text,
    add column institution_name text,
    add column location_name    text;

-- What the free text q of /stac searches, see FreeTextSql. A term is a phrase: its words follow each other in one text. The index
-- finds the datasets that have all words of a term, and array_phrases decides which of them have the phrase. The positions of a
-- tsvector could not: it keeps 256 positions of a word and 16,383 of a text.

-- The words of all texts, each once, as search_words has them.
create function array_words(texts text[]) returns text[] language sql immutable parallel safe strict
return array(select distinct word from unnest(texts) text cross join unnest(search_words(text)) word);

-- The words of each text, with a space before and behind each word, and a bar between two texts. So no phrase goes from one text
-- into the next one.
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
