package io.datasetlisting.faces.list;

import java.util.List;

import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.web.HtmlPages;
import io.quarkus.qute.TemplateInstance;

/**
 * The newest changes.
 *
 * @param heading
 *            of the page
 * @param view
 *            the filters in words
 * @param listHref
 *            the list with the same filters
 * @param atom
 *            the same changes as an Atom feed
 * @param changes
 *            the newest first
 */
record RecentPage(HtmlPages.Layout page, String heading, String view, String listHref, String atom,
        List<Change> changes) implements TemplateInstance {

    /**
     * A change of a dataset.
     *
     * @param time
     *            when it became visible
     * @param moment
     *            the time for people
     * @param isNew
     *            whether the dataset has not changed since it was created
     * @param card
     *            null if the dataset is gone
     */
    record Change(long id, String time, String moment, boolean isNew, Card card) {
    }
}
