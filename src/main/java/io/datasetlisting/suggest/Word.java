package io.datasetlisting.suggest;

/**
 * A word of names of datasets.
 *
 * @param folded
 *            as the search compares it
 * @param written
 *            as a name has it
 * @param uses
 *            about the number of datasets with the word, also of ones that a caller does not see
 */
record Word(String folded, String written, long uses) {

    /** PostgreSQL counts so few datasets faster than the columns, which would search private datasets of other callers, too. */
    private static final int FEW = 10_000;

    boolean isRare() {
        return uses < FEW;
    }
}
