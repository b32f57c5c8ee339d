package io.datasetlisting.facet;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.datasetlisting.column.Column;
import io.datasetlisting.column.DayCounts;
import io.datasetlisting.column.Mark;
import io.datasetlisting.column.Selection;
import io.datasetlisting.column.Snapshot;
import io.datasetlisting.column.Tally;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.facet.Facets.Choice;

/** Counts the choices of facets in a snapshot. */
final class FacetCounter {

    static final Comparator<Choice> BY_COUNT = Comparator.comparingLong(Choice::count).reversed()
            .thenComparing(Choice::value);

    private final Snapshot snapshot;
    private final FacetQuery query;
    private final Map<Expression, Selection> selections = new HashMap<>();
    /** Each pass over a column serves all facets with the same filters. */
    private final Map<Selection, Tally> owners = new HashMap<>();
    private final Map<Selection, DayCounts> days = new HashMap<>();

    FacetCounter(Snapshot snapshot, FacetQuery query) {
        this.snapshot = snapshot;
        this.query = query;
        // Several facets usually have the same filters.
        query.distinctFilters().forEach(filter -> selections.put(filter, snapshot.select(filter)));
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
    record Counted(Facets facets, Tally owners, Long[] others) {
    }

    Counted count() {
        Map<Facet, List<Choice>> choices = new EnumMap<>(Facet.class);
        query.filters().keySet().forEach(facet -> choices.put(facet, choices(facet)));
        Selection all = selections.get(query.filter());
        Facets facets = new Facets(snapshot.listing(), all.count(), query.hasSummary() ? summary(all) : null, choices);
        Selection ofUsers = selection(Facet.USER);
        Selection ofBands = selection(Facet.BAND);
        return new Counted(facets, ofUsers == null ? null : owners(ofUsers),
                ofBands == null ? new Long[0] : ids(ofBands.marked(Column.BANDS, Mark.OTHER_BAND)));
    }

    private Facets.Summary summary(Selection all) {
        return new Facets.Summary(owners(all).size(), days(all).firstDay(), days(all).lastDay());
    }

    private Tally owners(Selection selection) {
        return owners.computeIfAbsent(selection, absent -> selection.tally(Column.OWNERS));
    }

    private DayCounts days(Selection selection) {
        return days.computeIfAbsent(selection, Selection::days);
    }

    private static Long[] ids(Selection selection) {
        long[] ids = selection.ids();
        Long[] boxed = new Long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            boxed[i] = ids[i];
        }
        return boxed;
    }

    /** Null if the facet is not asked for. */
    private Selection selection(Facet facet) {
        return selections.get(query.filters().get(facet));
    }

    private List<Choice> choices(Facet facet) {
        Selection selection = selection(facet);
        return switch (facet) {
            case CATEGORY -> fixed(DatasetFields.CATEGORIES, selection, Mark.CATEGORY);
            case AVAILABLE_RASTERS -> fixed(DatasetFields.RASTERS, selection, Mark.RASTER);
            case HAS_STATS -> fixed(DatasetFields.RASTERS, selection, Mark.STATS);
            case BAND -> bands(selection);
            case USER -> List.of();
            case YEAR -> years(days(selection));
        };
    }

    private static List<Choice> fixed(List<String> values, Selection selection, int firstBit) {
        long[] counts = selection.counts(Column.MARKS, firstBit, values.size());
        List<Choice> choices = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            choices.add(new Choice(values.get(i), counts[i]));
        }
        return choices;
    }

    private List<Choice> bands(Selection selection) {
        long[] counts = selection.counts(Column.BANDS, 0, snapshot.bands().size());
        return snapshot.bands().entrySet().stream().map(band -> new Choice(band.getKey(), counts[band.getValue()]))
                .filter(band -> band.count() > 0).sorted(BY_COUNT).toList();
    }

    private static List<Choice> years(DayCounts days) {
        List<Choice> years = new ArrayList<>();
        LocalDate last = days.lastDay();
        for (LocalDate year = days.firstDay(); last != null && !year.isAfter(last);) {
            LocalDate next = year.plusYears(1).withDayOfYear(1);
            long count = days.count(year, next);
            if (count > 0) {
                years.add(new Choice("%04d".formatted(year.getYear()), count));
            }
            year = next;
        }
        years.sort(BY_COUNT);
        return years;
    }
}
