package io.datasetlisting.catalogue.suggest;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

import io.datasetlisting.base.SearchWords;

/**
 * Texts that a search may have meant whose words begin no word of a name: the first such word is replaced by several ones, and
 * each other such word by the most similar one. Frequent words are for a search that resembles none.
 */
record Correction(List<Suggestion> similar, List<Suggestion> containing, List<Suggestion> frequent) {

    private static final int MAX_WORDS = 8;
    /** Of the words that people offer each other: no numbers, and no short words. */
    private static final Predicate<Word> SAYS_SOMETHING = word -> word.folded().length() > 3
            && word.folded().chars().noneMatch(Character::isDigit);

    static Correction of(String text, Lexicon lexicon, int limit) {
        List<String> words = Arrays.stream(SearchWords.fold(text).split(" ")).filter(word -> !word.isEmpty())
                .limit(MAX_WORDS).toList();
        int wrong = 0;
        while (wrong < words.size() && lexicon.begins(words.get(wrong))) {
            wrong++;
        }
        List<Suggestion> frequent = texts("", lexicon.beginning("", 4 * limit).stream().filter(SAYS_SOMETHING)
                .limit(limit).toList(), "");
        if (wrong == words.size()) {
            // No name has all of them. Each one alone finds datasets.
            return new Correction(words.size() < 2
                    ? List.of()
                    : texts("", words.stream().flatMap(word -> lexicon.beginning(word, 1).stream()).toList(), ""),
                    List.of(), frequent);
        }
        String before = String.join(" ", words.subList(0, wrong));
        String after = String.join(" ", words.subList(wrong + 1, words.size()).stream()
                .map(word -> lexicon.begins(word)
                        ? word
                        : lexicon.similar(word, 1).stream().findFirst().map(Word::written).orElse(word))
                .toList());
        return new Correction(texts(before, lexicon.similar(words.get(wrong), limit), after),
                texts(before, lexicon.containing(words.get(wrong), limit), after), frequent);
    }

    private static List<Suggestion> texts(String before, List<Word> words, String after) {
        return words.stream()
                .map(word -> Suggestion.ofName(word, (before + ' ' + word.written() + ' ' + after).strip())).toList();
    }
}
