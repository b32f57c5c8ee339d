package io.datasetlisting.catalogue.column;

/**
 * Finds the datasets around a page in the order of sliced numbers, bit by bit: a part that has none of them is left out at once,
 * so the time depends little on the number of datasets.
 *
 * @see <a href="../../../../../../../docs/adr/0039-one-search-for-all-orders.md">ADR 39</a>
 */
public final class SliceSearch {

    /** Receives datasets that follow one another in the order. */
    @FunctionalInterface
    public interface Found {

        /**
         * @param datasets
         *            of each part, as bits; without words for none
         * @param count
         *            their number
         * @param before
         *            how many datasets precede them
         */
        void accept(long[][] datasets, long count, long before);
    }

    private final Slices[] slices;
    private final int few;
    private final long from;
    private final long to;
    private final Found found;

    /**
     * @param few
     *            so many datasets are not divided further; of more, all have the same number
     * @param from
     *            the position of the first dataset of the page
     * @param to
     *            the position behind its last one
     * @param found
     *            is called for the datasets around the page, in their order: once, or for each side of a bit that divides the
     *            page
     */
    public SliceSearch(Slices[] slices, int few, long from, long to, Found found) {
        this.slices = slices;
        this.few = few;
        this.from = from;
        this.to = to;
        this.found = found;
    }

    /** @param datasets of each part, as bits, which are not changed */
    public void search(long[][] datasets) {
        if (from < to) {
            search(datasets, false, highest(datasets), Selection.count(datasets), 0);
        }
    }

    /** The highest bit in which two numbers may differ; negative if all are equal. */
    private int highest(long[][] datasets) {
        int bits = 0;
        Slices first = null;
        for (int part = 0; part < slices.length; part++) {
            if (Selection.count(datasets[part]) > 0) {
                first = first == null ? slices[part] : first;
                bits = Math.max(bits, Math.max(slices[part].sliced(),
                        Long.SIZE - Long.numberOfLeadingZeros(slices[part].any() ^ first.any())));
            }
        }
        return bits - 1;
    }

    /**
     * @param bit
     *            the highest bit that may divide them
     * @param areOwn
     *            whether the arrays may be changed
     */
    private void search(long[][] datasets, boolean areOwn, int bit, long count, long before) {
        if (bit < 0 || count <= few) {
            found.accept(datasets, count, before);
            return;
        }
        long below = 0;
        for (int part = 0; part < slices.length; part++) {
            below += datasets[part].length == 0 ? 0 : slices[part].countWithout(datasets[part], bit);
        }
        if (below == 0 || below == count) {
            search(datasets, areOwn, bit - 1, count, before);
            return;
        }
        boolean hasAbove = to > before + below;
        if (from < before + below) {
            search(with(datasets, areOwn && !hasAbove, bit, 0), true, bit - 1, below, before);
        }
        if (hasAbove) {
            search(with(datasets, areOwn, bit, 1), true, bit - 1, count - below, before + below);
        }
    }

    /** The datasets with a value of a bit. */
    private long[][] with(long[][] datasets, boolean areOwn, int bit, int value) {
        long[][] kept = new long[datasets.length][];
        for (int part = 0; part < kept.length; part++) {
            kept[part] = datasets[part].length == 0
                    ? Slices.NONE
                    : slices[part].with(datasets[part], bit, value,
                            areOwn ? datasets[part] : new long[datasets[part].length]);
        }
        return kept;
    }
}
