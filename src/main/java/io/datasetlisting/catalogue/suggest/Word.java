package io.datasetlisting.catalogue.suggest;

/**
 * A word of names of datasets.
 *
 * @param folded
 *            as the search compares it
 * @param written
 *            as a name has it
 * @param uses
 *            about the number of datasets with the word: of public ones, or of the caller's own private ones; 0 if no dataset has
 *            it any more
 * @param no
 *            the number of the fold that has changed the word last; 0 for a word of a pending change, or that the caller alone
 *            is suggested
 */
record Word(String folded, String written, long uses, long no) {

    /** PostgreSQL counts so few datasets faster than the columns, which would search private datasets of other callers, too. */
    private static final int FEW = 10_000;

    boolean isRare() {
        return uses < FEW;
    }
}
