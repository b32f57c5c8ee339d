-- One index for each ordering on offer, over just the rows that the public listing shows. id at the end
-- makes each order total, so that a scan in either direction is a page in either direction. The
-- condition is the same text as in the query: PostgreSQL then knows that it holds and reads ids and
-- counts from the index alone.

create index dataset_listed_id_idx on dataset (id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_uav_uid_idx on dataset (uav_uid, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_owner_name_idx on dataset (owner_name, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_workspace_idx on dataset (workspace, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_dataset_name_idx on dataset (dataset_name, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_captured_date_idx on dataset (captured_date, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_is_private_idx on dataset (is_private, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_is_shareable_idx on dataset (is_shareable, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_cant_orthomosaic_idx on dataset (cant_orthomosaic, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_is_dem_processing_idx on dataset (is_dem_processing, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_cumulative_adjustment_idx on dataset (cumulative_adjustment, id)
    where not is_deleted and not is_private and coordinates is not null;
create index dataset_listed_latest_adjustment_status_idx on dataset (latest_adjustment_status, id)
    where not is_deleted and not is_private and coordinates is not null;

create index dataset_footprint_idx on dataset using gist (footprint);
