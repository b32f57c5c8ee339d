package io.datasetlisting.faces.transaction;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Collects the parts of a body that a lenient write leaves out, as the value of a header of the response. */
final class LeftOut implements Consumer<String> {

    static final String HEADER = "Dataset-Left-Out";

    /** Bytes of the value. Proxies have room for a few kilobytes of headers. */
    private static final int MAX_LENGTH = 256;
    private static final String SEPARATOR = ", ";
    /** The end of a list that has more parts. */
    private static final String MORE = "...";

    private final StringBuilder parts = new StringBuilder();
    private boolean isFull;

    /** Adds a part, by its path in the body. */
    @Override
    public void accept(String part) {
        if (isFull) {
            return;
        }
        String separator = parts.isEmpty() ? "" : SEPARATOR;
        // Each character takes at least a byte, so there is no need to encode a long name.
        String encoded = part.length() > MAX_LENGTH ? part : encode(part);
        isFull = parts.length() + separator.length() + encoded.length() + SEPARATOR.length()
                + MORE.length() > MAX_LENGTH;
        parts.append(separator).append(isFull ? MORE : encoded);
    }

    /** Names of clients have any characters. Those that a header cannot have, and those that divide its parts, are escaped. */
    private static String encode(String part) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : part.getBytes(StandardCharsets.UTF_8)) {
            if (each > ' ' && each < 0x7F && each != ',' && each != '%') {
                encoded.append((char) each);
            } else {
                encoded.append('%').append(String.format("%02X", each));
            }
        }
        return encoded.toString();
    }

    /** Forgets all parts, because the body is read again. */
    void clear() {
        parts.setLength(0);
        isFull = false;
    }

    /** The value of the header; null if nothing was left out. */
    String value() {
        return parts.isEmpty() ? null : parts.toString();
    }
}
