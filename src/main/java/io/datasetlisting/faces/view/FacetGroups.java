package io.datasetlisting.faces.view;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.datasetlisting.catalogue.facet.Facet;
import io.datasetlisting.catalogue.facet.Facets;
import io.datasetlisting.catalogue.facet.Facets.Choice;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.faces.view.FilterForm.Field;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;

/** Makes the choices of the filters as links: each adds a value to the filters of the view, or removes it. */
public final class FacetGroups {

    private static final int SHOWN = 8;
    private static final Map<Facet, List<String>> FIXED = Map.of(Facet.CATEGORY, DatasetFields.CATEGORIES,
            Facet.AVAILABLE_RASTERS, DatasetFields.RASTERS, Facet.HAS_STATS, DatasetFields.RASTERS);
    private static final List<Facet> ORDER = List.of(Facet.CATEGORY, Facet.YEAR, Facet.USER, Facet.AVAILABLE_RASTERS,
            Facet.HAS_STATS, Facet.BAND);

    private final QueryString query;
    private final Facets facets;
    private final Language language;

    private FacetGroups(QueryString query, Facets facets, Language language) {
        this.query = query;
        this.facets = facets;
        this.language = language;
    }

    /**
     * The choices of one filter.
     *
     * @param name
     *            of the facet
     * @param more
     *            the ones that are shown on demand
     */
    public record Group(String name, List<Option> shown, List<Option> more) {

        /** Whether one of the choices that are shown on demand is chosen. */
        public boolean isOpen() {
            return more.stream().anyMatch(Option::chosen);
        }
    }

    /**
     * A choice.
     *
     * @param count
     *            the datasets that it would find; null if they are not counted
     * @param href
     *            null for a choice that would find nothing, or that a filter cannot name
     */
    public record Option(String value, Long count, boolean chosen, String href) {
    }

    /**
     * @param query
     *            without the number of the page, and without an order that is not chosen
     * @param facets
     *            null if nothing is counted: then only the choices that are always the same are shown
     */
    public static List<Group> of(QueryString query, Facets facets, Reader reader) {
        FacetGroups groups = new FacetGroups(query, facets, reader.language());
        Stream<Group> own = reader.isSignedIn()
                ? Stream.of(groups.own())
                : Stream.empty();
        return Stream.concat(own,
                ORDER.stream().filter(facet -> facets != null || FIXED.containsKey(facet)).map(groups::group)
                        .filter(group -> !group.shown.isEmpty()))
                .toList();
    }

    static String year(LocalDate day) {
        return "%04d".formatted(day.getYear());
    }

    /** What only a reader with a token can choose. */
    private Group own() {
        Long privateCount = facets == null ? null : facets.summary().privates();
        Words words = Words.in(language);
        return new Group(FilterForm.MINE, List.of(option(FilterForm.MINE, words.of("msg:my_datasets"), null),
                option(FilterForm.PRIVATE, words.of("msg:only_private"), privateCount),
                // No listing contains these, so they have pages of their own.
                new Option(words.of("msg:only_drafts"), null, false, Endpoints.DRAFTS),
                new Option(words.of("msg:only_deleted"), null, false, Endpoints.DELETED)), List.of());
    }

    private Option option(String flag, String label, Long count) {
        boolean isChosen = FilterForm.bool(query, flag).equals("true");
        return new Option(label, count, isChosen,
                Chips.href(isChosen ? query.without(flag) : query.with(flag, "true")));
    }

    private Group group(Facet facet) {
        List<Option> options = facet == Facet.YEAR ? years() : values(facet);
        // Twelve years or owners are seen at once. Half of one list behind a button would be a riddle.
        int shown = FIXED.containsKey(facet) || options.size() <= SHOWN + 1 ? options.size() : SHOWN;
        return new Group(facet.title(), options.subList(0, shown), options.subList(shown, options.size()));
    }

    private List<Option> values(Facet facet) {
        String name = facet.title();
        List<String> chosen = Chips.values(query, name);
        List<Option> options = new ArrayList<>();
        if (facets == null) {
            FIXED.get(facet).forEach(value -> options.add(option(name, value, value, null, chosen)));
            return options;
        }
        List<String> known = new ArrayList<>();
        for (Choice choice : facets.choices().get(facet)) {
            String id = choice.id() == null ? choice.value() : choice.id().toString();
            known.addAll(List.of(choice.value(), id));
            // A filter splits its value at commas.
            String value = choice.value().contains(",") || chosen.contains(id) ? id : choice.value();
            options.add(option(name, choice.value(), value, choice.count(), chosen));
        }
        // A value that is not among the largest, or that nobody has.
        chosen.stream().filter(value -> !known.contains(value) && !FIXED.containsKey(facet)).forEach(
                value -> options.add(0, option(name, value, value, null, chosen)));
        return options;
    }

    private Option option(String name, String text, String value, Long count, List<String> chosen) {
        String label = ValueLabels.of(name, text, language);
        if (chosen.contains(value)) {
            return new Option(label, count, true, Chips.without(query, name, value));
        }
        if (count != null && count == 0 || value.contains(",")) {
            return new Option(label, count, false, null);
        }
        List<String> all = new ArrayList<>(chosen);
        all.add(value);
        return new Option(label, count, false, Chips.href(query.with(name, all)));
    }

    private List<Option> years() {
        Field first = Field.first(query);
        Field end = Field.end(query);
        QueryString others = query.without(Chips.TIMES);
        return facets.choices().get(Facet.YEAR).stream().sorted(Comparator.comparing(Choice::value).reversed())
                .map(year -> {
                    String from = year.value() + "-01-01";
                    String until = year.value() + "-12-31";
                    boolean isChosen = first.value().equals(from) && end.value().equals(until);
                    return new Option(year.value(), year.count(), isChosen, Chips.href(isChosen
                            ? others
                            : others.with("captured_after", from).with(LastDay.PARAMETER, until)));
                }).toList();
    }
}
