-- The search finds words that are typed without their marks. The function changes, and so does the content of its index.
--
-- Writers of datasets wait until the transaction ends. Readers wait only for its end, from the drop of the old index on.
-- Until then every other session has the old function and the old index, which agree, as the new ones do.

-- Not only share: a writer that has locked its row and waits for this transaction would deadlock with the drop of the
-- index.
lock table dataset in exclusive mode;

-- The words of a text for the search: in lower case, without accents and other marks that a user does not type, split at
-- each character that is neither a letter nor a digit, and cut after 100 characters, because normalization can make many
-- letters of one. Case is removed after normalization, which makes capital letters of symbols. The collation makes case
-- and classes of letters equal on every machine. The replaced letters have no accent that could be removed; the final
-- sigma becomes the other one.
--
-- Removed are: the soft hyphen; accents of Latin, Greek and Cyrillic; points and accents of Hebrew; vowels, other marks and
-- the tatweel of Arabic, and marks of Syriac; the blocks of combining marks; variation selectors. Signs that a user types
-- stay, for example the vowels of Indic scripts.
--
-- The body is parsed when the function is created. It does not depend on the search path of the session that calls it.
create or replace function search_words(text text) returns text[] language sql immutable parallel safe strict
return array(select left(word, 100) from regexp_split_to_table(
    replace(replace(translate(
        regexp_replace(lower(normalize(text, NFKD) collate "und-x-icu"),
            '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640'
            '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u08ca-\u08e1'
            '\u08e3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g'),
        'øłđħıς', 'oldhiσ'), 'ß', 'ss'), 'æ', 'ae') collate "und-x-icu",
    '[^[:alnum:]]+') word where word <> '');

-- Matches a name that has, for each word of the text, a word that begins with it. A text without words gives null, which
-- matches nothing. Each word of a query is an index scan of its own, so that a repeated word counts once.
create or replace function words_query(text text) returns tsquery language sql immutable parallel safe strict
return (select string_agg(distinct '''' || word || ''':*', ' & ')::tsquery from unnest(search_words(text)) word);

create index dataset_listed_lists_new_idx on dataset using gin (
        category, available_rasters, rasters_with_stats(band_stats), band_labels(band_stats),
        array_to_tsvector(search_words(dataset_name)))
    where not is_deleted and not is_private and coordinates is not null;
-- The planner knows the frequency of words from the statistics of the index.
analyze dataset;
drop index dataset_listed_lists_idx;
alter index dataset_listed_lists_new_idx rename to dataset_listed_lists_idx;
