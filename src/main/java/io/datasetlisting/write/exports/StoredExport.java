package io.datasetlisting.write.exports;

import java.time.Instant;

/**
 * A complete export.
 *
 * @param version
 *            part of the addresses of its files
 * @param made
 *            when it was complete
 * @param bytes
 *            of each file, in the order of {@link ExportFormat}
 * @param isWithdrawn
 *            whether it may contain a dataset or a name that is not public any more
 */
record StoredExport(String version, Instant made, Long[] bytes, boolean isWithdrawn) {

    long bytes(ExportFormat format) {
        return bytes[format.ordinal()];
    }
}
