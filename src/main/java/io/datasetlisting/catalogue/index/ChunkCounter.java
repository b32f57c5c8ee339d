package io.datasetlisting.catalogue.index;

import io.datasetlisting.catalogue.snapshot.Snapshot;

/**
 * Counts datasets of a snapshot. It receives the snapshot as a whole, or in disjoint chunks if the columns, or the changes
 * that they lack, did not fit into memory.
 *
 * @param <T>
 *            the result
 */
public interface ChunkCounter<T> {

    void add(Snapshot chunk);

    /**
     * Called once, after all chunks; there is at least one.
     *
     * @param listing
     *            the listing version of the snapshot
     */
    T result(long listing);

    /** Counts a whole snapshot. */
    default T count(Snapshot all) {
        add(all);
        return result(all.listing());
    }
}
