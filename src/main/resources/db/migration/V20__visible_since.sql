-- What became visible since a time, for the filter updated_since. updated_at is the start of a transaction: if the transaction
-- commits late, a client that asked meanwhile has not seen the change, and asks next for times after updated_at.

-- The folds that merged a change long after its updated_at. A row without a use is deleted: folded and oldest both ascend.
create table late_fold (
    folded bigint primary key,
    -- The least updated_at of this fold and of all later ones.
    oldest timestamptz not null
);

-- The time of the number of a fold, see sum_rank.
create function fold_time(folded bigint) returns timestamptz language sql immutable parallel safe strict
return timestamptz '2020-01-01 00:00:00Z' + folded * interval '0.1 seconds';

-- Keeps the oldest updated_at of a fold if it is late, in at most 10,000 rows. Without the first row, its updated_at counts for
-- the second one: a client finds more than it needs, and misses nothing.
create function record_late_fold(folded bigint, oldest timestamptz) returns void
language plpgsql set search_path from current as $$
#variable_conflict use_column
begin
    if oldest is null or oldest >= fold_time(folded) - interval '5 seconds' then
        return;
    end if;
    delete from late_fold where oldest >= record_late_fold.oldest;
    insert into late_fold values (record_late_fold.folded, record_late_fold.oldest) on conflict do nothing;
    if (select count(*) from late_fold) > 10000 then
        with gone as (
            delete from late_fold where folded = (select min(folded) from late_fold) returning late_fold.*
        )
        update late_fold set oldest = gone.oldest from gone
        where late_fold.folded = (select min(later.folded) from late_fold later where later.folded > gone.folded);
    end if;
end
$$;

-- A time that is not after the updated_at of any dataset that became visible at a time or later. Why: let a change have
-- updated_at u and become visible at c. A client that read from a replica, at most 2 s late (dataset.database.max-replica-lag),
-- and has not seen it, asks with a time before c + 2 s. Let n be the time of the fold that merges the change, at most 2 s before
-- c, because it is the start of its transaction. If u is not within 10 s before the asked time, then u < time - 10 s and
-- n > time - 4 s: so n is more than 6 s after u, and the fold is late. A change that no fold has merged counts by itself.
create function visible_since(since timestamptz) returns timestamptz
language plpgsql stable parallel safe set search_path from current as $$
declare
    earlier constant timestamptz := since - interval '4 seconds';
begin
    return least(since - interval '10 seconds',
        (select oldest from late_fold
         where folded >= floor(extract(epoch from earlier - timestamptz '2020-01-01 00:00:00Z') * 10)
         order by folded limit 1),
        (select min(updated_at) from dataset
         where earlier <= now() and id in (
             select id from listing_change
             where no >= (select pending_from from rank where field = 'id' order by folded desc limit 1))));
end
$$;

-- As in V10, with record_late_fold, and with an array of the datasets: the planner knows its length, and reads a few datasets by
-- their ids. Before, it expected as many as are stored, and each fold read all of them.
drop function fold_changes(bigint);
create function fold_changes(first bigint) returns void
language plpgsql set search_path from current set plan_cache_mode = force_custom_plan as $$
declare
    newest bigint := (select folded from rank where field = 'id' order by folded desc limit 1);
    touched bigint[];
    oldest timestamptz;
begin
    if first is null then
        touched := array(select id from dataset union select id from dataset_change where hash is not null);
    else
        touched := array(select distinct id from listing_change where no >= first);
    end if;
    with present as materialized (
        select dataset.id, case when is_private then owner_id else -1 end as audience,
               change_hash(dataset.id, version, updated_at) as hash, uav_uid, updated_at
        from unnest(touched) touch (id) join dataset using (id) where not is_deleted and coordinates is not null
    ), gone as (
        update dataset_change change set folded = newest, hash = null
        from unnest(touched) touch (id)
        where change.id = touch.id and hash is not null
            and not exists (select from present where present.id = change.id and present.audience = change.audience)
    ), written as (
        insert into dataset_change as change (id, audience, folded, hash, uav_uid)
        select id, audience, newest, hash, uav_uid from present
        on conflict (id, audience) do update set folded = excluded.folded, hash = excluded.hash, uav_uid = excluded.uav_uid
        where (change.hash, change.uav_uid) is distinct from (excluded.hash, excluded.uav_uid)
        returning id
    )
    select min(updated_at) into oldest from present where id in (select id from written);
    perform record_late_fold(newest, oldest);
end
$$;
