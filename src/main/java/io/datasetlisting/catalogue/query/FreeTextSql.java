package io.datasetlisting.catalogue.query;

import java.util.List;
import java.util.Map;

import io.datasetlisting.base.SearchWords;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.postgres.database.Sql;

/**
 * Makes the SQL condition of the free text of a search. The datasets are found through the indexes of names, of categories and
 * of the texts of owners, and apart from all other conditions but those of ids: these functions must not run for each dataset
 * of a listing.
 */
final class FreeTextSql {

    /** The subquery runs once, because {@code offset 0} keeps the planner from joining its tables. */
    private static final String CONDITION = """
            id in (
                select id from dataset where {listed} and {words_of_name} @@ {query} and {has_phrase_in_name}
                union all
                select id from dataset where {listed} and category && {categories}::text[]
                union all
                select id from dataset where {listed} and {has_texts} and {words_of_texts} @@ {query} and {has_phrase_in_texts}
                offset 0)""";

    private static final String LISTED = "not is_deleted and coordinates is not null";

    /** The same as in the index of the filters. */
    static final String WORDS_OF_NAME = "array_to_tsvector(search_words(dataset_name))";

    /** These three are the same as in the index {@code dataset_texts_idx}. */
    private static final String HAS_TEXTS = """
            num_nonnulls(description, tags, data_credits, data_captured_by, institution_name, location_name) > 0""";

    private static final String TEXTS = """
            array[description, data_credits, data_captured_by, institution_name, location_name] || tags""";

    private static final String WORDS_OF_TEXTS = "array_to_tsvector(array_words(" + TEXTS + "))";

    /**
     * The words of a term decide unless it has several: then the datasets that the index has found are read. In a text of ASCII
     * characters alone, an expression finds the phrases at a tenth of the cost, because nothing has to be folded but case.
     */
    private static final String HAS_PHRASE = """
            (not (select terms_have_phrase({terms})) or exists (
                select from unnest({texts}) text
                where case when octet_length(text) > length(text)
                    then array_phrases(array[text]) like any ((select terms_patterns({terms}))::text[])
                    else lower(text collate "C") ~ {expression} end))""";

    /** Null if no term has only ASCII words. The words are letters and digits, and {@code search_words} cuts them at 100. */
    private static final String ASCII_EXPRESSION = """
            (select '(^|[^a-z0-9])(' || string_agg(words, '|') || ')([^a-z0-9]|$)' from (
                select (
                    select string_agg(
                        word || case length(word) when 100 then '[a-z0-9]*' else '' end, '[^a-z0-9]+' order by n)
                    from unnest(search_words(term)) with ordinality each(word, n)) as words
                from unnest({terms}) term offset 0) phrase
             where octet_length(words) = length(words))""";

    private FreeTextSql() {
    }

    /**
     * @param terms
     *            of which one has to be in a text
     * @param others
     *            conditions of the ids alone, each behind {@code and}
     */
    static Sql condition(List<String> terms, Sql others) {
        Sql bound = Sql.value(terms.toArray(String[]::new)).in("", "::text[]");
        return Sql.of(CONDITION, Map.of(
                "listed", others.in(LISTED, ""),
                "words_of_name", Sql.of(WORDS_OF_NAME),
                "query", bound.in("terms_query(", ")"),
                "has_phrase_in_name", hasPhrase("array[dataset_name]", bound),
                "categories", Sql.value(categories(terms)),
                "has_texts", Sql.of(HAS_TEXTS),
                "words_of_texts", Sql.of(WORDS_OF_TEXTS),
                "has_phrase_in_texts", hasPhrase(TEXTS, bound)));
    }

    private static Sql hasPhrase(String texts, Sql terms) {
        return Sql.of(HAS_PHRASE, Map.of("texts", Sql.of(texts), "terms", terms,
                "expression", Sql.of(ASCII_EXPRESSION, Map.of("terms", terms))));
    }

    /** The categories that contain a term. */
    private static String[] categories(List<String> terms) {
        return DatasetFields.CATEGORIES.stream()
                .filter(category -> terms.stream().anyMatch(term -> SearchWords.hasPhrase(category, term)))
                .toArray(String[]::new);
    }
}
