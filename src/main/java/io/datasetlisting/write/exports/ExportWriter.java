package io.datasetlisting.write.exports;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;

import io.datasetlisting.catalogue.listing.ListingJson;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.format.EncodedFile;
import io.datasetlisting.dataset.storage.FileStore;

/** Writes the same datasets to all files of an export. What it returns says nothing but that the end is not reached. */
final class ExportWriter implements EncodedFile<DatasetView> {

    private static final byte[] MORE = {1};
    private static final byte[] NOTHING = {};

    private final List<Part> parts = new ArrayList<>();
    private long count;

    /** One file. */
    private static final class Part implements AutoCloseable {

        private final EncodedFile<DatasetView> file;
        private final FileStore.Output stored;
        private long bytes;
        private boolean isComplete;

        Part(EncodedFile<DatasetView> file, FileStore.Output stored) {
            this.file = file;
            this.stored = stored;
        }

        private void store(byte[] some) throws IOException {
            if (some.length > 0) {
                bytes += some.length;
                stored.write(some);
            }
        }

        @Override
        public void close() {
            file.close();
            stored.close();
        }
    }

    /** Adds a file, which this writer closes. */
    ExportWriter add(Callable<EncodedFile<DatasetView>> open, Callable<FileStore.Output> create) throws Exception {
        EncodedFile<DatasetView> file = null;
        try {
            file = open.call();
            parts.add(new Part(file, create.call()));
            return this;
        } catch (Exception e) {
            if (file != null) {
                file.close();
            }
            close();
            throw e;
        }
    }

    @Override
    public byte[] write(List<DatasetView> rows) throws IOException {
        count += rows.size();
        for (Part part : parts) {
            part.store(part.file.write(rows));
        }
        return NOTHING;
    }

    /** One step at a time, so that a cancellation need not wait for all of them. */
    @Override
    public byte[] end() throws IOException {
        for (Part part : parts) {
            if (!part.isComplete) {
                byte[] bytes = part.file.end();
                part.store(bytes);
                if (bytes.length == 0) {
                    part.stored.complete();
                    part.isComplete = true;
                }
                return MORE;
            }
        }
        return NOTHING;
    }

    /** Of each file. */
    Long[] bytes() {
        return parts.stream().map(part -> part.bytes).toArray(Long[]::new);
    }

    /** Datasets. */
    long count() {
        return count;
    }

    @Override
    public void close() {
        parts.forEach(Part::close);
    }

    /** One JSON text on each line, compressed. */
    static final class Lines implements EncodedFile<DatasetView> {

        private final ListingJson json;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final GZIPOutputStream gzip;
        private boolean hasEnded;

        Lines(ListingJson json) throws IOException {
            this.json = json;
            gzip = new GZIPOutputStream(bytes);
        }

        @Override
        public byte[] write(List<DatasetView> rows) throws IOException {
            gzip.write(json.texts(rows, "\n"));
            gzip.write('\n');
            return take();
        }

        @Override
        public byte[] end() throws IOException {
            if (!hasEnded) {
                hasEnded = true;
                gzip.close();
            }
            return take();
        }

        private byte[] take() {
            byte[] some = bytes.toByteArray();
            bytes.reset();
            return some;
        }

        /** Gives the memory of the compression back, which is not the heap's. */
        @Override
        public void close() {
            try {
                hasEnded = true;
                gzip.close();
            } catch (IOException e) {
                throw new IllegalStateException("memory takes all bytes", e);
            }
        }
    }
}
