-- What the listing's filters look at, beside the columns that are there.

-- When a row came or changed last, whoever changes it.
alter table dataset add column updated_at timestamptz not null default now();

create function touch_dataset() returns trigger language plpgsql as $$
begin
    new.updated_at := now();
    return new;
end
$$;
create trigger dataset_is_touched before update on dataset for each row execute function touch_dataset();

-- The words of a text as they are searched: lower case, without accents, cut at all that is no letter and no
-- digit, and after 100 characters, as some letters become many. The collation makes case and letters the same on
-- every machine. The letters in the middle have no accent that could be taken away.
create function search_words(text text) returns text[] language sql immutable parallel safe strict as $$
    select array(select left(word, 100) from regexp_split_to_table(
        replace(replace(translate(
            regexp_replace(normalize(lower(text collate "und-x-icu"), NFKD), '[\u0300-\u036f]', '', 'g'),
            'øłđħı', 'oldhi'), 'ß', 'ss'), 'æ', 'ae') collate "und-x-icu",
        '[^[:alnum:]]+') word where word <> '')
$$;

-- Asks for names that have, for each word of a text, one that begins with it; null, which nothing fits, for a
-- text without words.
create function words_query(text text) returns tsquery language sql immutable parallel safe strict as $$
    select string_agg('''' || word || ''':*', ' & ')::tsquery from unnest(search_words(text)) word
$$;

-- The rasters with statistics.
create function rasters_with_stats(band_stats jsonb) returns text[] language sql immutable parallel safe strict as $$
    select array_remove(array[
        case when band_stats -> 'dsm' <> '{}' then 'dsm' end,
        case when band_stats -> 'dtm' <> '{}' then 'dtm' end,
        case when band_stats -> 'ortho' <> '{}' then 'ortho' end,
        case when band_stats -> 'multispec_ortho' <> '{}' then 'multispec_ortho' end], null)
$$;

-- The labels of the multispectral orthomosaic's bands.
create function band_labels(band_stats jsonb) returns text[] language sql immutable parallel safe strict as $$
    select array(select jsonb_object_keys(band_stats #> '{multispec_ortho,band_descr}'))
$$;
