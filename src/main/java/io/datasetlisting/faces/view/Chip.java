package io.datasetlisting.faces.view;

import java.util.Set;

import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/**
 * One of the filters of a view, with the address of the view without it.
 *
 * @param kind
 *            see {@link Label}
 * @param label
 *            of the link that removes the filter
 * @param phrase
 *            of the filter in the title of the page
 * @param hasDays
 *            whether its days are those of the visitor's filter, which the script writes in the form of the visitor's country
 */
public record Chip(String kind, String label, String phrase, String href, boolean hasDays) {

    private static final Set<String> DAYS = Set.of("day", "days", "from", "until", "before");

    static Chip of(String kind, String value, String until, String href, Language language) {
        return new Chip(kind, HtmlPages.text(new Label(kind, value, until), language).strip(),
                phrase(kind, value, until, language), href, DAYS.contains(kind));
    }

    /** The phrase of several values of a kind. */
    static String phrase(String kind, int values, Language language) {
        return phrase("many-" + kind, Integer.toString(values), "", language);
    }

    private static String phrase(String kind, String value, String until, Language language) {
        return HtmlPages.text(new Phrase(kind, value, until), language).strip();
    }

    /**
     * A filter in words.
     *
     * @param kind
     *            the parameter, or how much time the captures take
     * @param until
     *            the end, for a filter with two values
     */
    record Label(String kind, String value, String until) implements TemplateInstance {
    }

    /** A filter as a part of a sentence. */
    record Phrase(String kind, String value, String until) implements TemplateInstance {
    }
}
