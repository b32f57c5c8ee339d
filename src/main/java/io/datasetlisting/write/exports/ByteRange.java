package io.datasetlisting.write.exports;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file, as the header {@code Range} asks for it.
 *
 * @param length
 *            at least 1; below zero if no byte of the file is in the range
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-range-requests">RFC 9110, Range Requests</a>
 */
record ByteRange(long from, long length) {

    static final ByteRange UNSATISFIABLE = new ByteRange(0, -1);

    /** With fewer digits than the largest number. */
    private static final Pattern BYTES = Pattern.compile("bytes\\s*=\\s*(\\d{0,18})\\s*-\\s*(\\d{0,18})\\s*",
            Pattern.CASE_INSENSITIVE);

    /** The part that a header asks for; null for the whole file, also if the header has another form, or names several parts. */
    static ByteRange of(String header, long size) {
        Matcher range = header == null ? null : BYTES.matcher(header);
        if (range == null || !range.matches()) {
            return null;
        }
        if (range.group(1).isEmpty()) {
            if (range.group(2).isEmpty()) {
                return null;
            }
            long last = Math.min(Long.parseLong(range.group(2)), size);
            return last == 0 ? UNSATISFIABLE : new ByteRange(size - last, last);
        }
        long from = Long.parseLong(range.group(1));
        long to = range.group(2).isEmpty() ? size - 1 : Math.min(Long.parseLong(range.group(2)), size - 1);
        if (from >= size) {
            return UNSATISFIABLE;
        }
        return to < from ? null : new ByteRange(from, to - from + 1);
    }

    boolean isUnsatisfiable() {
        return length < 0;
    }

    /** The value of {@code Content-Range}. */
    String header(long size) {
        return isUnsatisfiable() ? "bytes */" + size : "bytes " + from + '-' + (from + length - 1) + '/' + size;
    }
}
