package io.datasetlisting.catalogue.column;

/** A value in the cache of columns that knows how much memory it takes. */
public interface Sized {

    long bytes();
}
