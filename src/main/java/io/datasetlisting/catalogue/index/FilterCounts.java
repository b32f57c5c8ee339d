package io.datasetlisting.catalogue.index;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.dataset.DatasetFields;

/** Counts the datasets of a filter by what they have in common, over the chunks of a snapshot. */
public final class FilterCounts {

    /** What datasets have in common. */
    public enum By {

        CATEGORY(Mark.CATEGORY, DatasetFields.CATEGORIES, Column.MARKS), RASTER(Mark.RASTER, DatasetFields.RASTERS,
                Column.MARKS), STATS(Mark.STATS, DatasetFields.RASTERS, Column.MARKS),
        /** The label of a band. */
        BAND(0, List.of(), Column.BANDS, Column.IDS), OWNER(0, List.of(), Column.OWNERS),
        /** The day of capture. */
        DAY(0, List.of(), Column.TIMES);

        private final int firstBit;
        private final List<String> choices;
        private final Set<Column> columns;

        By(int firstBit, List<String> choices, Column... columns) {
            this.firstBit = firstBit;
            this.choices = choices;
            this.columns = Set.of(columns);
        }

        /** The columns that are counted. */
        public Set<Column> columns() {
            return columns;
        }
    }

    private final Set<By> by;
    private long count;
    private List<String> labels = List.of();
    /** How many datasets have each bit. */
    private final Map<By, long[]> bits = new EnumMap<>(By.class);
    private final Map<By, LongCounts> integers = new EnumMap<>(By.class);
    private final LongStream.Builder withOtherBands = LongStream.builder();

    public FilterCounts(Set<By> by) {
        this.by = by;
    }

    /** Adds the datasets of a chunk. */
    public void add(Snapshot chunk, Selection datasets) {
        count += datasets.count();
        labels = List.copyOf(chunk.bands().keySet());
        by.forEach(each -> add(each, datasets));
    }

    private void add(By each, Selection datasets) {
        switch (each) {
            case OWNER -> datasets.count(Column.OWNERS, integers(each));
            case DAY -> datasets.countDays(integers(each));
            case BAND -> {
                addBits(each, datasets.counts(Column.BANDS, 0, labels.size()));
                Arrays.stream(datasets.marked(Column.BANDS, Mark.OTHER_BAND).ids()).forEach(withOtherBands::add);
            }
            default -> addBits(each, datasets.counts(Column.MARKS, each.firstBit, each.choices.size()));
        }
    }

    private void addBits(By each, long[] more) {
        bits.merge(each, more, (some, others) -> {
            Arrays.setAll(some, i -> some[i] + others[i]);
            return some;
        });
    }

    /** How many datasets there are. */
    public long count() {
        return count;
    }

    /** How many datasets have each choice, in the order of the choices; or each label of bands that has a bit. */
    public Map<String, Long> choices(By each) {
        List<String> names = each == By.BAND ? labels : each.choices;
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            counts.put(names.get(i), bits.get(each)[i]);
        }
        return counts;
    }

    /** The ids of the datasets that have a label without a bit. */
    public Long[] withOtherBands() {
        return withOtherBands.build().boxed().toArray(Long[]::new);
    }

    /** The datasets of each owner, or of each day since 1970. */
    public LongCounts integers(By each) {
        return integers.computeIfAbsent(each, absent -> new LongCounts());
    }
}
