package io.datasetlisting.web;

import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.item.ItemCollection;

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
        DocumentMessages words = HtmlPages.words(DocumentMessages.class, language);
        String name = path.substring(path.lastIndexOf('/'));
        if (isLanding(path)) {
            return new DocumentHeading(HtmlPages.words(language).description(), words.landing(), false);
        }
        ItemCollection collection = ItemCollection.of(path.substring(Endpoints.STAC.length()));
        if (collection != null && path.endsWith(collection.path())) {
            return of(collection, language);
        }
        String title = switch (name) {
            case Endpoints.CONFORMANCE -> words.conformance();
            case Endpoints.COLLECTIONS -> words.collections();
            case Endpoints.QUERYABLES -> words.queryables();
            case Endpoints.SORTABLES -> words.sortables();
            case Endpoints.SCHEMA -> words.schema();
            case Endpoints.AGGREGATIONS -> words.aggregations();
            case Endpoints.STAC_SEARCH -> words.search_result();
            case Endpoints.ITEMS -> words.items_heading();
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
        DocumentMessages words = HtmlPages.words(DocumentMessages.class, language);
        return switch (collection) {
            case DATASETS -> new DocumentHeading(words.title_datasets(), words.about_datasets(), false);
            case AREAS -> new DocumentHeading(words.title_areas(), words.about_areas(), false);
            case POINTS -> new DocumentHeading(words.title_points(), words.about_points(), false);
        };
    }

    private static String capital(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }
}
