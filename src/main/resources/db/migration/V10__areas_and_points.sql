-- The ids of the public datasets whose geometry is an area, and of those whose geometry is a point, for the collections areas and
-- points of /stac: their pages and counts read these indexes alone. A bbox that is empty or has no area gives a point.
create index dataset_listed_areas_idx on dataset (id)
    where not is_deleted and not is_private and coordinates is not null
        and (footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1];
create index dataset_listed_points_idx on dataset (id)
    where not is_deleted and not is_private and coordinates is not null
        and not ((footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1]);
