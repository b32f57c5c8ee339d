package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.datasetlisting.catalogue.column.ChunkCounter;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Interval;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Snapshot;
import io.datasetlisting.catalogue.facet.Facets.Choice;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;

/** Counts the choices of facets in a snapshot. */
final class FacetCounter implements ChunkCounter<FacetCounter.Counted> {

    static final Comparator<Choice> BY_COUNT = Comparator.comparingLong(Choice::count).reversed()
            .thenComparing(Choice::value);

    private final FacetQuery query;
    private long listing;
    private Map<String, Integer> bands;
    private long count;
    private long privates;
    private final Map<Facet, long[]> bits = new EnumMap<>(Facet.class);
    /** By filters: each pass over a column serves all facets with the same filters. */
    private final Map<Expression, LongCounts> owners = new HashMap<>();
    private final Map<Expression, LongCounts> days = new HashMap<>();
    private final List<Long> others = new ArrayList<>();

    FacetCounter(FacetQuery query) {
        this.query = query;
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
        listing = chunk.listing();
        bands = chunk.bands();
        // Several facets usually have the same filters.
        Map<Expression, Selection> selections = new HashMap<>();
        query.distinctFilters().forEach(filter -> selections.put(filter, chunk.select(filter)));
        count += selections.get(query.filter()).count();
        privates += query.hasSummary() ? selections.get(query.ofAnyPrivacy()).privates() : 0;
        query.filters().forEach((facet, filter) -> add(facet, selections.get(filter)));
        filters(Facet.USER).forEach(filter -> selections.get(filter).count(Column.OWNERS,
                owners.computeIfAbsent(filter, absent -> new LongCounts())));
        filters(Facet.YEAR).forEach(filter -> selections.get(filter)
                .countDays(days.computeIfAbsent(filter, absent -> new LongCounts())));
    }

    /** The filters of a facet whose counts the summary contains, too. */
    private Set<Expression> filters(Facet facet) {
        Set<Expression> all = new HashSet<>(query.hasSummary() ? Set.of(query.filter()) : Set.of());
        if (query.filters().containsKey(facet)) {
            all.add(query.filters().get(facet));
        }
        return all;
    }

    private void add(Facet facet, Selection selection) {
        switch (facet) {
            case CATEGORY ->
                addBits(facet, selection.counts(Column.MARKS, Mark.CATEGORY, DatasetFields.CATEGORIES.size()));
            case AVAILABLE_RASTERS -> addBits(facet,
                    selection.counts(Column.MARKS, Mark.RASTER, DatasetFields.RASTERS.size()));
            case HAS_STATS -> addBits(facet, selection.counts(Column.MARKS, Mark.STATS, DatasetFields.RASTERS.size()));
            case BAND -> {
                addBits(facet, selection.counts(Column.BANDS, 0, bands.size()));
                Arrays.stream(selection.marked(Column.BANDS, Mark.OTHER_BAND).ids()).forEach(others::add);
            }
            case USER, YEAR -> {
                // By their filters.
            }
        }
    }

    private void addBits(Facet facet, long[] counts) {
        bits.merge(facet, counts, (some, more) -> {
            Arrays.setAll(some, i -> some[i] + more[i]);
            return some;
        });
    }

    @Override
    public Counted result() {
        Map<Facet, List<Choice>> choices = new EnumMap<>(Facet.class);
        query.filters().keySet().forEach(facet -> choices.put(facet, choices(facet)));
        Facets facets = new Facets(listing, count, query.hasSummary() ? summary() : null, choices);
        return new Counted(facets, owners.get(query.filters().get(Facet.USER)), others.toArray(Long[]::new));
    }

    private Facets.Summary summary() {
        long[] all = days.get(query.filter()).keys();
        return new Facets.Summary(owners.get(query.filter()).size(),
                all.length == 0 ? null : LocalDate.ofEpochDay(all[0]),
                all.length == 0 ? null : LocalDate.ofEpochDay(all[all.length - 1]), privates);
    }

    private List<Choice> choices(Facet facet) {
        return switch (facet) {
            case CATEGORY -> fixed(DatasetFields.CATEGORIES, bits.get(facet));
            case AVAILABLE_RASTERS, HAS_STATS -> fixed(DatasetFields.RASTERS, bits.get(facet));
            case BAND -> bands.entrySet().stream()
                    .map(band -> new Choice(band.getKey(), bits.get(facet)[band.getValue()]))
                    .filter(band -> band.count() > 0).sorted(BY_COUNT).toList();
            case USER -> List.of();
            case YEAR -> years(days.get(query.filters().get(facet)));
        };
    }

    private static List<Choice> fixed(List<String> values, long[] counts) {
        List<Choice> choices = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            choices.add(new Choice(values.get(i), counts[i]));
        }
        return choices;
    }

    private static List<Choice> years(LongCounts days) {
        List<Choice> years = new ArrayList<>();
        Interval.YEAR.counts(days)
                .forEach((first, count) -> years.add(new Choice("%04d".formatted(first.getYear()), count)));
        years.sort(BY_COUNT);
        return years;
    }
}
