package io.datasetlisting.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Percent-encodes UTF-8 text; {@code A-Z a-z 0-9 _ . - ~} stand for themselves (RFC 3986).
 */
public final class PercentEncoding {

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PercentEncoding() {
    }

    /** For a name or a value of a query: a space becomes {@code +}. */
    public static String form(String text) {
        return encode(text, ' ', '+');
    }

    /** For a path of several segments: the slashes stay. */
    public static String path(String text) {
        return encode(text, '/', '/');
    }

    private static String encode(String text, char special, char replacement) {
        if (isPlain(text, special == replacement ? special : -1)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(b)) {
                out.append((char) b);
            } else if (b == special) {
                out.append(replacement);
            } else {
                out.append('%');
                HEX.toHexDigits(out, b);
            }
        }
        return out.toString();
    }

    /** Most texts need no encoding; to see that is cheaper than to copy them. */
    private static boolean isPlain(String text, int alsoPlain) {
        for (int i = 0; i < text.length(); i++) {
            if (!isUnreserved(text.charAt(i)) && text.charAt(i) != alsoPlain) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnreserved(int b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' || b == '-'
                || b == '~';
    }
}
