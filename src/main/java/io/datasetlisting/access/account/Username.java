package io.datasetlisting.access.account;

import java.text.Normalizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules of usernames, for accounts of the API, of imports and of the configuration. A username is in the normal form NFKC and
 * has no white space around it and no invisible characters. Two names that differ only in case are the name of one account; the
 * database compares them ({@code username_key}).
 */
public final class Username {

    /** In characters (code points). */
    public static final int MAX_LENGTH = 150;

    /**
     * Control and format characters, line and paragraph separators, and the letters and marks that are invisible: with one of
     * them, two different names look the same. No-break spaces are missing here, because the normal form has a plain space for
     * each.
     */
    private static final Pattern INVISIBLE = Pattern
            .compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5"
                    + "\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\x{e0100}-\\x{e01ef}]");

    private Username() {
    }

    /** The name as an account has it. */
    public static String normalize(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFKC).strip();
    }

    /** Why a normalized name is refused; null for a valid name. */
    public static String refusal(String name) {
        if (name.isEmpty()) {
            return "This field may not be blank.";
        }
        Matcher invisible = INVISIBLE.matcher(name);
        if (invisible.find()) {
            return String.format("Control and other invisible characters are not allowed: U+%04X.",
                    name.codePointAt(invisible.start()));
        }
        return name.codePointCount(0, name.length()) > MAX_LENGTH
                ? "Ensure this field has no more than " + MAX_LENGTH + " characters."
                : null;
    }
}
