-- The columns of V6 answer what these indexes were for: counts and pages of categories and rasters, and of areas and points.
do $$
declare
    name text;
begin
    foreach name in array array['artificial_terrestrial', 'deep_ocean_floor', 'desert', 'forest', 'grassland', 'intertidal',
            'neritic', 'oceanic', 'other', 'rocky', 'savanna', 'shrubland', 'wetlands', 'ortho', 'dsm', 'dtm', 'multispec_ortho',
            'areas', 'points'] loop
        execute format('drop index dataset_listed_%s_idx', name);
    end loop;
end
$$;
