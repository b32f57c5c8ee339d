-- What searches of the catalogue need beside the filters of the listing: case folding, and the key of page tokens.

-- A text without its case, by Unicode's full case folding, for comparisons without regard to case: 'Straße' and 'STRASSE' become
-- equal. PostgreSQL has a function for this only from version 18 on. Two characters become equal exactly where Unicode's case
-- folding makes them equal, as of the version of ICU, with one exception: the dotless i becomes a noncharacter, because its
-- capital letter is that of i. The final sigma becomes the other one. No index calls the function, so nothing that is stored
-- depends on the version of ICU.
create function case_folded(text text) returns text language sql immutable parallel safe strict
return translate(lower(upper(lower(translate(text, 'ı', U&'\FDD0') collate "und-x-icu"))), 'ς', 'σ');

-- The key that authenticates page tokens. All instances use the same key.
create table search_key (
    key bytea not null,
    constraint search_key_is_long check (octet_length(key) = 32)
);
create unique index search_key_single_idx on search_key ((true));
insert into search_key values (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
