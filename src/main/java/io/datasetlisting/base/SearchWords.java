package io.datasetlisting.base;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Folds text as the database's function {@code search_words} does, so that a text that a user types and a name are compared
 * without case and without accents. The classes of a few rare characters differ between the JDK and ICU.
 */
public final class SearchWords {

    private static final Pattern MARKS = Pattern.compile("[\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf"
            + "\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4"
            + "\\u06e7\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u08ca-\\u08e1\\u08e3-\\u08ff\\u1ab0-\\u1aff"
            + "\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f]");
    private static final String REPLACED = "øłđħıς";
    private static final String REPLACEMENTS = "oldhiσ";

    private SearchWords() {
    }

    /** The words of a text, with one space between two words; empty if the text has no words. */
    public static String fold(String text) {
        String lower = isAscii(text) ? text.toLowerCase(Locale.ROOT) : withoutMarks(text);
        StringBuilder words = new StringBuilder(lower.length());
        for (int i = 0, character; i < lower.length(); i += Character.charCount(character)) {
            character = lower.codePointAt(i);
            if (Character.isLetterOrDigit(character) || Character.getType(character) == Character.COMBINING_SPACING_MARK
                    || Character.getType(character) == Character.NON_SPACING_MARK) {
                append(words, character);
            } else if (!words.isEmpty() && words.charAt(words.length() - 1) != ' ') {
                words.append(' ');
            }
        }
        return words.toString().stripTrailing();
    }

    /** Whether the words of a phrase follow each other in a text. A phrase without words is in no text. */
    public static boolean hasPhrase(String text, String phrase) {
        String words = fold(phrase);
        return !words.isEmpty() && (' ' + fold(text) + ' ').contains(' ' + words + ' ');
    }

    private static void append(StringBuilder words, int character) {
        int replaced = character < 0x80 ? -1 : REPLACED.indexOf(character);
        if (replaced >= 0) {
            words.append(REPLACEMENTS.charAt(replaced));
        } else if (character == 'ß') {
            words.append("ss");
        } else if (character == 'æ') {
            words.append("ae");
        } else {
            words.appendCodePoint(character);
        }
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static String withoutMarks(String text) {
        return MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT)).replaceAll("");
    }
}
