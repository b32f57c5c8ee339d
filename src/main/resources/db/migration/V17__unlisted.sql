-- The drafts and the deleted datasets of one owner, the last change first. A count reads an index alone, and a page
-- only the datasets that it shows.
create index dataset_drafts_idx on dataset (owner_id, updated_at, id) where not is_deleted and coordinates is null;
create index dataset_deleted_idx on dataset (owner_id, updated_at, id) where is_deleted;
