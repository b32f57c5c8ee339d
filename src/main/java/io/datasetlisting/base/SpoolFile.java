package io.datasetlisting.base;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

import io.vertx.core.Context;

/**
 * A temporary file of the {@link Spool}: bytes are added at its end, and read anywhere. Its methods wait for the disk, and refuse
 * an event loop.
 */
public final class SpoolFile implements AutoCloseable {

    private static final int BUFFER = 64 << 10;

    private final Spool spool;
    private final Object user;
    private final long share;
    private final FileChannel channel;
    /** Bytes that the file lacks. */
    private final ByteBuffer added = ByteBuffer.allocate(BUFFER);
    /** With the bytes that the file lacks. */
    private long size;

    SpoolFile(Spool spool, Object user, long share, FileChannel channel) {
        this.spool = spool;
        this.user = user;
        this.share = share;
        this.channel = channel;
    }

    /** What the file is for. */
    Object user() {
        return user;
    }

    /** The bytes that all files together have when this one takes some. */
    long share() {
        return share;
    }

    /** In bytes. */
    public synchronized long size() {
        return size;
    }

    /**
     * Adds the remaining bytes of the buffer.
     *
     * @throws ApiException
     *             503 if the spool or the disk is full; the file then has only a part of the bytes, or none
     */
    public synchronized void add(ByteBuffer bytes) {
        refuseEventLoop();
        if (!channel.isOpen()) {
            throw Spool.unusable(new ClosedChannelException());
        }
        spool.take(this, bytes.remaining());
        size += bytes.remaining();
        if (bytes.remaining() > added.remaining()) {
            flush();
        }
        if (bytes.remaining() > added.remaining()) {
            write(bytes);
        } else {
            added.put(bytes);
        }
    }

    /**
     * Fills the rest of the buffer with the bytes at a position.
     *
     * @throws ApiException
     *             503 if they cannot be read
     */
    public synchronized void read(ByteBuffer bytes, long position) {
        refuseEventLoop();
        flush();
        try {
            for (long next = position; bytes.hasRemaining();) {
                int count = channel.read(bytes, next);
                if (count < 0) {
                    throw new IllegalArgumentException("the file ends before " + (position + bytes.limit()));
                }
                next += count;
            }
        } catch (IOException e) {
            throw Spool.unusable(e);
        }
    }

    private void flush() {
        added.flip();
        write(added);
        added.clear();
    }

    private void write(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw Spool.unusable(e);
        }
    }

    private static void refuseEventLoop() {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("an event loop must not wait for a file");
        }
    }

    /** Deletes the file, and gives its bytes back. */
    @Override
    public synchronized void close() {
        try {
            channel.close();
        } catch (IOException e) {
            Spool.unusable(e);
        }
        spool.giveBack(this, size);
    }
}
