package io.datasetlisting.query;

import java.util.List;
import java.util.Map;

import io.datasetlisting.base.SearchWords;
import io.datasetlisting.database.Sql;
import io.datasetlisting.dataset.DatasetFields;

/**
 * Makes the SQL condition of the free text of a search. The datasets are found through the indexes of names, of categories and of
 * the texts of owners, and apart from all other conditions: these functions must not run for each dataset of a listing.
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
    private static final String WORDS_OF_NAME = "array_to_tsvector(search_words(dataset_name))";

    /** These three are the same as in the index {@code dataset_texts_idx}. */
    private static final String HAS_TEXTS = """
            num_nonnulls(description, tags, data_credits, data_captured_by, institution_name, location_name) > 0""";

    private static final String TEXTS = """
            array[description, data_credits, data_captured_by, institution_name, location_name] || tags""";

    private static final String WORDS_OF_TEXTS = "array_to_tsvector(array_words(" + TEXTS + "))";

    /** The words of a term decide unless it has several: then the datasets that the index has found are read. */
    private static final String HAS_PHRASE = """
            (not (select terms_have_phrase({terms}))
                or array_phrases({texts}) like any ((select terms_patterns({terms}))::text[]))""";

    private FreeTextSql() {
    }

    /** @param terms of which one has to be in a text */
    static Sql condition(List<String> terms) {
        Sql bound = Sql.value(terms.toArray(String[]::new)).in("", "::text[]");
        return Sql.of(CONDITION, Map.of(
                "listed", Sql.of(LISTED),
                "words_of_name", Sql.of(WORDS_OF_NAME),
                "query", bound.in("terms_query(", ")"),
                "has_phrase_in_name", hasPhrase("array[dataset_name]", bound),
                "categories", Sql.value(categories(terms)),
                "has_texts", Sql.of(HAS_TEXTS),
                "words_of_texts", Sql.of(WORDS_OF_TEXTS),
                "has_phrase_in_texts", hasPhrase(TEXTS, bound)));
    }

    private static Sql hasPhrase(String texts, Sql terms) {
        return Sql.of(HAS_PHRASE, Map.of("texts", Sql.of(texts), "terms", terms));
    }

    /** The categories that contain a term. */
    private static String[] categories(List<String> terms) {
        return DatasetFields.CATEGORIES.stream()
                .filter(category -> terms.stream().anyMatch(term -> SearchWords.hasPhrase(category, term)))
                .toArray(String[]::new);
    }
}
