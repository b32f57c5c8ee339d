package io.datasetlisting.dataset.format;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.FieldType;

/**
 * Writes datasets as CSV of <a href="https://www.rfc-editor.org/rfc/rfc4180">RFC 4180</a>, in UTF-8 without a byte
 * order mark. Each dataset is a record, each field a column; {@link CsvRecords} writes the cells.
 */
@Singleton
public class Csv {

    private final JsonFactory json;

    Csv(ObjectMapper mapper) {
        json = mapper.getFactory();
    }

    /** The names of the fields, the first record of a file. */
    public byte[] header(FieldSelection fields) {
        return (String.join(",", fields.names()) + CsvRecords.LINE_END).getBytes(StandardCharsets.US_ASCII);
    }

    /** A record for each dataset: a cell for each field that is shown. */
    public byte[] lines(List<DatasetView> datasets) {
        CsvRecords records = new CsvRecords(json);
        for (DatasetView dataset : datasets) {
            dataset.forEach((field, value) -> write(records, field, value));
            records.end();
        }
        return records.bytes();
    }

    private static void write(CsvRecords records, DatasetField<?> field, Object value) {
        switch (value == null ? FieldType.Cell.TEXT : field.cell()) {
            case TEXT -> records.text(value instanceof Instant time ? FieldType.seconds(time) : value);
            case LITERAL -> records.literal(value);
            case JSON -> records.json(json -> field.write(json, value));
        }
    }
}
