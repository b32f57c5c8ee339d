package io.datasetlisting.catalogue.cache;

/** Estimates the memory of cache entries from above, so that a cache stays below its limit. */
final class HeapSize {

    /** Bytes for the headers of the string and its array, alignment, and the reference to the string. */
    private static final int OF_A_STRING = 56;

    private HeapSize() {
    }

    /** Bytes of a text in UTF-16. Latin-1 text takes half. */
    static int of(String text) {
        return text == null ? 0 : OF_A_STRING + Character.BYTES * text.length();
    }
}
