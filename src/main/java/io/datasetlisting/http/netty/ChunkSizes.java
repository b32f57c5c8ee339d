package io.datasetlisting.http.netty;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.util.internal.StringUtil;

/**
 * Checks the lines with the sizes of the chunks of one body: only hexadecimal digits, at most eight. Netty skips spaces and
 * extensions, and reads a size above 32 bits as a small one. A proxy may read a quoted extension, or such a size, differently
 * (RFC 9112, section 7.1).
 */
final class ChunkSizes {

    private static final int MAX_DIGITS = 8;
    private static final int LINE_END = 2;

    private enum Part {
        SIZE, LINE_FEED, DATA, TRAILERS
    }

    private Part part = Part.SIZE;
    private long size;
    private int digits;

    /** Reads bytes of the body that the decoder has consumed. It returns whether all lines so far are well formed. */
    boolean accept(ByteBuf bytes, int start, int end) {
        int i = start;
        while (i < end && part != Part.TRAILERS) {
            if (part == Part.DATA) {
                long skipped = Math.min(size, end - i);
                size -= skipped;
                i += (int) skipped;
                if (size == 0) {
                    part = Part.SIZE;
                    digits = 0;
                }
            } else if (!acceptOfLine(bytes.getByte(i++))) {
                return false;
            }
        }
        return true;
    }

    private boolean acceptOfLine(byte b) {
        if (part == Part.LINE_FEED) {
            part = size == 0 ? Part.TRAILERS : Part.DATA;
            // Netty checks the line end behind the data.
            size += LINE_END;
            return b == HttpConstants.LF;
        }
        if (b == HttpConstants.CR) {
            part = Part.LINE_FEED;
            return digits > 0;
        }
        int digit = StringUtil.decodeHexNibble(b);
        size = size * 16 + digit;
        return digit >= 0 && ++digits <= MAX_DIGITS;
    }
}
