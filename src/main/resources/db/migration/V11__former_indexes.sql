-- Former indexes of dataset. What waits: readers and writers, for milliseconds; the migration waits for running requests. It is a
-- transaction of its own: behind V10, which has locked writers out, this lock could wait for a write that waits for V10.

-- The columns answer what these indexes were for: counts and pages of categories and rasters, and of areas and points.
drop index dataset_listed_lists_idx, dataset_listed_artificial_terrestrial_idx, dataset_listed_deep_ocean_floor_idx,
    dataset_listed_desert_idx, dataset_listed_forest_idx, dataset_listed_grassland_idx, dataset_listed_intertidal_idx,
    dataset_listed_neritic_idx, dataset_listed_oceanic_idx, dataset_listed_other_idx, dataset_listed_rocky_idx,
    dataset_listed_savanna_idx, dataset_listed_shrubland_idx, dataset_listed_wetlands_idx, dataset_listed_ortho_idx,
    dataset_listed_dsm_idx, dataset_listed_dtm_idx, dataset_listed_multispec_ortho_idx, dataset_listed_areas_idx,
    dataset_listed_points_idx;
alter index dataset_lists_idx rename to dataset_listed_lists_idx;
