package io.datasetlisting.write.bulk;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Spool;
import io.datasetlisting.base.SpoolFile;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.dataset.format.FileThreads;
import io.datasetlisting.dataset.format.FileThreads.Steps;
import io.datasetlisting.dataset.parquet.ParquetRows;
import io.smallrye.mutiny.Multi;

/**
 * Receives a file of Parquet, and reads its rows: what describes them is at its end, so that the whole file is a temporary one
 * before. Both run on threads that may wait.
 */
final class ImportedFile implements ImportSource {

    /** Rows of a step on a thread. */
    private static final int ROWS = 500;
    private static final int MAX_LEFT_OUT = 100;

    private final Multi<byte[]> body;
    private final StreamConfig limits;
    private final Steps<Content> content;
    private final FileColumns columns;
    private final long start = System.nanoTime();
    private long received;
    private boolean isComplete;
    private boolean hasBegun;

    /**
     * @param columns
     *            reads the rows of this file
     * @param limits
     *            of the client, which are those of a client that reads
     */
    ImportedFile(Multi<byte[]> body, FileColumns columns, Spool spool, FileThreads threads, StreamConfig limits,
            int maxLength) {
        this.body = body;
        this.limits = limits;
        this.columns = columns;
        content = threads.steps(() -> new Content(spool.create(), columns, maxLength));
    }

    /** What the threads use. */
    private static final class Content implements AutoCloseable {

        private final SpoolFile file;
        private final FileColumns columns;
        private final int maxLength;
        private ParquetRows rows;

        Content(SpoolFile file, FileColumns columns, int maxLength) {
            this.file = file;
            this.columns = columns;
            this.maxLength = maxLength;
        }

        List<ImportedRow> add(byte[] bytes) {
            file.add(ByteBuffer.wrap(bytes));
            return List.of();
        }

        boolean checkNext() {
            if (rows == null) {
                rows = new ParquetRows(file, maxLength);
                columns.open(rows);
            }
            return rows.checkNext();
        }

        List<ImportedRow> next() {
            return rows.next(ROWS).stream().map(columns::read).toList();
        }

        @Override
        public void close() {
            if (rows != null) {
                rows.close();
            }
            file.close();
        }
    }

    @Override
    public Multi<List<ImportedRow>> rows() {
        Multi<List<ImportedRow>> stored = body.invoke(bytes -> received += bytes.length).onItem()
                .transformToUniAndConcatenate(bytes -> content.run(file -> file.add(bytes), List.<ImportedRow>of()))
                .onCompletion().invoke(() -> isComplete = true);
        Multi<List<ImportedRow>> checked = Multi.createBy().repeating()
                .uni(() -> content.run(Content::checkNext, false)).until(isMore -> !isMore)
                .map(isMore -> List.of());
        Multi<List<ImportedRow>> read = Multi.createBy().repeating()
                .uni(() -> content.run(Content::next, List.<ImportedRow>of())).until(List::isEmpty)
                .invoke(rows -> hasBegun = true);
        return Multi.createBy().concatenating().streams(stored, checked, read);
    }

    @Override
    public boolean hasBegun() {
        return hasBegun;
    }

    @Override
    public ApiException lateness() {
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        boolean isSlow = received < limits.minRate().asLongValue() * taken.minus(limits.maxDelay()).toSeconds();
        return !isComplete && (isSlow || taken.compareTo(limits.maxExportTime()) > 0)
                ? new ApiException(408,
                        "The file did not arrive in time: " + received + " bytes in " + taken.toSeconds()
                                + " seconds.")
                : null;
    }

    @Override
    public void describe(ObjectNode last) {
        ArrayNode names = last.putArray("left_out");
        columns.leftOut().stream().limit(MAX_LEFT_OUT).map(ApiException::shorten).forEach(names::add);
        if (columns.leftOut().size() > MAX_LEFT_OUT) {
            names.add("...");
        }
    }

    @Override
    public void close() {
        content.close();
    }
}
