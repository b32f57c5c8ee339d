package io.datasetlisting.catalogue.suggest;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The words that one caller may be suggested: those that all callers share, and further ones. It may have words that no dataset
 * has any more: a suggestion is made of a word only after its datasets are counted. The search for words costs so much that it
 * runs on a worker, and ends after some time.
 */
final class Lexicon {

    private static final int MIN_PART = 3;
    private static final Comparator<Word> BY_USES = Comparator.comparingLong(Word::uses).reversed()
            .thenComparing(Word::folded);
    private static final Comparator<Match> BY_MISTAKES = Comparator.comparingInt(Match::mistakes)
            .thenComparing(Match::word, BY_USES);

    private final List<Vocabulary> parts;
    private final long end;
    private boolean isEnded;

    /**
     * @param more
     *            words that only this caller is suggested, or that no fold has merged
     * @param time
     *            for which words are sought
     */
    Lexicon(Vocabulary common, List<Word> more, Duration time) {
        parts = List.of(common, Vocabulary.of(more.stream().filter(word -> !common.has(word.folded())).toList()));
        end = System.nanoTime() + time.toNanos();
    }

    private record Match(int mistakes, Word word) {
    }

    /** Whether the time was over before all words were compared. */
    boolean isEnded() {
        return isEnded;
    }

    private boolean isOver() {
        isEnded = isEnded || System.nanoTime() - end > 0;
        return isEnded;
    }

    /** Whether any word begins with a text. */
    boolean begins(String text) {
        return parts.stream().anyMatch(part -> part.begins(text));
    }

    /** The words that begin with a text, the most frequent first. */
    List<Word> beginning(String text, int limit) {
        TreeSet<Word> best = new TreeSet<>(BY_USES);
        parts.forEach(part -> part.beginning(text, word -> keep(best, word, limit)));
        return List.copyOf(best);
    }

    /** The words that have a text inside, the most frequent first. */
    List<Word> containing(String text, int limit) {
        TreeSet<Word> best = new TreeSet<>(BY_USES);
        if (text.length() >= MIN_PART) {
            parts.forEach(part -> part.containing(text, word -> keep(best, word, limit)));
        }
        return List.copyOf(best);
    }

    /** The words that a text with mistakes may stand for, the most similar first. */
    List<Word> similar(String text, int limit) {
        int max = Similarity.likelyMistakes(text);
        TreeSet<Match> best = new TreeSet<>(BY_MISTAKES);
        if (max > 0) {
            parts.forEach(part -> part.similar(text, max, this::isOver,
                    (word, mistakes) -> keep(best, new Match(mistakes, word), limit)));
        }
        return best.stream().map(Match::word).toList();
    }

    private static <T> void keep(TreeSet<T> best, T found, int limit) {
        best.add(found);
        if (best.size() > limit) {
            best.pollLast();
        }
    }
}
