-- What searches of the catalogue need beside the filters of the listing: case folding, places of boxes without an area, and the
-- key of page tokens.

-- A text without its case, by Unicode's full case folding, for comparisons without regard to case: 'Straße' and 'STRASSE' become
-- equal. PostgreSQL has a function for this only from version 18 on. Two characters become equal exactly where Unicode's case
-- folding makes them equal, as of the version of ICU, with one exception: the dotless i becomes a noncharacter, because its
-- capital letter is that of i. The final sigma becomes the other one. No index calls the function, so nothing that is stored
-- depends on the version of ICU.
create function case_folded(text text) returns text language sql immutable parallel safe strict
return translate(lower(upper(lower(translate(text, 'ı', U&'\FDD0') collate "und-x-icu"))), 'ς', 'σ');

-- The geometry of a dataset is its bbox. If the bbox has no area, the geometry is the point at the coordinates, which may lie
-- elsewhere, while footprint is still the bbox. The index finds these datasets, which are few: as results of a search, and to
-- leave them out of the results of the index of footprints.
create index dataset_flat_coordinates_idx on dataset ((coordinates[2]), (coordinates[1])) include (id)
    where cardinality(bbox) = 4 and (bbox[1] = bbox[3] or bbox[2] = bbox[4]);

-- The key that authenticates page tokens. All instances use the same key.
create table search_key (
    key bytea not null,
    constraint search_key_is_long check (octet_length(key) = 32)
);
create unique index search_key_single_idx on search_key ((true));
insert into search_key values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- A search in a box by time, or in the order of time, reads the times from the index too, and no dataset.
-- The old index is dropped after the new one exists: a drop locks the table against reads until the end of the transaction.
create index dataset_listed_place_idx on dataset using gist (footprint) include (id, captured_date)
    where not is_deleted and not is_private and coordinates is not null;
drop index dataset_listed_footprint_idx;
alter index dataset_listed_place_idx rename to dataset_listed_footprint_idx;
