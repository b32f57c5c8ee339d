-- One index for each filter that has none yet, over just the rows that the public listing shows. What looks into
-- lists and words shares one: each of its columns can be asked by itself, and a row's entries are written at once.
create index dataset_listed_lists_idx on dataset using gin (
        category, available_rasters, rasters_with_stats(band_stats), band_labels(band_stats),
        array_to_tsvector(search_words(dataset_name)))
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_owner_id_idx on dataset (owner_id, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_updated_at_idx on dataset (updated_at, id)
    where not is_deleted and not is_private and coordinates is not null;
