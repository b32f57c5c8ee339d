-- What a page has to know of its datasets comes from the index of its order alone: which they are, and which revision of them,
-- see docs/adr/0014. An update writes all indexes anyway, since it changes updated_at, which has one.
--
-- The old indexes go last, so that readers wait for that moment alone.

do $$
declare
    ranked text;
begin
    for ranked in select field from rank loop
        execute format('create index dataset_revisions_%1$s_idx on dataset (%2$s) include (version, updated_at)
            where not is_deleted and not is_private and coordinates is not null',
            ranked, case ranked when 'id' then 'id' else ranked || ', id' end);
    end loop;
    for ranked in select field from rank loop
        execute format('drop index dataset_listed_%s_idx', ranked);
        execute format('alter index dataset_revisions_%1$s_idx rename to dataset_listed_%1$s_idx', ranked);
    end loop;
end
$$;
