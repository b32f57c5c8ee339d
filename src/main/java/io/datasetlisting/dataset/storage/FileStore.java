package io.datasetlisting.dataset.storage;

import java.io.IOException;
import java.util.List;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Keeps whole files, which are written once and read in parts. */
public interface FileStore {

    /** A file that grows. Its methods wait, and are called one after another. */
    interface Output extends AutoCloseable {

        void write(byte[] bytes) throws IOException;

        /** Makes the file readable, with all bytes. */
        void complete() throws IOException;

        /** Removes a file that is not complete; nothing for a complete one. */
        @Override
        void close();
    }

    /** Begins a file, or begins it anew. Only for a thread that may wait. */
    Output create(String name, String mediaType) throws IOException;

    /** Bytes of a complete file, as fast as the subscriber takes them. */
    Multi<byte[]> read(String name, long from, long length);

    /** Removes files, and what a process that was killed has left of them. A file that is not there is no failure. */
    Uni<Void> remove(List<String> names);
}
