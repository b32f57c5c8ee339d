package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.facet.Facets.Choice;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.index.FilterCounts;
import io.datasetlisting.catalogue.index.FilterCounts.By;
import io.datasetlisting.catalogue.index.Interval;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.dataset.cql2.Expression;

/** Counts the choices of facets in a snapshot. */
final class FacetCounter implements ChunkCounter<FacetCounter.Counted> {

    static final Comparator<Choice> BY_COUNT = Comparator.comparingLong(Choice::count).reversed()
            .thenComparing(Choice::value);

    private final FacetQuery query;
    /** By filters: several facets usually have the same ones. */
    private final Map<Expression, FilterCounts> counts = new HashMap<>();
    private long privates;

    FacetCounter(FacetQuery query) {
        this.query = query;
        query.distinctFilters().forEach(filter -> counts.put(filter, new FilterCounts(query.counted(filter))));
    }

    /**
     * What columns count.
     *
     * @param facets
     *            without users
     * @param owners
     *            the counts by the ids of owners; null if they are not asked for
     * @param others
     *            the ids of the datasets with a band whose label has no bit
     */
    record Counted(Facets facets, LongCounts owners, Long[] others) {
    }

    @Override
    public void add(Snapshot chunk) {
        counts.forEach((filter, counted) -> {
            Selection selection = chunk.select(filter);
            counted.add(chunk, selection);
            privates += query.hasSummary() && filter.equals(query.ofAnyPrivacy()) ? selection.privates() : 0;
        });
    }

    @Override
    public Counted result(long listing) {
        Map<Facet, List<Choice>> choices = new EnumMap<>(Facet.class);
        query.filters().forEach((facet, filter) -> choices.put(facet, choices(facet, counts.get(filter))));
        Facets facets = new Facets(listing, counts.get(query.filter()).count(), query.hasSummary() ? summary() : null,
                choices, days());
        FilterCounts users = counts.get(query.filters().get(Facet.USER));
        FilterCounts bands = counts.get(query.filters().get(Facet.BAND));
        return new Counted(facets, users == null ? null : users.integers(By.OWNER),
                bands == null ? new Long[0] : bands.withOtherBands());
    }

    private int days() {
        FilterCounts counted = counts.get(query.filters().get(Facet.YEAR));
        return counted == null ? 0 : counted.integers(By.DAY).size();
    }

    private Facets.Summary summary() {
        FilterCounts counted = counts.get(query.filter());
        long[] all = counted.integers(By.DAY).keys();
        return new Facets.Summary(counted.integers(By.OWNER).size(),
                all.length == 0 ? null : LocalDate.ofEpochDay(all[0]),
                all.length == 0 ? null : LocalDate.ofEpochDay(all[all.length - 1]), privates);
    }

    private static List<Choice> choices(Facet facet, FilterCounts counted) {
        List<Choice> choices = new ArrayList<>();
        switch (facet) {
            case USER -> {
                // The names are in another table.
            }
            case YEAR -> Interval.YEAR.counts(counted.integers(facet.by()))
                    .forEach((first, count) -> choices.add(new Choice("%04d".formatted(first.getYear()), count)));
            default -> counted.choices(facet.by()).forEach((value, count) -> choices.add(new Choice(value, count)));
        }
        if (facet == Facet.YEAR || facet == Facet.BAND) {
            choices.removeIf(each -> each.count() == 0);
            choices.sort(BY_COUNT);
        }
        return choices;
    }
}
