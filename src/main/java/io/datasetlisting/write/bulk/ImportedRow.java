package io.datasetlisting.write.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.Dataset;

/**
 * What a line or a row of an import contains.
 *
 * @param line
 *            its number, from 1
 * @param length
 *            in bytes
 * @param dataset
 *            without a number (0) if the database knows its number by its uav_uid, or gives it one; null for a refused line
 * @param refusal
 *            its reason, otherwise null
 */
record ImportedRow(long line, int length, Dataset dataset, ObjectNode refusal) {

    static ImportedRow refused(long line, int length, ApiException refusal) {
        return new ImportedRow(line, length, null, refusal.reason());
    }
}
