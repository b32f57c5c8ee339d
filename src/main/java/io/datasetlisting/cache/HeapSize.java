package io.datasetlisting.cache;

/** How much memory a cache entry takes at most, so that a cache counts what it holds. */
final class HeapSize {

    /** Headers of the string and of its array, alignment, and the reference to the string. */
    private static final int OF_A_STRING = 56;

    private HeapSize() {
    }

    /** Of text that is not Latin-1; Latin-1 takes half. */
    static int of(String text) {
        return text == null ? 0 : OF_A_STRING + Character.BYTES * text.length();
    }
}
