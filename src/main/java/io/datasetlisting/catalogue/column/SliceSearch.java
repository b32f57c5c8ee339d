package io.datasetlisting.catalogue.column;

import java.util.Arrays;

/**
 * Finds the datasets around a page in the order of sliced numbers, bit by bit: a part that has none of them is left out at once,
 * so the time depends little on the number of datasets.
 */
final class SliceSearch {

    private static final long[] NONE = {};

    /** Receives datasets that follow one another in the order. */
    @FunctionalInterface
    interface Found {

        /**
         * @param datasets
         *            of each part, as bits; without words for none
         * @param areEqual
         *            whether all have the same number
         * @param before
         *            how many datasets precede them
         */
        void accept(long[][] datasets, boolean areEqual, long before);
    }

    private final Slices[] slices;
    private final int few;
    private final Found found;

    /**
     * @param few
     *            so many datasets are not divided further
     * @param found
     *            is called for the datasets around the page, in their order: once, or for each side of a bit that divides the
     *            page
     */
    SliceSearch(Slices[] slices, int few, Found found) {
        this.slices = slices;
        this.few = few;
        this.found = found;
    }

    /**
     * @param datasets
     *            of each part, as bits
     * @param from
     *            the position of the first dataset of the page
     * @param to
     *            the position behind its last one, greater than {@code from}
     */
    void search(long[][] datasets, long from, long to) {
        Left left = new Left(datasets);
        left.search(left.highest(), left.count(), 0, from, to);
    }

    /** The datasets that are left of the parts that have some. */
    private final class Left {

        private final int[] parts;
        private final long[][] datasets;
        private int size;

        Left(long[][] all) {
            parts = new int[all.length];
            datasets = new long[all.length][];
            for (int part = 0; part < all.length; part++) {
                if (Selection.count(all[part]) > 0) {
                    add(part, all[part].clone());
                }
            }
        }

        private Left(Left other) {
            parts = other.parts.clone();
            datasets = Arrays.stream(other.datasets, 0, other.size).map(long[]::clone).toArray(long[][]::new);
            size = other.size;
        }

        private void add(int part, long[] bits) {
            parts[size] = part;
            datasets[size++] = bits;
        }

        long count() {
            return Arrays.stream(datasets, 0, size).mapToInt(Selection::count).sum();
        }

        /** The highest bit in which two numbers may differ; negative if all are equal. */
        int highest() {
            int bits = 0;
            for (int i = 0; i < size; i++) {
                Slices part = slices[parts[i]];
                bits = Math.max(bits, Math.max(part.sliced(),
                        Long.SIZE - Long.numberOfLeadingZeros(part.any() ^ slices[parts[0]].any())));
            }
            return bits - 1;
        }

        /**
         * @param highest
         *            the highest bit that may divide them
         */
        void search(int highest, long count, long before, long from, long to) {
            int bit = highest;
            while (bit >= 0 && count > few) {
                long below = countWithout(bit);
                if (to > before + below && from < before + below) {
                    Left above = new Left(this);
                    keep(bit, 0);
                    search(bit - 1, below, before, from, before + below);
                    above.keep(bit, 1);
                    above.search(bit - 1, count - below, before + below, before + below, to);
                    return;
                }
                boolean isBelow = to <= before + below;
                if (below != (isBelow ? count : 0)) {
                    keep(bit, isBelow ? 0 : 1);
                }
                count = isBelow ? below : count - below;
                before += isBelow ? 0 : below;
                bit--;
            }
            found.accept(all(), bit < 0, before);
        }

        private long countWithout(int bit) {
            long count = 0;
            for (int i = 0; i < size; i++) {
                count += slices[parts[i]].countWithout(datasets[i], bit);
            }
            return count;
        }

        private void keep(int bit, int value) {
            int all = size;
            size = 0;
            for (int i = 0; i < all; i++) {
                if (slices[parts[i]].keep(datasets[i], bit, value)) {
                    add(parts[i], datasets[i]);
                }
            }
        }

        private long[][] all() {
            long[][] all = new long[slices.length][];
            Arrays.fill(all, NONE);
            for (int i = 0; i < size; i++) {
                all[parts[i]] = datasets[i];
            }
            return all;
        }
    }
}
