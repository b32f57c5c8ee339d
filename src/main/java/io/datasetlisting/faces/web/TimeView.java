package io.datasetlisting.faces.web;

import java.util.List;

import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/**
 * The time bar: how many datasets were captured when, as bars that are links to the datasets. Places are shares of the width,
 * and pixels from the top.
 *
 * @param starts
 *            the first days of the bars and the day behind the last bar, for the script
 * @param chosen
 *            null if the view has no time
 */
record TimeView(String starts, String width, List<Bar> bars, List<Label> labels, Chosen chosen)
        implements
            TemplateInstance {

    /** Pixels, with one above the highest bar. */
    static final int HEIGHT = 52;

    /**
     * A bar with datasets.
     *
     * @param first
     *            its day, month or year in words, or its first day
     * @param last
     *            its last day, if first is its first day; otherwise null
     * @param datasets
     *            their number with separators
     */
    record Bar(String first, String last, String datasets, boolean single, String href, String place, int height,
            boolean chosen) {

        public int top() {
            return HEIGHT - height;
        }
    }

    /** A year or a month below the bars. */
    record Label(String text, String href, String place) {
    }

    /** The time of the view. */
    record Chosen(String place, String width) {
    }

    String html(Language language) {
        return HtmlPages.text(this, language);
    }
}
