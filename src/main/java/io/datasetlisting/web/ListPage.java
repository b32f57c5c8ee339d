package io.datasetlisting.web;

import java.util.List;

import io.quarkus.qute.TemplateInstance;

/**
 * The list of datasets beside a map.
 *
 * @param form
 *            the filters as HTML
 * @param refusal
 *            null if there are results
 * @param results
 *            null if there is a refusal
 */
record ListPage(HtmlPages.Layout page, String form, Refusal refusal, Results results) implements TemplateInstance {

    /**
     * Why there are no results.
     *
     * @param lastHref
     *            the link to the last page, if the requested page is behind it; otherwise null
     */
    record Refusal(List<String> sentences, String lastHref) {
    }

    /**
     * A page of the result.
     *
     * @param count
     *            datasets on all pages
     * @param first
     *            number of the first dataset of this page, from 1
     * @param last
     *            number of the last dataset of this page
     * @param isFiltered
     *            whether the view has a filter
     * @param cards
     *            the datasets as HTML
     * @param didYouMean
     *            what a search without a match may have meant, as HTML; otherwise empty
     */
    record Results(long count, long first, long last, boolean isFiltered, List<Orders.Link> orders,
            List<String> cards, Pager pager, List<ProgramLinks.Link> formats, List<ProgramLinks.Command> commands,
            MapView map, String didYouMean) {
    }

    /**
     * The links to other pages.
     *
     * @param previousHref
     *            null on the first page
     * @param nextHref
     *            null on the last page
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
     */
    record MapView(String grid) {
    }
}
