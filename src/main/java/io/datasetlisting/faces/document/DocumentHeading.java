package io.datasetlisting.faces.document;

import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.view.ListTexts;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;

/**
 * What the page of a document is called.
 *
 * @param description
 *            null if there is none
 * @param isEnglish
 *            whether title and description are those of the document, in English
 */
record DocumentHeading(String title, String description, boolean isEnglish) {

    /** @param path of the document, below the service */
    static DocumentHeading of(String path, JsonNode document, Language language) {
        Words words = Words.in(language);
        String name = path.substring(path.lastIndexOf('/'));
        if (isLanding(path)) {
            return new DocumentHeading(words.of("msg:description"), words.of("document:landing"), false);
        }
        ItemCollection collection = ItemCollection.of(path.substring(Endpoints.STAC.length()));
        if (collection != null && path.endsWith(collection.path())) {
            return of(ItemCollection.of(document), language);
        }
        String title = switch (name) {
            case Endpoints.CONFORMANCE -> words.of("document:conformance");
            case Endpoints.COLLECTIONS -> words.of("document:collections");
            case Endpoints.QUERYABLES -> words.of("document:queryables");
            case Endpoints.SORTABLES -> words.of("document:sortables");
            case Endpoints.SCHEMA -> words.of("document:schema");
            case Endpoints.AGGREGATIONS -> words.of("document:aggregations");
            case Endpoints.STAC_SEARCH -> words.of("document:search_result");
            case Endpoints.ITEMS -> words.of("document:items_heading");
            default -> null;
        };
        if (title != null) {
            return new DocumentHeading(title, null, false);
        }
        return new DocumentHeading(document.path("title").asText(capital(name.substring(1))),
                document.path("description").asText(null), true);
    }

    /** Whether a path is the one of the first document of the catalogue. */
    static boolean isLanding(String path) {
        return path.equals(Endpoints.STAC) || path.equals(Endpoints.STAC + '/');
    }

    static DocumentHeading of(ItemCollection collection, Language language) {
        Words words = Words.in(language);
        if (collection.isNamed()) {
            return new DocumentHeading(collection.title(), collection.description(), false);
        }
        if (collection.workspace() != null) {
            return new DocumentHeading(
                    ListTexts.capital(words.of("msg:phrase_workspace", collection.workspace()), language),
                    words.of("document:about_workspace", collection.workspace()), false);
        }
        return switch (ItemCollection.FIXED.indexOf(collection)) {
            case 0 ->
                new DocumentHeading(words.of("document:title_datasets"), words.of("document:about_datasets"), false);
            case 1 -> new DocumentHeading(words.of("document:title_areas"), words.of("document:about_areas"), false);
            default -> new DocumentHeading(words.of("document:title_points"), words.of("document:about_points"), false);
        };
    }

    private static String capital(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }
}
