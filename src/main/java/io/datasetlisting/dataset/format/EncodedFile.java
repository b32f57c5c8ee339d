package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * A file that a library writes, and whose complete bytes {@link FileThreads} sends. Its methods may block, and are called one
 * after another.
 *
 * @param <R>
 *            a row
 */
public interface EncodedFile<R> extends AutoCloseable {

    /** The bytes that are complete after these rows; empty when there are none yet. */
    byte[] write(List<R> rows) throws IOException;

    /** The last bytes; an empty array after the last ones. */
    byte[] end() throws IOException;

    /** Releases everything, after the end or before it. */
    @Override
    void close();

    /** This file for what becomes a row. */
    default <S> EncodedFile<S> forRows(Function<S, R> row) {
        EncodedFile<R> file = this;
        return new EncodedFile<>() {

            @Override
            public byte[] write(List<S> rows) throws IOException {
                return file.write(rows.stream().map(row).toList());
            }

            @Override
            public byte[] end() throws IOException {
                return file.end();
            }

            @Override
            public void close() {
                file.close();
            }
        };
    }
}
