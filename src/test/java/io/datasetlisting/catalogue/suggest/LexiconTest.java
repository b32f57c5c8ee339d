package io.datasetlisting.catalogue.suggest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

/** Tests which words a text may stand for, and which words memory keeps. */
class LexiconTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private static Word word(String text, long uses, long no) {
        return new Word(text, text, uses, no);
    }

    private static List<String> texts(List<Word> words) {
        return words.stream().map(Word::folded).toList();
    }

    private static List<String> all(Vocabulary vocabulary) {
        return texts(new Lexicon(vocabulary, List.of(), LONG).beginning("", 1_000));
    }

    @Test
    void aFoldAddsChangesAndForgetsWords() {
        Vocabulary first = Vocabulary.EMPTY.with(List.of(word("reef", 3, 1), word("bay", 2, 1), word("cape", 1, 1)), 1,
                10, false);
        Vocabulary second = first.with(List.of(word("bay", 0, 2), word("cape", 9, 2), word("delta", 1, 2),
                word("never", 0, 2)), 2, 10, false);
        assertEquals(List.of("reef", "bay", "cape"), all(first));
        assertEquals(List.of("cape", "reef", "delta"), all(second));
        assertEquals(2, second.no());
        assertFalse(second.lacksWords(10));
    }

    @Test
    void theLeastUsedAndOldestWordsMakeRoom() {
        List<Word> words = IntStream.range(0, 10).mapToObj(i -> word("old" + i, i < 5 ? 7 : 1, i)).toList();
        Vocabulary full = Vocabulary.EMPTY.with(words, 9, 10, false);
        Vocabulary next = full.with(List.of(word("new", 1, 10)), 10, 10, false);
        assertEquals(List.of("old0", "old1", "old2", "old3", "old4", "new", "old7", "old8", "old9"), all(next));
        assertFalse(next.lacksWords(10));
        Vocabulary later = next.with(List.of(word("old0", 0, 11), word("old1", 0, 11)), 11, 10, false);
        assertTrue(later.lacksWords(10));
        assertEquals(10, full.size());
    }

    @Test
    void whatOnlyTheCallerSeesIsFoundBesideTheOthers() {
        Vocabulary common = Vocabulary.EMPTY.with(List.of(word("submarine", 3, 1)), 1, 10, false);
        Lexicon lexicon = new Lexicon(common, List.of(word("submerged", 4, 0), word("submarine", 9, 0)), LONG);
        assertEquals(List.of("submerged", "submarine"), texts(lexicon.beginning("sub", 6)));
        assertEquals(List.of("submerged"), texts(lexicon.beginning("sub", 1)));
        assertEquals(List.of("submarine"), texts(lexicon.containing("marine", 6)));
        assertTrue(lexicon.begins("subme"));
        assertFalse(lexicon.begins("subx"));
    }

    /** The comparison of characters leaves out no word that the distance alone finds. */
    @Test
    void similarWordsAreThoseWithFewMistakes() {
        Random random = new Random(7);
        List<Word> words = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            words.add(word(random.ints(3 + random.nextInt(8), 0, 9).collect(StringBuilder::new,
                    (text, n) -> text.append("aeilnrsté".charAt(n)), StringBuilder::append).toString() + i, 1, 1));
        }
        Lexicon lexicon = new Lexicon(Vocabulary.of(words), List.of(), LONG);
        for (String typed : List.of("rea", "reni12", "sétenal1", "listerané", "1", "ab")) {
            int max = Similarity.likelyMistakes(typed);
            List<String> expected = words.stream().map(Word::folded)
                    .filter(each -> max > 0 && Similarity.mistakes(typed, each, max) <= max).sorted().toList();
            assertEquals(expected, texts(lexicon.similar(typed, 5_000)).stream().sorted().toList(), typed);
        }
        assertFalse(lexicon.isEnded());
    }

    @Test
    void theSearchForSimilarWordsEndsInTime() {
        Word[] same = new Word[10_000];
        Arrays.setAll(same, i -> word("abcdefghijklmnopqrstuvwxyz" + i, 1, 1));
        Lexicon lexicon = new Lexicon(Vocabulary.of(Arrays.asList(same)), List.of(), Duration.ZERO);
        assertEquals(List.of(), lexicon.similar("abcdefghijklmnopqrstuvwxyz77", 6));
        assertTrue(lexicon.isEnded());
        assertEquals(1, lexicon.beginning("abcdefghijklmnopqrstuvwxyz777", 1).size());
    }
}
