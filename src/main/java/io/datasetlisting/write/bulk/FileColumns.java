package io.datasetlisting.write.bulk;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.format.DatasetParquet;
import io.datasetlisting.dataset.parquet.ParquetRows;
import io.datasetlisting.dataset.rule.ItemLocation;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.StrictJson;
import io.datasetlisting.write.edit.DatasetInput;

/**
 * Reads the rows of one file by the names of its columns: these of the listing, or the members and properties of items, as
 * stac-geoparquet has them. The values have the rules of {@link DatasetInput}. A new dataset of an item belongs to the caller,
 * and is found again by the item's collection and id, or by its own uav_uid.
 */
final class FileColumns {

    private static final String ID = "id";
    private static final String UAV_UID = "uav_uid";
    private static final String USER = "user";
    private static final String BBOX = "bbox";
    private static final String COORDINATES = "coordinates";
    private static final String BAND_STATS = "band_stats";
    private static final String CAPTURED = "captured_date";
    private static final String CATEGORY = "category";
    private static final String TAGS = "tags";

    private static final String GEOMETRY = "geometry";
    private static final String COLLECTION = "collection";
    private static final String DATETIME = "datetime";
    private static final String START = "start_datetime";
    private static final String KEYWORDS = "keywords";
    /** Columns of items that no field has, and that are read. */
    private static final Set<String> OF_ITEMS = Set.of(ID, COLLECTION, GEOMETRY, START, KEYWORDS);
    /** Columns that follow from the geometry, and the version in which the file is written. */
    private static final Set<String> DERIVED = Set.of(BBOX, "geometry_bbox", "type", "stac_version");

    private static final Set<String> CRS84 = Set.of("OGC:CRS84", "EPSG:4326");
    private static final String REQUIRED = "This field is required.";

    private final DatasetFields table;
    private final DatasetInput input;
    private final Caller caller;
    private final Map<String, DatasetField<?>> fields = new LinkedHashMap<>();
    /** The columns of fields, for errors. */
    private final Map<String, String> columns = new HashMap<>();
    private final Set<String> leftOut = new ConcurrentSkipListSet<>();
    private boolean hasItems;

    FileColumns(DatasetFields table, DatasetInput input, Caller caller) {
        this.table = table;
        this.input = input;
        this.caller = caller;
    }

    /**
     * Chooses the columns that are read.
     *
     * @throws ApiException
     *             400 for a file that has neither datasets nor items
     */
    void open(ParquetRows file) {
        Set<String> names = file.columns();
        hasItems = !names.contains(UAV_UID);
        if (hasItems && !(names.contains(ID) && names.contains(GEOMETRY))) {
            throw new ApiException(400,
                    "The file has neither datasets, with the column uav_uid, nor items, with the columns id and geometry.");
        }
        if (hasItems) {
            checkGeometries(file.metadata().get("geo"));
        }
        Set<String> read = new LinkedHashSet<>();
        for (DatasetField<?> field : table.table()) {
            String column = hasItems ? field.property() : field.name();
            if (column != null && names.contains(column) && file.isReadable(column)
                    && !(hasItems && (column.equals(ID) || field.name().equals(USER)))) {
                fields.put(column, field);
                columns.put(field.name(), column);
                read.add(column);
            }
        }
        if (hasItems) {
            OF_ITEMS.stream().filter(name -> names.contains(name) && file.isReadable(name)).forEach(read::add);
            columns.put(BBOX, GEOMETRY);
            columns.put(COORDINATES, GEOMETRY);
            columns.putIfAbsent(CAPTURED, START);
        }
        boolean isDerived = hasItems || read.contains(BBOX) || read.contains(COORDINATES);
        names.stream().filter(name -> !read.contains(name)
                && !(isDerived && (DERIVED.contains(name) || name.equals(GEOMETRY)))).forEach(leftOut::add);
        file.select(read);
    }

    /** The metadata of GeoParquet, which a file need not have. */
    private static void checkGeometries(String metadata) {
        JsonNode geometry = metadata == null
                ? JsonNodeFactory.instance.objectNode()
                : StrictJson.parse(metadata).path("columns").path(GEOMETRY);
        if (!geometry.path("encoding").asText("WKB").equals("WKB")) {
            throw new ApiException(400, "The geometries of the file are not well-known binary.");
        }
        JsonNode system = geometry.path("crs");
        if (system.isObject()
                && !CRS84.contains(system.at("/id/authority").asText() + ':' + system.at("/id/code").asText())) {
            throw new ApiException(400, "The only coordinate reference system is CRS84.");
        }
    }

