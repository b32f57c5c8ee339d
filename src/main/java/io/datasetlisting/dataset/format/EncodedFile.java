package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.util.List;

/**
 * A file that a library writes and that {@link FileThreads} sends while it grows. Its methods may block, and are called one after
 * another.
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
}
