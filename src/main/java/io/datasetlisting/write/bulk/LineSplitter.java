package io.datasetlisting.write.bulk;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Splits a stream of bytes into lines. It holds at most one incomplete line. */
final class LineSplitter {

    private final int maxLength;
    private final ByteArrayOutputStream open = new ByteArrayOutputStream();
    private boolean tooLong;
    private long number;

    /** @param maxLength of a line, in bytes */
    LineSplitter(int maxLength) {
        this.maxLength = maxLength;
    }

    /**
     *
     * @param number
     *            from 1; blank lines count
     * @param bytes
     *            the line without its end; null for a line that is too long
     */
    record Line(long number, byte[] bytes) {
    }

    /** The lines that end in these bytes, without blank lines. */
    List<Line> split(byte[] bytes) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, start, i);
                close(lines);
                start = i + 1;
            }
        }
        append(bytes, start, bytes.length);
        return lines;
    }

    /** The last line, if the stream does not end with a line end. */
    List<Line> end() {
        List<Line> lines = new ArrayList<>();
        close(lines);
        return lines;
    }

    private void append(byte[] bytes, int from, int to) {
        if (tooLong || open.size() + to - from > maxLength) {
            tooLong = true;
            open.reset();
        } else {
            open.write(bytes, from, to - from);
        }
    }

    private void close(List<Line> lines) {
        number++;
        byte[] line = open.toByteArray();
        if (tooLong) {
            lines.add(new Line(number, null));
        } else if (!isBlank(line)) {
            lines.add(new Line(number, line));
        }
        open.reset();
        tooLong = false;
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
