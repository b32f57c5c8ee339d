-- The private datasets of one owner, or of all for an admin: what a caller sees beside the public ones.
create index dataset_private_owner_idx on dataset (owner_id, id)
    where not is_deleted and is_private and coordinates is not null;

create index idempotency_key_created_idx on idempotency_key (created);