    /** The columns, and the parts of values, that no dataset keeps. */
    Set<String> leftOut() {
        return leftOut;
    }

    ImportedRow read(ParquetRows.Row row) {
        if (row.refusal() != null) {
            return ImportedRow.refused(row.number(), row.length(), row.refusal());
        }
        try {
            return new ImportedRow(row.number(), row.length(), hasItems ? item(row.values()) : dataset(row.values()),
                    null);
        } catch (ApiException e) {
            return ImportedRow.refused(row.number(), row.length(), e);
        }
    }

    private Dataset dataset(ObjectNode values) {
        if (values.has(BAND_STATS)) {
            values.set(BAND_STATS, DatasetParquet.joinStatistics(values.get(BAND_STATS)));
        }
        return input.readRow(DrfFields.of(values));
    }

    private Dataset item(ObjectNode values) {
        Dataset dataset = input.newDataset(caller);
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        fields.forEach((column, field) -> {
            if (has(values, column)) {
                row.set(field.name(), values.get(column));
            }
        });
        if (row.has(BAND_STATS)) {
            row.set(BAND_STATS, DatasetParquet.joinStatistics(row.get(BAND_STATS)));
        }
        identify(values, row, errors);
        setTime(values, row, errors);
        setKeywords(values, row);
        locate(values, row, errors);
        try {
            input.readSome(DrfFields.of(row), dataset);
        } catch (ApiException e) {
            e.fields().properties().forEach(
                    error -> errors.set(columns.getOrDefault(error.getKey(), error.getKey()), error.getValue()));
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid(errors);
        }
        return dataset;
    }

    private static boolean has(ObjectNode values, String column) {
        return values.hasNonNull(column);
    }

    private static void identify(ObjectNode values, ObjectNode row, ObjectNode errors) {
        String id = has(values, ID) ? values.get(ID).asText() : "";
        String collection = has(values, COLLECTION) ? values.get(COLLECTION).asText() : "";
        if (id.isEmpty()) {
            errors.putArray(ID).add(REQUIRED);
        } else if (!row.has(UAV_UID)) {
            row.put(UAV_UID, UUID.nameUUIDFromBytes(
                    ("stac:" + collection.length() + ':' + collection + '/' + id).getBytes(StandardCharsets.UTF_8))
                    .toString());
        }
    }

    /** A dataset has one time: a range has its start. */
    private void setTime(ObjectNode values, ObjectNode row, ObjectNode errors) {
        if (row.has(CAPTURED)) {
            return;
        }
        if (has(values, START)) {
            row.set(CAPTURED, values.get(START));
            leftOut.add(DATETIME + '=' + START);
        } else {
            errors.putArray(DATETIME).add("An item has a time: datetime, or start_datetime and end_datetime.");
        }
    }

    /** The keywords are the categories and the tags. Where an item has one of these, it counts. */
    private static void setKeywords(ObjectNode values, ObjectNode row) {
        if (!(values.path(KEYWORDS) instanceof ArrayNode keywords)) {
            return;
        }
        ArrayNode categories = JsonNodeFactory.instance.arrayNode();
        ArrayNode tags = JsonNodeFactory.instance.arrayNode();
        keywords.forEach(
                each -> (DatasetFields.CATEGORIES.contains(each.asText()) ? categories : tags).add(each));
        if (!row.has(CATEGORY) && !categories.isEmpty()) {
            row.set(CATEGORY, categories);
        }
        if (!row.has(TAGS)) {
            row.set(TAGS, tags);
        }
    }

    private void locate(ObjectNode values, ObjectNode row, ObjectNode errors) {
        try {
            ItemLocation location = values.path(GEOMETRY) instanceof BinaryNode wkb
                    ? ItemLocation.ofBinary(wkb.binaryValue())
                    : null;
            if (location == null) {
                throw new ApiException(400, "An item has a geometry: one without a location is in no collection.");
            }
            if (!location.isExact()) {
                leftOut.add(GEOMETRY + '=' + BBOX);
            }
            if (location.isPoint()) {
                row.putArray(COORDINATES).add(location.south()).add(location.west());
            } else {
                row.putArray(BBOX).add(location.south()).add(location.west()).add(location.north())
                        .add(location.east());
            }
        } catch (ApiException e) {
            errors.putArray(GEOMETRY).add(e.getMessage());
        }
    }
}
