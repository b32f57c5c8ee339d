package io.datasetlisting.suggest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The words of names of datasets. It may have words that no dataset has any more, or that a caller does not see: a suggestion is
 * made of a word only after its datasets are counted.
 */
final class Vocabulary {

    /** About 10 MB. The service does not suggest words that come later. */
    private static final int MAX_WORDS = 100_000;
    private static final int MIN_PART = 3;
    private static final Comparator<Word> BY_USES = Comparator.comparingLong(Word::uses).reversed()
            .thenComparing(Word::folded);

    /** Behind the comparator, which it needs. */
    static final Vocabulary EMPTY = new Vocabulary(Map.of(), 0);

    private final Map<String, Word> words;
    private final List<Word> ordered;
    private final long no;

    private Vocabulary(Map<String, Word> words, long no) {
        this.words = words;
        this.no = no;
        ordered = words.values().stream().sorted(BY_USES).toList();
    }

    /** The number of the newest word that the database has numbered. */
    long no() {
        return no;
    }

    /** A vocabulary with more words. */
    Vocabulary with(List<Word> more, long newest) {
        if (more.stream().allMatch(word -> words.containsKey(word.folded()))) {
            return newest == no ? this : new Vocabulary(words, newest);
        }
        Map<String, Word> all = new HashMap<>(words);
        more.stream().limit(Math.max(0, MAX_WORDS - all.size())).forEach(word -> all.putIfAbsent(word.folded(), word));
        return new Vocabulary(all, newest);
    }

    /** Whether any word begins with a text. */
    boolean begins(String text) {
        return words.containsKey(text) || ordered.stream().anyMatch(word -> word.folded().startsWith(text));
    }

    /** The words that begin with a text, the most frequent first. */
    Stream<Word> beginning(String text) {
        return ordered.stream().filter(word -> word.folded().startsWith(text));
    }

    /** The words that have a text inside, the most frequent first. */
    Stream<Word> containing(String text) {
        Predicate<Word> isInside = word -> word.folded().indexOf(text) > 0;
        return text.length() < MIN_PART ? Stream.empty() : ordered.stream().filter(isInside);
    }

    /** The words that a text with mistakes may stand for, the most similar first. */
    Stream<Word> similar(String text) {
        int max = Similarity.likelyMistakes(text);

        List<List<Word>> byMistakes = new ArrayList<>();
        IntStream.rangeClosed(0, max).forEach(i -> byMistakes.add(new ArrayList<>()));
        for (Word word : ordered) {
            int count = Similarity.mistakes(text, word.folded(), max);
            if (count <= max && max > 0) {
                byMistakes.get(count).add(word);
            }
        }
        return byMistakes.stream().flatMap(List::stream);
    }
}
