package io.datasetlisting.web;

import java.util.List;

import io.quarkus.qute.TemplateInstance;

/**
 * The list of datasets beside a map.
 *
 * @param count
 *            datasets on all pages
 * @param first
 *            number of the first dataset of this page from 1
 */
record ListPage(Layout page, FilterForm form, List<Choice> orders, long count, long first, List<Card> datasets,
        Pager pager, List<Choice> formats, List<Command> commands, MapView map) implements TemplateInstance {

    /** A link that may be the chosen one of several. */
    record Choice(String label, String href, boolean chosen) {
    }

    /** A line to copy. */
    record Command(String label, String line) {
    }

    /**
     * The links to other pages; null where there is none.
     *
     * @param query
     *            the other parameters, for the form that leads to a page by its number
     */
    record Pager(long page, long last, String firstHref, String previousHref, String nextHref, String lastHref,
            List<Parameter> query) {
    }

    record Parameter(String name, String value) {
    }

    /**
     * What the map needs.
     *
     * @param grid
     *            relative address of the counts, with the filters except the box
     * @param tiles
     *            null for the map of land and sea
     */
    record MapView(String grid, String tiles, String attribution) {
    }
}
