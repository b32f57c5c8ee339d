package io.datasetlisting.format;

import static java.util.Map.entry;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.dataset.CompactJson;
import io.datasetlisting.dataset.DatasetView;

/**
 * Writes datasets as CSV of <a href="https://www.rfc-editor.org/rfc/rfc4180">RFC 4180</a>, in UTF-8 without a byte
 * order mark: a dataset a record, a field a column, see {@link CsvRecords} for what is in the cells.
 */
@Singleton
public class Csv {

    private static final CompactJson COMPACT = new CompactJson();

    private static final Map<String, Column> COLUMNS = Map.ofEntries(
            entry("id", (d, cell) -> cell.number(d.id())),
            entry("uav_uid", (d, cell) -> cell.text(d.uavUid())),
            entry("user", (d, cell) -> cell.text(d.user())),
            entry("workspace", (d, cell) -> cell.number(d.workspace())),
            entry("dataset_name", (d, cell) -> cell.text(d.datasetName())),
            entry("category", (d, cell) -> cell.array(d.category())),
            entry("thumbnail_image", (d, cell) -> cell.text(d.thumbnailImage())),
            entry("captured_date", (d, cell) -> cell.text(d.capturedDate())),
            entry("is_private", (d, cell) -> cell.bool(d.isPrivate())),
            entry("is_shareable", (d, cell) -> cell.bool(d.isShareable())),
            entry("available_rasters", (d, cell) -> cell.array(d.availableRasters())),
            entry("is_deleted", (d, cell) -> cell.bool(d.isDeleted())),
            entry("gcps_file", (d, cell) -> cell.text(d.gcpsFile())),
            entry("band_stats", (d, cell) -> cell.json(json -> COMPACT.serialize(d.bandStats(), json, null))),
            entry("bbox", (d, cell) -> cell.array(d.bbox())),
            entry("coordinates", (d, cell) -> cell.array(d.coordinates())),
            entry("cant_orthomosaic", (d, cell) -> cell.bool(d.cantOrthomosaic())),
            entry("is_dem_processing", (d, cell) -> cell.bool(d.isDemProcessing())),
            entry("cumulative_adjustment", (d, cell) -> cell.number(d.cumulativeAdjustment())),
            entry("latest_adjustment_status", (d, cell) -> cell.text(d.latestAdjustmentStatus())),
            entry("latest_adjustment_id", (d, cell) -> cell.text(d.latestAdjustmentId())));

    private final JsonFactory json;

    Csv(ObjectMapper mapper) {
        json = mapper.getFactory();
    }

    /** How a dataset's cell of a column is written. */
    private interface Column {

        void write(DatasetView dataset, CsvRecords cell);
    }

    /** The names of the fields, the first record of a file. */
    public byte[] header(Set<String> fields) {
        return (String.join(",", fields) + CsvRecords.LINE_END).getBytes(StandardCharsets.US_ASCII);
    }

    /** A record for each dataset, its cells in the order of the set. */
    public byte[] lines(List<DatasetView> datasets, Set<String> fields) {
        List<Column> columns = fields.stream().map(COLUMNS::get).map(Objects::requireNonNull).toList();
        CsvRecords records = new CsvRecords(json);
        for (DatasetView dataset : datasets) {
            columns.forEach(column -> column.write(dataset, records));
            records.end();
        }
        return records.bytes();
    }
}
