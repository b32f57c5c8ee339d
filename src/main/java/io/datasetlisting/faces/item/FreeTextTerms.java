package io.datasetlisting.faces.item;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.BlankText;
import io.datasetlisting.http.input.StrictJson;

/**
 * Parses the parameter {@code q} of a search.
 *
 * @see <a href="https://github.com/stac-api-extensions/freetext-search">Free-text extension of STAC API</a>
 */
public final class FreeTextTerms {

    /** Each term costs a search in three indexes. */
    private static final int MAX_TERMS = 20;
    private static final int MAX_CHARACTERS = 255;

    private FreeTextTerms() {
    }

    /**
     * The terms of a text.
     *
     * @param text
     *            an array of terms, or, as in a query, one text with commas between the terms
     *
     * @throws ApiException
     *             400 for anything else, and for too many or too long terms
     */
    public static List<String> parse(JsonNode text) {
        List<String> terms = terms(text).map(BlankText::strip).filter(term -> !term.isEmpty()).distinct()
                .limit(MAX_TERMS + 1L).toList();
        if (terms.size() > MAX_TERMS) {
            throw refuse("at most " + MAX_TERMS + " terms are allowed.");
        }
        for (String term : terms) {
            if (term.codePointCount(0, term.length()) > MAX_CHARACTERS) {
                throw refuse("a term has at most " + MAX_CHARACTERS + " characters.");
            }
            if (term.indexOf('\0') >= 0 || StrictJson.loneSurrogate(term) >= 0) {
                throw refuse("null characters and lone surrogates are not allowed.");
            }
        }
        return terms;
    }

    private static Stream<String> terms(JsonNode text) {
        if (text.isTextual()) {
            return Arrays.stream(text.textValue().split(","));
        }
        if (!text.isArray()) {
            throw refuse("an array of texts is expected.");
        }
        return StreamSupport.stream(text.spliterator(), false).map(term -> {
            if (!term.isTextual()) {
                throw refuse("an array of texts is expected.");
            }
            return term.textValue();
        });
    }

    private static ApiException refuse(String reason) {
        return new ApiException(400, "q: " + reason);
    }
}
