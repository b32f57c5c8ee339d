package io.datasetlisting.catalogue.suggest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * Words of names of datasets, which are found by a part and with mistakes: those of public datasets as of a fold, which all
 * callers share, or those of pending changes and of the private datasets of one request's caller. If there are too many, it
 * has the most used ones, and of equally used ones the newest, so that new words are always learnt.
 */
final class Vocabulary {

    private static final Comparator<Word> BY_FOLDED = Comparator.comparing(Word::folded);
    private static final Comparator<Word> LEAST_FIRST = Comparator.comparingLong(Word::uses)
            .thenComparingLong(Word::no);
    /** Words between two looks at the time. */
    private static final int STEP = 512;

    /** Behind the comparators, which it needs. */
    static final Vocabulary EMPTY = new Vocabulary(List.of(), 0, false);

    /** Ascending by their folded form. */
    private final Word[] words;
    /** The set of characters of each word, see {@link #letters}. */
    private final long[] letters;
    private final long no;
    private final boolean isCut;

    private Vocabulary(List<Word> words, long no, boolean isCut) {
        this.words = words.toArray(Word[]::new);
        letters = words.stream().mapToLong(word -> letters(word.folded())).toArray();
        this.no = no;
        this.isCut = isCut;
    }

    /** Words that no fold has numbered, in any order. */
    static Vocabulary of(List<Word> words) {
        return new Vocabulary(words.stream().sorted(BY_FOLDED).toList(), 0, false);
    }

    /** The number of the newest fold whose words it has. */
    long no() {
        return no;
    }

    /**
     * A vocabulary with the words that later folds have changed.
     *
     * @param newest
     *            the number of the newest fold
     * @param max
     *            the words that it may have. If there are more, a tenth goes, so that not each word costs a sort
     * @param isPart
     *            whether there are further words
     */
    Vocabulary with(List<Word> changed, long newest, int max, boolean isPart) {
        List<Word> before = Arrays.asList(words);
        List<Word> all = new ArrayList<>(words.length + changed.size());
        int next = 0;
        for (Word word : changed.stream().sorted(BY_FOLDED).toList()) {
            int place = place(word.folded());
            all.addAll(before.subList(next, place));
            next = place < words.length && words[place].folded().equals(word.folded()) ? place + 1 : place;
            if (word.uses() > 0) {
                all.add(word);
            }
        }
        all.addAll(before.subList(next, words.length));
        return all.size() <= max
                ? new Vocabulary(all, newest, isCut || isPart)
                : new Vocabulary(all.stream().sorted(LEAST_FIRST).skip(all.size() - (max - max / 10)).sorted(BY_FOLDED)
                        .toList(), newest, true);
    }

    /** Whether it has left out words, and has room for them again. */
    boolean lacksWords(int max) {
        return isCut && words.length < max - max / 5;
    }

    int size() {
        return words.length;
    }

    boolean has(String word) {
        int place = place(word);
        return place < words.length && words[place].folded().equals(word);
    }

    boolean begins(String text) {
        int place = place(text);
        return place < words.length && words[place].folded().startsWith(text);
    }

    /** Finds the words that begin with a text. */
    void beginning(String text, Consumer<Word> found) {
        for (int i = place(text); i < words.length && words[i].folded().startsWith(text); i++) {
            found.accept(words[i]);
        }
    }

    /** Finds the words that have a text inside. */
    void containing(String text, Consumer<Word> found) {
        long wanted = letters(text);
        for (int i = 0; i < words.length; i++) {
            if ((wanted & ~letters[i]) == 0 && words[i].folded().indexOf(text) > 0) {
                found.accept(words[i]);
            }
        }
    }

    /**
     * Finds the words that a text with mistakes may stand for, each with the number of mistakes.
     *
     * @param isEnd
     *            whether the time for this is over
     */
    void similar(String text, int max, BooleanSupplier isEnd, ObjIntConsumer<Word> found) {
        long typed = letters(text);
        for (int i = 0; i < words.length; i++) {
            if (i % STEP == 0 && isEnd.getAsBoolean()) {
                return;
            }
            // A mistake adds and removes at most one character. So most words need no comparison.
            if (Long.bitCount(typed ^ letters[i]) <= 2 * max) {
                int mistakes = Similarity.mistakes(text, words[i].folded(), max);
                if (mistakes <= max) {
                    found.accept(words[i], mistakes);
                }
            }
        }
    }

    /** The place of the first word that is not before a text. */
    private int place(String text) {
        int found = Arrays.binarySearch(words, new Word(text, text, 0, 0), BY_FOLDED);
        return found < 0 ? -found - 1 : found;
    }

    /** The set of characters of a text. Several characters share a bit. */
    private static long letters(String text) {
        long set = 0;
        for (int i = 0; i < text.length(); i++) {
            set |= 1L << text.charAt(i);
        }
        return set;
    }
}
