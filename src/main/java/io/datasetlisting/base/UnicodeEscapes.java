package io.datasetlisting.base;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Rewrites JSON so that its texts and names contain no {@code \"} and no {@code \\}: quotes become {@code \u0022} and backslashes
 * {@code \u005c}, which every JSON parser reads as the same text. QGIS up to 3.40 removes spaces from JSON with a scanner that
 * takes the end of {@code "C:\\"} for an escaped quote, and loses the whole page. The JSON is rewritten as a whole, because parts
 * of it, such as statistics, are stored as JSON text.
 */
public final class UnicodeEscapes {

    private static final byte[] QUOTE = "\\u0022".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BACKSLASH = "\\u005c".getBytes(StandardCharsets.US_ASCII);

    private UnicodeEscapes() {
    }

    /**
     * The same JSON with the long escapes; the array itself if it has none of the short ones.
     *
     * @param json
     *            valid JSON in UTF-8. Outside of texts and names it has no backslash
     */
    public static byte[] in(byte[] json) {
        int next = indexOfEscape(json, 0);
        if (next < 0) {
            return json;
        }
        ByteArrayOutputStream rewritten = new ByteArrayOutputStream(json.length + 64);
        int copied = 0;
        while (next >= 0) {
            rewritten.write(json, copied, next - copied);
            rewritten.writeBytes(json[next + 1] == '"' ? QUOTE : BACKSLASH);
            copied = next + 2;
            next = indexOfEscape(json, copied);
        }
        rewritten.write(json, copied, json.length - copied);
        return rewritten.toByteArray();
    }

    /** The same JSON as text with the long escapes. */
    public static String in(String json) {
        return json.indexOf('\\') < 0
                ? json
                : new String(in(json.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    /** The index of the first escaped quote or backslash, or -1. */
    private static int indexOfEscape(byte[] json, int from) {
        for (int i = from; i < json.length; i++) {
            if (json[i] == '\\') {
                if (json[i + 1] == '"' || json[i + 1] == '\\') {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
