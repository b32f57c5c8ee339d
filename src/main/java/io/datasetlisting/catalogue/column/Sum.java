package io.datasetlisting.catalogue.column;

/**
 * Something that is computed from datasets, and to which datasets can be added and removed later. Its numbers are integers,
 * so that the order of additions does not matter.
 *
 * @param <S>
 *            its own class
 */
public interface Sum<S extends Sum<S>> {

    /**
     * Adds datasets, or removes some that were added before.
     *
     * @param sign
     *            1 to add them, -1 to remove them
     *
     * @return false if the rest is not known without these datasets, so that it must be computed anew
     */
    boolean add(Selection datasets, int sign);

    S copy();

    /** Memory that it takes. */
    long bytes();
}
