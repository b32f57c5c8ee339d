package io.datasetlisting.catalogue.snapshot;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

import io.datasetlisting.catalogue.column.Bitmaps;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Compiler;
import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.postgres.database.Sql;

/** What all requests have in common that read one snapshot: the parts, and the datasets that pending changes name. */
public final class State {

    private final long listing;
    private final Parts parts;
    private final Compiler compiler;
    private final Changes changes;
    private final Sql version;
    private final boolean isUnchecked;

    State(long listing, Parts parts, Compiler compiler, Changes changes) {
        this(listing, parts, compiler, changes, Sql.value(listing), false);
    }

    private State(long listing, Parts parts, Compiler compiler, Changes changes, Sql version, boolean isUnchecked) {
        this.listing = listing;
        this.parts = parts;
        this.compiler = compiler;
        this.changes = changes;
        this.version = version;
        this.isUnchecked = isUnchecked;
    }

    /**
     * This state for a later request.
     *
     * @param checked
     *            the listing version, or null if it has changed
     */
    State unchecked(Sql checked) {
        return new State(listing, parts, compiler, changes, checked, true);
    }

    private State with(Parts some, Changes ofThem) {
        return new State(listing, some, compiler, ofThem, version, isUnchecked);
    }

    /** Some parts, without the datasets that pending changes name. */
    State chunk(int from, int size) {
        Parts chunk = parts.chunk(from, Math.min(from + size, parts.size()));
        long first = chunk.firstIds()[0];
        long[] touched = Arrays.stream(changes.touched).filter(id -> id >= first && id <= chunk.lastId()).toArray();
        return with(chunk,
                new Changes(changes.listing, changes.server, chunk, touched, touched, Changes.NONE.changed));
    }

    /** The datasets that pending changes name. */
    State changesAlone() {
        Parts none = parts.chunk(0, 0);
        return with(none,
                new Changes(changes.listing, changes.server, none, new long[0], new long[0], changes.changed));
    }

    /** Whether the listing may have changed since the state was read. */
    boolean isUnchecked() {
        return isUnchecked;
    }

    /** The listing version in a statement, which is null there if the listing has changed since the state was read. */
    Sql version() {
        return version;
    }

    public long listing() {
        return listing;
    }

    /** Since when the server runs. */
    String server() {
        return changes.server;
    }

    public Parts parts() {
        return parts;
    }

    Compiler compiler() {
        return compiler;
    }

    /** Columns of the datasets of the parts, and behind them of the datasets that pending changes name. */
    Elements[] elements(Map<Column, Object[]> ofParts) {
        Map<Column, Object[]> columns = new EnumMap<>(Column.class);
        ofParts.forEach((column, values) -> {
            Object[] all = Arrays.copyOf(values, values.length + 1);
            all[values.length] = changes.changed.get(column);
            columns.put(column, all);
        });
        Object[] marks = columns.get(Column.MARKS);
        Elements[] elements = new Elements[marks.length];
        Arrays.setAll(elements, i -> new Elements(columns, i, ((Bitmaps) marks[i]).size()));
        return elements;
    }

    /** For each of the elements, the datasets that no pending change names; null for all. */
    long[][] settled(Elements[] elements) {
        if (changes.settled == null) {
            changes.settled = allBut(changes.touched, elements);
        }
        return changes.settled;
    }

    /** For each of the elements, the datasets whose texts no pending change changes; null for all. */
    long[][] settledTexts(Elements[] elements) {
        if (changes.settledTexts == null) {
            changes.settledTexts = allBut(changes.texts, elements);
        }
        return changes.settledTexts;
    }

    private long[][] allBut(long[] ids, Elements[] elements) {
        long[][] bits = new long[elements.length][];
        for (long id : ids) {
            int part = parts.of(id);
            int place = elements[part].integers(Column.IDS).find(id);
            if (place >= 0) {
                if (bits[part] == null) {
                    bits[part] = Selector.ALL.select(elements[part]);
                }
                bits[part][place >> 6] &= ~(1L << place);
            }
        }
        return bits;
    }

    /** Whether a dataset that a pending change names has other texts than the parts had, or none there. */
    boolean hasNewText(long id) {
        return Arrays.binarySearch(changes.texts, id) >= 0;
    }

    /** How many datasets pending changes name. */
    public int changes() {
        return changes.touched.length;
    }

    /** The pending changes that the parts lack. They are cached, because those of a listing version stay the same. */
    static final class Changes implements Sized {

        /** Bytes of a bit for each dataset of the largest part. */
        private static final int BITS_OF_A_PART = 144;

        /** No pending change. */
        static final Changes NONE = new Changes(-1, "", Parts.NONE, new long[0], new long[0],
                Arrays.stream(Column.values()).collect(Collectors.toMap(each -> each, Column::none,
                        (some, others) -> some, () -> new EnumMap<>(Column.class))));

        private final long listing;
        private final String server;
        private final Parts parts;
        private final long[] touched;
        private final long[] texts;
        private final Map<Column, Object> changed;
        /** For each part, the datasets that no pending change names; null for all. It is null before the first request. */
        private volatile long[][] settled;
        private volatile long[][] settledTexts;

        /**
         * @param touched
         *            the ids of the datasets that they name
         * @param texts
         *            the ids of those of them that are new or have another text
         * @param changed
         *            the columns of those of these datasets that are listed
         */
        Changes(long listing, String server, Parts parts, long[] touched, long[] texts, Map<Column, Object> changed) {
            this.listing = listing;
            this.server = server;
            this.parts = parts;
            this.touched = touched;
            this.texts = texts;
            Arrays.sort(texts);
            this.changed = changed;
        }

        long listing() {
            return listing;
        }

        String server() {
            return server;
        }

        /** Whether a dataset has a band whose label has no bit of its own. */
        boolean haveOtherBands() {
            return ((Bitmaps) changed.get(Column.BANDS)).has(Mark.OTHER_BAND);
        }

        @Override
        public long bytes() {
            return (long) Long.BYTES * (touched.length + texts.length)
                    + (long) BITS_OF_A_PART
                            * (Math.min(touched.length, parts.size()) + Math.min(texts.length, parts.size()))
                    + changed.values().stream().mapToLong(ColumnCache::bytes).sum();
        }
    }
}
