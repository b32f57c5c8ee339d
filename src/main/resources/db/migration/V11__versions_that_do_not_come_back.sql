-- Folds are numbered by the clock, in tenths of a second: see docs/adr/0011. A standby that takes over may lack the last ones.
-- Counted one by one, the next folds would have their numbers again, and instances have kept pages of those.
create or replace function sum_rank(summed text) returns void language plpgsql as $$
begin
    execute format($dml$
        update rank set folded = greatest(folded + 1, (extract(epoch from clock_timestamp()
                                                               - timestamptz '2020-01-01 00:00:00Z') * 10)::bigint),
                        (total, sections, starts) = (
            select sum(rows), array_agg(no order by place), array_agg(upto - rows order by place)
            from (select no, rows, row_number() over places as place, sum(rows) over places as upto
                  from rank_section_%1$s window places as (order by key, id)) section)
        where field = %1$L
        $dml$, summed);
end
$$;

comment on column rank.folded is
    'which fold this is of, by the clock: with the number of changes since it is the version of the listing';
