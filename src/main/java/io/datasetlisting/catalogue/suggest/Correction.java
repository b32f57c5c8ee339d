package io.datasetlisting.catalogue.suggest;

import java.util.Arrays;
import java.util.List;

import io.datasetlisting.base.SearchWords;

/**
 * Texts that a search may have meant whose words begin no word of a name: the first such word is replaced by several ones, and
 * each other such word by the most similar one.
 */
record Correction(List<Suggestion> similar, List<Suggestion> containing) {

    private static final int MAX_WORDS = 8;

    static Correction of(String text, Lexicon lexicon, int limit) {
        List<String> words = Arrays.stream(SearchWords.fold(text).split(" ")).filter(word -> !word.isEmpty())
                .limit(MAX_WORDS).toList();
        int wrong = 0;
        while (wrong < words.size() && lexicon.begins(words.get(wrong))) {
            wrong++;
        }
        if (wrong == words.size()) {
            return new Correction(List.of(), List.of());
        }
        String before = String.join(" ", words.subList(0, wrong));
        String after = String.join(" ", words.subList(wrong + 1, words.size()).stream()
                .map(word -> lexicon.begins(word)
                        ? word
                        : lexicon.similar(word, 1).stream().findFirst().map(Word::written).orElse(word))
                .toList());
        return new Correction(texts(before, lexicon.similar(words.get(wrong), limit), after),
                texts(before, lexicon.containing(words.get(wrong), limit), after));
    }

    private static List<Suggestion> texts(String before, List<Word> words, String after) {
        return words.stream()
                .map(word -> Suggestion.ofName(word, (before + ' ' + word.written() + ' ' + after).strip())).toList();
    }
}
