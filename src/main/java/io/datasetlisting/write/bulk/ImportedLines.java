package io.datasetlisting.write.bulk;

import static io.datasetlisting.base.CallerContext.compute;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.write.edit.DatasetInput;
import io.smallrye.mutiny.Multi;

/** Reads the lines of a body of NDJSON on workers, one chunk after another. */
final class ImportedLines implements ImportSource {

    private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

    private final Multi<byte[]> body;
    private final DatasetInput input;
    private final int maxLength;
    private final LineSplitter lines;

    /** @param maxLength of a line, in bytes */
    ImportedLines(Multi<byte[]> body, DatasetInput input, int maxLength) {
        this.body = body;
        this.input = input;
        this.maxLength = maxLength;
        lines = new LineSplitter(maxLength);
    }

    @Override
    public Multi<List<ImportedRow>> rows() {
        return body.onItem().transformToUniAndConcatenate(bytes -> compute(() -> read(lines.split(bytes))))
                .onCompletion().switchTo(() -> compute(() -> read(lines.end())).toMulti());
    }

    /** Runs on a worker: requests would wait for the event loop meanwhile. */
    private List<ImportedRow> read(List<LineSplitter.Line> some) {
        return some.stream().map(this::read).toList();
    }

    private ImportedRow read(LineSplitter.Line line) {
        byte[] bytes = line.bytes();
        if (bytes == null) {
            return ImportedRow.refused(line.number(), 0,
                    new ApiException(413, "The line is longer than " + maxLength + " bytes."));
        }
        try {
            int from = line.number() == 1 && startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0;
            return new ImportedRow(line.number(), bytes.length, input.readLine(bytes, from, bytes.length), null);
        } catch (ApiException e) {
            return ImportedRow.refused(line.number(), bytes.length, e);
        }
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= 3 && bytes[0] == BYTE_ORDER_MARK[0] && bytes[1] == BYTE_ORDER_MARK[1]
                && bytes[2] == BYTE_ORDER_MARK[2];
    }
}
