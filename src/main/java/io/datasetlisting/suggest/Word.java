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
}
