package io.datasetlisting.faces.list;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.faces.view.Chip;
import io.datasetlisting.faces.view.FacetGroups;
import io.datasetlisting.faces.view.FilterForm;
import io.datasetlisting.faces.view.Orders;
import io.datasetlisting.faces.view.ProgramLinks;
import io.datasetlisting.faces.web.HtmlPages;
import io.quarkus.qute.TemplateInstance;

/**
 * The list of datasets beside a map.
 *
 * @param heading
 *            what the list has, in words
 * @param form
 *            the filters as fields
 * @param groups
 *            the filters whose choices are links
 * @param count
 *            the datasets that match; null if that is not known
 * @param filters
 *            the filters of the view, each of which can be removed
 * @param clearHref
 *            the view without all filters
 * @param refusal
 *            null if there are results
 * @param results
 *            null if there is a refusal
 */
record ListPage(HtmlPages.Layout page, String heading, FilterForm form, List<FacetGroups.Group> groups, Long count,
        List<Chip> filters, String clearHref, MapView map, Refusal refusal,
        Results results) implements TemplateInstance {

    /**
     * Why there are no results.
     *
     * @param wrong
     *            the names of the filters whose values cannot be used; empty if the page does not exist
     * @param page
     *            the number of the page that does not exist, as the visitor wrote it; null if the reader has to sign in
     * @param last
     *            the number of the last page; null if the number of the page is no number
     * @param href
     *            the link to a page that exists
     */
    record Refusal(List<String> wrong, String page, Long last, String href) {

        /** The view has datasets only for a reader with a token. */
        static final Refusal SIGN_IN = new Refusal(List.of(), null, null, null);

        /** The filters with these messages are wrong. */
        static Refusal of(ObjectNode messages) {
            return new Refusal(messages.propertyStream().map(Map.Entry::getKey).toList(), null, null, null);
        }
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
     * @param summary
     *            one line about all datasets; null if there is none
     * @param picture
     *            the address of the picture of the first dataset; null without datasets
     * @param orders
     *            empty if there is nothing to order
     * @param cards
     *            the datasets as HTML
     * @param pager
     *            null if there is one page
     * @param programs
     *            null without datasets
     * @param didYouMean
     *            what a search may have meant, as HTML; otherwise empty
     * @param shapes
     *            the links between the list and the gallery
     */
    record Results(long count, long first, long last, String summary, String picture, List<Orders.Link> orders,
            List<String> cards, Pager pager, Programs programs, String didYouMean, Subscription subscription,
            Shapes shapes) {
    }

    /**
     * What comes later, and elsewhere.
     *
     * @param atom
     *            the changes that match as an Atom feed
     * @param address
     *            the absolute address of the feed
     * @param changes
     *            the same as a page
     * @param texts
     *            the search in all texts; null without a search, and without datasets, because the page then is that of the texts
     *            if these have matches
     * @param search
     *            what is searched
     */
    record Subscription(String atom, String address, String changes, String texts, String search) {
    }

    /**
     * A view as a list of lines, and as a gallery of pictures.
     *
     * @param gallery
     *            whether the page is a gallery
     */
    record Shapes(boolean gallery, String listHref, String galleryHref) {
    }

    /**
     * The view for programs.
     */
    record Programs(List<ProgramLinks.Link> formats, List<ProgramLinks.Command> commands) {
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
            List<FilterForm.Parameter> query) {
    }

    /**
     * What the map needs.
     *
     * @param grid
     *            relative address of the counts, with the filters except the box; empty without results
     * @param isWide
     *            whether the map first asks for these counts, because it shows all datasets, of which the page has a part
     * @param ground
     *            the names of the files with the ground below it
     * @param histogram
     *            relative address of the counts by time below the map, with the filters except the time; null without them
     */
    record MapView(String grid, boolean isWide, List<String> ground, String histogram) {
    }
}
