package io.datasetlisting.faces.list;

import java.util.List;

import io.quarkus.qute.TemplateInstance;

/**
 * What a search may have meant, above all one without a match, as HTML.
 *
 * @param typed
 *            the search
 * @param names
 *            similar names
 * @param containing
 *            names with the search inside of a word
 * @param frequent
 *            frequent words
 * @param areas
 *            places and coordinates
 */
record DidYouMeanPart(String typed, List<Link> names, List<Link> containing, List<Link> frequent,
        List<Link> areas)
        implements
            TemplateInstance {

    /**
     * A link to a list.
     *
     * @param detail
     *            the region and country of a place; otherwise null
     * @param count
     *            the datasets of the list; null for an area
     */
    record Link(String href, String text, String detail, Long count) {
    }
}
