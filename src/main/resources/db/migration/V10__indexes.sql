-- New indexes of dataset. What waits: writers, while the indexes are built, 16 s for a million datasets.

-- What an index computes of each written dataset, as before, in 0.83 times the CPU of an insert: PostgreSQL writes these
-- functions into the expressions of indexes and queries. It does not do so with a function that is strict or contains a query,
-- but begins and ends an execution for each call. Other texts, and labels of bands, still take the former functions.
alter function search_words(text) rename to any_words;
create function search_words(text text) returns text[] language sql immutable parallel safe
return case when octet_length(text) = char_length(text) and octet_length(text) <= 100 -- in UTF-8, the text is ASCII
            then array_remove(regexp_split_to_array(lower(text collate "C"), '[^a-z0-9]+'), '') else any_words(text) end;
alter function rasters_with_stats(jsonb) called on null input;
alter function band_labels(jsonb) rename to any_band_labels;
create function band_labels(band_stats jsonb) returns text[] language sql immutable parallel safe
return case when band_stats -> 'multispec_ortho' -> 'band_descr' is null then '{}' else any_band_labels(band_stats) end;

-- Other words take 0.2 ms for a name. Without this cost, the planner splits all names of a range of ids while the table has no
-- statistics yet, as at the beginning of a first import.
alter function any_words(text) cost 5000;
alter function search_words(text) cost 5000;
alter function array_words(text[]) cost 5000;

-- A word is sought among the private datasets too, because the columns contain both. The index has the columns of the one that it
-- replaces, and private datasets besides.
create index dataset_lists_idx on dataset using gin (
        category, available_rasters, rasters_with_stats(band_stats), band_labels(band_stats),
        array_to_tsvector(search_words(dataset_name)))
    -- Each search reads all entries that are not merged yet. With the default of 4 MB this takes longer than the rest.
    with (gin_pending_list_limit = 256)
    where not is_deleted and coordinates is not null;

-- For the free text q of /stac. A dataset without any of these texts is not in this index, and a write of it costs nothing:
-- FreeTextSql has the same conditions and the same expression. The names and the categories have indexes of their own.
create index dataset_texts_idx on dataset using gin (array_to_tsvector(array_words(
        array[description, data_credits, data_captured_by, institution_name, location_name] || tags)))
    with (gin_pending_list_limit = 256)
    where not is_deleted and coordinates is not null
        and num_nonnulls(description, tags, data_credits, data_captured_by, institution_name, location_name) > 0;

-- For the filters of the finest raster. A dataset whose rasters were not read is not in this index.
create index dataset_gsd_idx on dataset (raster_gsd(raster_headers))
    where not is_deleted and coordinates is not null and raster_gsd(raster_headers) is not null;

-- The drafts and the deleted datasets of one owner, the last change first. A count reads an index alone, and a page
-- only the datasets that it shows.
create index dataset_drafts_idx on dataset (owner_id, updated_at, id) where not is_deleted and coordinates is null;
create index dataset_deleted_idx on dataset (owner_id, updated_at, id) where is_deleted;

-- The planner does not use the statistics of the expressions of this index, and assumes that each list is of a two hundredth of
-- the datasets. With two such conditions it expects one dataset, and searches a free text again for each one that it finds.
create statistics dataset_lists_statistics on (rasters_with_stats(band_stats)), (band_labels(band_stats)) from dataset;
