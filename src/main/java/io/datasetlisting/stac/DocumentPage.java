package io.datasetlisting.stac;

import java.util.List;

import io.datasetlisting.web.JsonView;
import io.datasetlisting.web.Layout;
import io.quarkus.qute.TemplateInstance;

/**
 * A document of the catalogue as a page.
 *
 * @param description
 *            null if the document has none
 * @param json
 *            relative address of the document as JSON
 * @param document
 *            all that the JSON contains
 * @param search
 *            null for a document without items
 */
record DocumentPage(Layout page, String heading, String description, String json, JsonView document, Search search)
        implements
            TemplateInstance {

    /**
     * A page of items as the cards of the list. A link is null where there is no such page.
     *
     * @param count
     *            datasets on all pages
     * @param cards
     *            the datasets as HTML
     * @param first
     *            link to the first page
     * @param previous
     *            link to the page before this one
     */
    record Search(long count, List<String> cards, String first, String previous, String next, String last) {
    }
}
