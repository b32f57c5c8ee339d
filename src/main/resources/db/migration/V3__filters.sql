-- Functions and indexes for the filters of the listing: see docs/adr/0009. Queries and indexes call the same immutable
-- functions, so that no derived value is stored in the table.

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
create function search_words(text text) returns text[] language sql immutable parallel safe strict
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
create function words_query(text text) returns tsquery language sql immutable parallel safe strict
return (select string_agg(distinct '''' || word || ''':*', ' & ')::tsquery from unnest(search_words(text)) word);

-- The rasters that have statistics, for the filter has_stats.
create function rasters_with_stats(band_stats jsonb) returns text[] language sql immutable parallel safe strict as $$
    select array_remove(array[
        case when band_stats -> 'dsm' <> '{}' then 'dsm' end,
        case when band_stats -> 'dtm' <> '{}' then 'dtm' end,
        case when band_stats -> 'ortho' <> '{}' then 'ortho' end,
        case when band_stats -> 'multispec_ortho' <> '{}' then 'multispec_ortho' end], null)
$$;

-- The labels of the bands of the multispectral orthomosaic, for the filter band.
create function band_labels(band_stats jsonb) returns text[] language sql immutable parallel safe strict as $$
    select array(select jsonb_object_keys(band_stats #> '{multispec_ortho,band_descr}'))
$$;

-- The filters by workspace, captured_date, is_shareable and owner_name read the indexes that create_rank makes.

-- Lists and words share one index. A query can use each column alone, and one write adds the entries of all columns.
create index dataset_listed_lists_idx on dataset using gin (
        category, available_rasters, rasters_with_stats(band_stats), band_labels(band_stats),
        array_to_tsvector(search_words(dataset_name)))
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_owner_id_idx on dataset (owner_id, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_updated_at_idx on dataset (updated_at, id)
    where not is_deleted and not is_private and coordinates is not null;

-- in_bbox. The index of the public listing includes the id, so that counting reads no dataset, and the time: a search in a box by
-- time, or in the order of time, reads no dataset either.
create index dataset_listed_footprint_idx on dataset using gist (footprint) include (id, captured_date)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_private_footprint_idx on dataset using gist (footprint)
    where not is_deleted and is_private and coordinates is not null;

-- The geometry of a dataset is its bbox. If the bbox has no area, the geometry is the point at the coordinates, which may lie
-- elsewhere, while footprint is still the bbox. The index finds these datasets, which are few: as results of a search, and to
-- leave them out of the results of the index of footprints.
create index dataset_flat_coordinates_idx on dataset ((coordinates[2]), (coordinates[1])) include (id)
    where cardinality(bbox) = 4 and (bbox[1] = bbox[3] or bbox[2] = bbox[4]);

-- The ids of the public datasets whose geometry is an area, and of the datasets whose geometry is a point, for the collections
-- areas and points of /stac: their pages and counts read these indexes alone. A bbox that is empty or has no area gives a point.
create index dataset_listed_areas_idx on dataset (id)
    where not is_deleted and not is_private and coordinates is not null
        and (footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1];
create index dataset_listed_points_idx on dataset (id)
    where not is_deleted and not is_private and coordinates is not null
        and not ((footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1]);

-- The ids of each category and of each raster, for the public listing with one or several of them as the only filter.
do $$
declare
    category text;
    raster text;
begin
    foreach category in array array['Artificial - terrestrial', 'Deep ocean floor', 'Desert', 'Forest', 'Grassland',
            'Intertidal', 'Neritic', 'Oceanic', 'Other', 'Rocky', 'Savanna', 'Shrubland', 'Wetlands'] loop
        execute format('create index dataset_listed_%s_idx on dataset (id)
            where not is_deleted and not is_private and coordinates is not null and category && %L',
            lower(regexp_replace(category, '\W+', '_', 'g')), array[category]);
    end loop;
    foreach raster in array array['ortho', 'dsm', 'dtm', 'multispec_ortho'] loop
        execute format('create index dataset_listed_%s_idx on dataset (id)
            where not is_deleted and not is_private and coordinates is not null and available_rasters && %L',
            raster, array[raster]);
    end loop;
end
$$;
