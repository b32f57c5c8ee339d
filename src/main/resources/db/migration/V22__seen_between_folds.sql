-- Tombstones of what appeared and disappeared between two folds. Pages and exports show a change before its fold: a copy that
-- began with one of them kept such a dataset for ever.

-- write_trigger_functions of V21, in which a change outside of the listings is marked as equal: no audience has seen it.
do $$
declare
    wanted text := pg_get_functiondef('write_trigger_functions()'::regprocedure);
    side text;
begin
    foreach side in array array['old_rows', 'new_rows'] loop
        if position('(change, %1$s) select 0, %1$s from ' || side || ' limit 1' in wanted) = 0 then
            raise 'write_trigger_functions has another text';
        end if;
        wanted := replace(wanted, '(change, %1$s) select 0, %1$s from ' || side || ' limit 1',
                          '(change, %1$s, is_equal) select 0, %1$s, true from ' || side || ' limit 1');
    end loop;
    execute wanted;
end
$$;

select write_trigger_functions();

-- Writes a tombstone for each audience that may have seen a dataset in a pending change and does not see it now. The caller has
-- written the datasets that are seen now, and the other tombstones.
create function write_tombstones(first bigint, newest bigint) returns void language sql set search_path from current as $$
    insert into dataset_change as change (id, audience, folded, hash, uav_uid)
    select distinct on (id, audience) id, audience, newest, null::bigint, uav_uid
    from (select id, uav_uid, no, case when is_private then (select account.id from account where username = owner_name)
                                       else -1 end as audience
          from listing_change where no >= first and not is_equal and (is_private or change <> 0)) seen
    -- A subquery for each row, and no join: a fold of a few changes must not read all datasets.
    where audience is not null
        and (select hash from dataset_change present where present.id = seen.id and present.audience = seen.audience) is null
    order by id, audience, no desc
    on conflict (id, audience) do update set folded = excluded.folded
    where change.hash is null and change.folded <> excluded.folded
$$;

-- fold_changes of V20, with write_tombstones at its end.
do $$
declare
    before constant text := pg_get_functiondef('fold_changes(bigint)'::regprocedure);
    wanted constant text := replace(before, 'perform record_late_fold(newest, oldest);',
                                    'perform write_tombstones(coalesce(first, 0), newest);
    perform record_late_fold(newest, oldest);');
begin
    if wanted = before then
        raise 'fold_changes has another text';
    end if;
    execute wanted;
end
$$;
