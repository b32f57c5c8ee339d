package io.datasetlisting.dataset;

import java.util.List;

/** How much memory a cache entry takes at most, so that a cache counts what it holds. */
final class HeapSize {

    /** Headers of the string and of its array, alignment, and the reference to the string. */
    private static final int OF_A_STRING = 56;
    private static final int OF_A_BOXED_NUMBER = 24;

    private HeapSize() {
    }

    /** Of text that is not Latin-1; Latin-1 takes half. */
    static int of(String text) {
        return text == null ? 0 : OF_A_STRING + Character.BYTES * text.length();
    }

    static int of(List<String> texts) {
        return texts.stream().mapToInt(HeapSize::of).sum();
    }

    static int ofNumbers(List<Long> numbers) {
        return OF_A_BOXED_NUMBER * numbers.size();
    }
}
