-- Each word of a search is an index scan of its own, so a repeated word counts once.
create or replace function words_query(text text) returns tsquery language sql immutable parallel safe strict as $$
    select string_agg(distinct '''' || word || ''':*', ' & ')::tsquery from unnest(search_words(text)) word
$$;
