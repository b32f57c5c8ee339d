-- Folding touches what has changed alone: see docs/adr/0010. It took as long as readers had to step over a thousand notes and more at
-- 10,000,000 datasets: each section that something had come to was taken apart into its blocks, and read anew as soon as one
-- of them had grown.

-- Cuts a section's widest blocks in two or more, reading no others.
create function split_rank_blocks(field text, section int) returns void language plpgsql as $$
begin
    execute format($dml$
        with block as (
            select block.key, block.id, start, lead(start, 1, rows) over (order by block.key, block.id) - start as width
            from rank_section_%1$s cross join unnest(keys, ids, starts) block (key, id, start)
            where no = $1
        ), measured as (
            select key, id, start, lead(start, 1, (select rows from rank_section_%1$s where no = $1))
                                       over (order by key, id) - start as width
            from (select key, id, start from block
                  union all
                  select listed.key, listed.id, start + place::int
                  from block cross join lateral (
                      select %1$I as key, dataset.id, row_number() over (order by %1$I, dataset.id) - 1 as place
                      from dataset
                      where not is_deleted and not is_private and coordinates is not null
                        and (%1$I, dataset.id) >= (block.key, block.id)
                      order by %1$I, dataset.id limit width) listed
                  -- No crumbs.
                  where width > 256 and place between 128 and width - 64 and place %% 128 = 0) block
        )
        update rank_section_%1$s section
        set keys = cut.keys, ids = cut.ids, starts = cut.starts, widest = cut.widest
        from (select array_agg(key order by key, id) as keys, array_agg(id order by key, id) as ids,
                     array_agg(start order by key, id) as starts, max(width) as widest
              from measured) cut
        where no = $1
        $dml$, field)
    using section;
end
$$;

create or replace function fold_rank(folded text) returns void language plpgsql as $$
declare
    section int;
    fits boolean;
begin
    execute format($dml$
        with change as (
            select %1$I as key, id, sum(change) as change from listing_change
            group by %1$I, id having sum(change) <> 0
        ), placed as materialized (
            select no, change,
                   case when keys[upto] is distinct from change.key then upto
                        else upto - same + width_bucket(change.id, ids[upto - same + 1 : upto]) end as block
            from change cross join lateral (
                select no, keys, ids, width_bucket(change.key, keys) as upto from rank_section_%1$s section
                where (section.key, section.id) <= (change.key, change.id)
                order by section.key desc, section.id desc limit 1) section
            -- Of blocks that begin with the same key the ids tell which it is.
            cross join lateral (select cardinality(array_positions(keys, change.key)) as same) equal
        ), changed as (
            select no, block, sum(change) as change, sum(sum(change)) over (partition by no order by block) as upto
            from placed group by no, block
        ), summed as (
            select no, sum(change) as change, array_agg(block order by block) as blocks,
                   array_agg(change order by block) as changes, array_agg(upto::int order by block) as uptos
            from changed group by no
        )
        update rank_section_%1$s section
        set rows = rows + summed.change,
            starts = array(
                -- And what the blocks before have got or lost.
                select start + coalesce(uptos[width_bucket(block::int - 1, blocks)], 0)
                from unnest(section.starts) with ordinality moved (start, block) order by block),
            -- Or less: what was the widest may have lost some.
            widest = greatest(widest, (
                select max(coalesce(section.starts[block + 1], section.rows) - section.starts[block] + change)
                from unnest(blocks, changes) grown (block, change)))
        from summed where section.no = summed.no
        $dml$, folded);
    for section, fits in execute format(
        'select no, cardinality(starts) + widest / 128 <= 96 from rank_section_%s where widest > 256', folded)
    loop
        if fits then
            perform split_rank_blocks(folded, section);
        else
            perform cut_rank_section(folded, section);
        end if;
    end loop;
    -- The range of one that is empty goes to the one before.
    execute format('delete from rank_section_%s where rows = 0 and id <> %L', folded, '-9223372036854775808');
    perform sum_rank(folded);
end
$$;
