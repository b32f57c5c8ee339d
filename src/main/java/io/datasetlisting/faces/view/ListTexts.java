package io.datasetlisting.faces.view;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.catalogue.facet.Facets;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/** The words about all datasets of a view: its title, and one line about when and by whom they were captured. */
public final class ListTexts {

    /** More values of a kind have one phrase, which keeps the title short. */
    private static final int MAX_VALUES = 3;

    private ListTexts() {
    }

    /**
     * The title as a text.
     *
     * @param phrases
     *            the filters in words; empty without filters
     * @param number
     *            the number of datasets as people write it; empty if the filters cannot be used
     * @param isOne
     *            whether there is one dataset
     */
    record Title(String phrases, String number, boolean isOne) implements TemplateInstance {
    }

    /**
     * The line as a text.
     *
     * @param first
     *            a day or a year; the same as the last one if all datasets are of it
     */
    record Summary(String first, String last, String owners, boolean isOneOwner) implements TemplateInstance {
    }

    public static String title(List<Chip> chips, Long count, Language language) {
        String title = HtmlPages.text(new Title(phrases(chips, language), count == null ? "" : number(count, language),
                count != null && count == 1), language).strip();
        return capital(title, language);
    }

    private static String phrases(List<Chip> chips, Language language) {
        Map<String, List<Chip>> kinds = chips.stream()
                .collect(Collectors.groupingBy(Chip::kind, LinkedHashMap::new, Collectors.toList()));
        return kinds.entrySet().stream().flatMap(each -> each.getValue().size() > MAX_VALUES
                ? Stream.of(Chip.phrase(each.getKey(), each.getValue().size(), language))
                : each.getValue().stream().map(Chip::phrase)).distinct().collect(Collectors.joining(", "));
    }

    /** A phrase as a title. Some phrases are parts of a sentence, such as "in this area". */
    public static String capital(String phrase, Language language) {
        return phrase.substring(0, 1).toUpperCase(language.locale()) + phrase.substring(1);
    }

    /** Null without datasets, or if they are not counted. */
    public static String summary(Facets facets, Language language) {
        Facets.Summary summary = facets == null ? null : facets.summary();
        if (summary == null || summary.firstDay() == null) {
            return null;
        }
        boolean isYears = summary.firstDay().getYear() != summary.lastDay().getYear();
        return HtmlPages.text(new Summary(
                isYears ? FacetGroups.year(summary.firstDay()) : summary.firstDay().toString(),
                isYears ? FacetGroups.year(summary.lastDay()) : summary.lastDay().toString(),
                number(summary.owners(), language), summary.owners() == 1), language).strip();
    }

    static String number(long value, Language language) {
        return ValueLabels.number(BigDecimal.valueOf(value), language);
    }
}
