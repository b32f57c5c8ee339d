package io.datasetlisting.base;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Percent-encodes and decodes text as UTF-8. The characters {@code A-Z a-z 0-9 _ . - ~} are not encoded (RFC 3986). The JDK's
 * encoder leaves {@code *} and encodes {@code ~}, and its decoder accepts malformed UTF-8.
 */
public final class PercentEncoding {

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Printable ASCII characters that neither a path nor a query may contain (RFC 3986). */
    private static final String NOT_IN_URLS = "\"<>[\\]^`{|}#";

    private PercentEncoding() {
    }

    /** Encodes a name or a value of a query. A space becomes {@code +}. */
    public static String form(String text) {
        return encode(text, ' ', '+');
    }

    /** Encodes a path of several segments. Slashes are not encoded. */
    public static String path(String text) {
        return encode(text, '/', '/');
    }

    /**
     * The path and the query as the client has sent them. Characters that a URL cannot contain are encoded, also a stray
     * {@code %}.
     *
     * @param query
     *            null or empty without a query
     */
    public static String address(String path, String query) {
        String address = query == null || query.isEmpty() ? path : path + '?' + query;
        StringBuilder encoded = new StringBuilder(address.length());
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            boolean isAllowed = c == '%' ? isEscape(address, i) : c > ' ' && c < 0x7F && NOT_IN_URLS.indexOf(c) < 0;
            if (isAllowed) {
                encoded.append(c);
            } else {
                // The HTTP decoder passes each byte as one char.
                encoded.append('%').append(HEX.toHexDigits((byte) c));
            }
        }
        return encoded.toString();
    }

    private static boolean isEscape(String text, int index) {
        return index + 2 < text.length() && HexFormat.isHexDigit(text.charAt(index + 1))
                && HexFormat.isHexDigit(text.charAt(index + 2));
    }

    /** Decodes a path. Null if a percent escape is malformed or the bytes are not UTF-8. */
    public static String decodePath(String path) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        byte[] utf8 = path.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < utf8.length; i++) {
            if (utf8[i] != '%') {
                bytes.write(utf8[i]);
            } else if (i + 2 < utf8.length && HexFormat.isHexDigit(utf8[i + 1]) && HexFormat.isHexDigit(utf8[i + 2])) {
                bytes.write(HexFormat.fromHexDigit(utf8[i + 1]) << 4 | HexFormat.fromHexDigit(utf8[i + 2]));
                i += 2;
            } else {
                return null;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
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

    /** Whether a text needs no encoding, as most texts: this check is cheaper than a copy. */
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
