package io.datasetlisting.base;

import java.util.regex.Pattern;

/**
 * Decides which texts show nothing, and removes the white space around a text. {@link String#isBlank} and
 * {@link String#strip} know neither no-break spaces nor invisible characters.
 */
public final class BlankText {

    /** What Python takes for space: the white space of Unicode and four separators. */
    private static final String SPACE = "\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f"
            + "\\u205f\\u3000";

    /**
     * The default-ignorable code points of Unicode. Java and PostgreSQL have different escapes for characters above U+FFFF, so
     * the characters themselves stand here.
     */
    private static final String INVISIBLE = "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
            + "\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8"
            + "\ud82f\udca0-\ud82f\udca3\ud834\udd73-\ud834\udd7a\udb40\udc00-\udb43\udfff";

    /**
     * A regular expression that finds a character in each text that shows something, in Java and in PostgreSQL. It has no
     * class of characters, because PostgreSQL's classes depend on the locale.
     */
    public static final String VISIBLE = "[^" + SPACE + INVISIBLE + "]";

    private static final Pattern VISIBLE_PATTERN = Pattern.compile(VISIBLE);

    private BlankText() {
    }

    /** Whether a text has only white space and invisible characters, or nothing. */
    public static boolean isBlank(String text) {
        return !VISIBLE_PATTERN.matcher(text).find();
    }

    /** Whether a character is white space. All white space is in the basic plane. */
    public static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
    }

    /** The text without white space at its ends, as Python's {@code str.strip} returns it. Invisible characters stay. */
    public static String strip(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (start < end && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }
}
