package io.datasetlisting.dataset.parquet;

import java.io.EOFException;
import java.nio.ByteBuffer;

import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

import io.datasetlisting.base.SpoolFile;

/** Gives parquet-java the bytes of a temporary file. */
record SpoolInput(SpoolFile file) implements InputFile {

    @Override
    public long getLength() {
        return file.size();
    }

    @Override
    public SeekableInputStream newStream() {
        return new Stream(file);
    }

    private static final class Stream extends SeekableInputStream {

        private final SpoolFile file;
        private long position;

        Stream(SpoolFile file) {
            this.file = file;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void seek(long to) {
            position = to;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public int read(ByteBuffer bytes) {
            if (!bytes.hasRemaining()) {
                return 0;
            }
            int count = (int) Math.min(bytes.remaining(), file.size() - position);
            if (count <= 0 || position < 0) {
                return -1;
            }
            int limit = bytes.limit();
            file.read(bytes.limit(bytes.position() + count), position);
            bytes.limit(limit);
            position += count;
            return count;
        }

        @Override
        public void readFully(byte[] bytes) throws EOFException {
            readFully(ByteBuffer.wrap(bytes));
        }

        @Override
        public void readFully(byte[] bytes, int offset, int length) throws EOFException {
            readFully(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void readFully(ByteBuffer bytes) throws EOFException {
            while (bytes.hasRemaining()) {
                if (read(bytes) < 0) {
                    throw new EOFException();
                }
            }
        }
    }
}
