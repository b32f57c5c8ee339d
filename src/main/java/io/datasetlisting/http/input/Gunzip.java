package io.datasetlisting.http.input;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

import io.datasetlisting.base.ApiException;
import io.vertx.core.http.HttpServerRequest;

/**
 * Decompresses a gzip body chunk by chunk (RFC 1952). The platform's decompression would inflate the bodies of callers that are
 * not authenticated yet, up to a thousandfold, before any limit applies. The stream classes of the JDK block until their input
 * arrives. Netty's decoder either ignores further members or does not tell whether the last member is complete.
 */
final class Gunzip implements AutoCloseable {

    /** Largest piece of decompressed bytes. */
    private static final int MAX_PIECE = 16 << 10;
    private static final int MAX_HEADER = 64 << 10;
    private static final int FIXED_HEADER = 10;
    private static final int TRAILER = 8;

    private enum Part {
        HEADER, DATA, TRAILER
    }

    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private Part part = Part.HEADER;
    /** The input that is not consumed yet begins at {@code start}. */
    private byte[] input = {};
    private int start;
    /** Bytes that were consumed before this input. */
    private long consumedBefore;
    /** One for all members: a member may be as short as 20 bytes. */
    private final byte[] buffer = new byte[MAX_PIECE];
    private boolean closed;

    /**
     * The decompression of the body of a request; null for a body that is not compressed.
     *
     * @throws ApiException
     *             415 for another encoding
     */
    static Gunzip of(HttpServerRequest request) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding == null || encoding.strip().equalsIgnoreCase("identity") || encoding.isBlank()) {
            return null;
        }
        if (encoding.strip().equalsIgnoreCase("gzip") || encoding.strip().equalsIgnoreCase("x-gzip")) {
            return new Gunzip();
        }
        throw new ApiException(415, "Unsupported content encoding \"" + encoding + "\" in request.");
    }

    /** The decompressed bytes of a chunk in small pieces. Each piece is decompressed when the iterator returns it. */
    Iterable<byte[]> decompress(byte[] chunk) {
        byte[] rest = Arrays.copyOfRange(input, start, input.length + chunk.length);
        System.arraycopy(chunk, 0, rest, input.length - start, chunk.length);
        input = rest;
        consumedBefore += start;
        start = 0;
        if (part == Part.DATA) {
            inflater.setInput(input);
        }
        return () -> new Iterator<>() {

            private byte[] next;

            @Override
            public boolean hasNext() {
                next = next == null ? nextPiece() : next;
                return next != null;
            }

            @Override
            public byte[] next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                byte[] piece = next;
                next = null;
                return piece;
            }
        };
    }

    /**
     * Checks that the body is complete.
     *
     * @throws ApiException
     *             400 if it is not
     */
    void end() {
        close();
        if (part != Part.HEADER || start < input.length) {
            throw malformed();
        }
    }

    /** Number of bytes that are decompressed so far, in their compressed form. */
    long consumed() {
        return consumedBefore + start;
    }

    /**
     * Frees the native memory, also of a body that is not complete. No further piece is decompressed. May be called
     * on any thread.
     */
    @Override
    public synchronized void close() {
        closed = true;
        inflater.end();
    }

    private static ApiException malformed() {
        return new ApiException(400, "Malformed request: the body is not gzip.");
    }

    /** Null if the next piece needs more input, or after the end. */
    private synchronized byte[] nextPiece() {
        while (!closed) {
            switch (part) {
                case HEADER -> {
                    int end = endOfHeader();
                    if (end < 0) {
                        return null;
                    }
                    start = end;
                    inflater.reset();
                    inflater.setInput(input, start, input.length - start);
                    checksum.reset();
                    part = Part.DATA;
                }
                case DATA -> {
                    byte[] piece = inflate();
                    start = input.length - inflater.getRemaining();
                    if (piece.length > 0) {
                        return piece;
                    }
                    if (!inflater.finished()) {
                        return null;
                    }
                    part = Part.TRAILER;
                }
                case TRAILER -> {
                    if (input.length - start < TRAILER) {
                        return null;
                    }
                    // Both numbers begin with their lowest byte.
                    ByteBuffer trailer = ByteBuffer.wrap(input, start, TRAILER);
                    if (Integer.reverseBytes(trailer.getInt()) != (int) checksum.getValue()
                            || Integer.reverseBytes(trailer.getInt()) != (int) inflater.getBytesWritten()) {
                        throw malformed();
                    }
                    start += TRAILER;
                    // Another member may follow.
                    part = Part.HEADER;
                }
            }
        }
        return null;
    }

    private byte[] inflate() {
        try {
            int length = inflater.inflate(buffer);
            if (length == 0 && inflater.needsDictionary()) {
                throw malformed();
            }
            checksum.update(buffer, 0, length);
            return Arrays.copyOf(buffer, length);
        } catch (DataFormatException e) {
            throw malformed();
        }
    }

    /** The index after the header, or -1 if the header is not complete. */
    private int endOfHeader() {
        int length = input.length - start;
        if (length > 0 && input[start] != 0x1f || length > 1 && input[start + 1] != (byte) 0x8b
                || length > 2 && input[start + 2] != Deflater.DEFLATED) {
            throw malformed();
        }
        if (length < FIXED_HEADER) {
            return -1;
        }
        int flags = input[start + 3];
        int end = start + FIXED_HEADER;
        if ((flags & 4) != 0) {
            // Extra fields, after their length.
            end = end + 2 > input.length ? -1 : end + 2 + (input[end] & 0xFF) + ((input[end + 1] & 0xFF) << 8);
        }
        // A file name and a comment.
        for (int flag = 8; flag <= 16 && end >= 0; flag *= 2) {
            end = (flags & flag) == 0 ? end : endOfText(end);
        }
        // A checksum of the header.
        end = end < 0 || (flags & 2) == 0 ? end : end + 2;
        if (end >= 0 && end <= input.length) {
            return end;
        }
        if (length > MAX_HEADER) {
            throw malformed();
        }
        return -1;
    }

    private int endOfText(int from) {
        for (int i = from; i < input.length; i++) {
            if (input[i] == 0) {
                return i + 1;
            }
        }
        return -1;
    }
}
