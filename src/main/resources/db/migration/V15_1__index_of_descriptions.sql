-- For the free text q of /stac. The names and the categories have indexes of their own, so that a dataset without any of these
-- texts is not in this one, and a write of it costs nothing. FreeTextSql has the same conditions and the same expression.
create index dataset_texts_idx on dataset using gin (array_to_tsvector(array_words(
        array[description, data_credits, data_captured_by, institution_name, location_name] || tags)))
    where not is_deleted and coordinates is not null
        and num_nonnulls(description, tags, data_credits, data_captured_by, institution_name, location_name) > 0;
