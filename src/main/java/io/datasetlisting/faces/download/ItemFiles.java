package io.datasetlisting.faces.download;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.format.DatasetFlatGeobuf;
import io.datasetlisting.dataset.format.EncodedFile;
import io.datasetlisting.dataset.format.GeoParquetFile;
import io.datasetlisting.dataset.format.JsonRow;
import io.datasetlisting.faces.item.ItemFields;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.item.RasterAssets;
import io.datasetlisting.faces.stac.ItemJson;
import io.datasetlisting.http.input.StrictJson;

/**
 * Writes items as files: a column for most members of an item, in FlatGeobuf without structures, and for each of its
 * properties. GeoParquet has the layout of <a href="https://github.com/radiantearth/stac-geoparquet-spec">stac-geoparquet
 * 1.1</a>.
 */
@Singleton
class ItemFiles {

    private static final String TEXTS = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}";
    private static final String ASSET = "{\"type\": \"object\", \"properties\": {\"href\": {\"type\": \"string\"}, "
            + "\"type\": {\"type\": \"string\"}, \"roles\": " + TEXTS + "}}";

    /** The schema of the asset of a raster. */
    private static final String RASTER = """
            {"type": "object", "properties": {"href": {"type": "string"}, "type": {"type": "string"},
             "title": {"type": "string"}, "roles": %s, "gsd": {"type": "number"}, "proj:code": {"type": "string"},
             "proj:shape": {"type": "array", "items": {"type": "integer"}},
             "proj:transform": {"type": "array", "items": {"type": "number"}}, "file:size": {"type": "integer"},
             "bands": {"type": "array", "items": {"type": "object", "properties": {
                 "name": {"type": "string"}, "eo:common_name": {"type": "string"}, "statistics": {"type": "object",
                 "properties": {"minimum": {"type": "number"}, "maximum": {"type": "number"}, "mean": {"type": "number"},
                     "stddev": {"type": "number"}}}}}}}}""".formatted(TEXTS);

    /** The members of an item with a column of their own, as JSON Schema. Geometry and bbox are columns of each file. */
    private static final String MEMBERS = """
            {"stac_version": {"type": "string"}, "stac_extensions": %s, "id": {"type": "string"},
             "collection": {"type": "string"},
             "links": {"type": "array", "items": {"type": "object", "properties": {"rel": {"type": "string"},
                 "href": {"type": "string"}, "type": {"type": "string"}}}},
             "assets": {"type": "object", "properties": {"thumbnail": %s, "metadata": %s}}}"""
            .formatted(TEXTS, ASSET, ASSET);

    private static final String PROPERTIES = "properties";
    private static final String ASSETS = "assets";
    /** Members that FlatGeobuf has not. A layer of points and areas has properties, and no structures around them. */
    private static final List<String> STRUCTURES = List.of("stac_extensions", "links", ASSETS);
    /** Of the specification. */
    private static final Map<String, String> METADATA = Map.of("stac-geoparquet", "{\"version\":\"1.1.0\"}");

    private final ItemProperties properties;
    private final ItemJson items;
    private final RasterAssets rasters;
    private final DatasetFlatGeobuf flatGeobuf;

    ItemFiles(ItemProperties properties, ItemJson items, RasterAssets rasters, DatasetFlatGeobuf flatGeobuf) {
        this.properties = properties;
        this.items = items;
        this.rasters = rasters;
        this.flatGeobuf = flatGeobuf;
    }

    /**
     * A file of GeoParquet.
     *
     * @param fields
     *            the members that have a column; null for all
     * @param base
     *            the public address, without a slash at its end
     */
    EncodedFile<StoredDataset> openColumns(ItemFields fields, String base) throws IOException {
        return GeoParquetFile.ofObjects(columns(fields), "bbox", METADATA).forRows(stored -> row(stored, base));
    }

    /** A file of FlatGeobuf, see {@link #openColumns} and {@link DatasetFlatGeobuf#open}. Lists and objects are JSON. */
    EncodedFile<StoredDataset> openIndexed(ItemFields fields, String base) {
        return flatGeobuf.open(columns(fields).remove(STRUCTURES)).forRows(stored -> row(stored, base));
    }

    /** Checks that a file of FlatGeobuf has a place. */
    void requireFolder() {
        flatGeobuf.requireFolder();
    }

    /** JSON Schema of each column, by its name. */
    private ObjectNode columns(ItemFields fields) {
        ObjectNode item = (ObjectNode) StrictJson.parse(MEMBERS);
        ObjectNode own = item.putObject(PROPERTIES);
        properties.inItemOrder().stream().filter(property -> property.writer() != null)
                .forEach(property -> own.set(property.name(), property.schema()));
        ObjectNode assets = (ObjectNode) item.at("/assets/properties");
        rasters.products().forEach(product -> assets.set(product, StrictJson.parse(RASTER)));
        if (fields != null) {
            // An item with a number in place of each schema, because the selection looks into objects.
            ObjectNode chosen = numbers(item);
            chosen.set(PROPERTIES, numbers(own));
            chosen.set(ASSETS, numbers(assets));
            fields.select(chosen);
            retain(assets, chosen.path(ASSETS));
            retain(own, chosen.path(PROPERTIES));
            retain(item, chosen);
        }
        if (assets.isEmpty()) {
            // Parquet has no group without members.
            item.remove(ASSETS);
        }
        item.remove(PROPERTIES);
        return item.setAll(own);
    }

    private static ObjectNode numbers(ObjectNode object) {
        ObjectNode numbers = object.objectNode();
        object.fieldNames().forEachRemaining(name -> numbers.put(name, 0));
        return numbers;
    }

    private static void retain(ObjectNode object, JsonNode chosen) {
        object.properties().removeIf(member -> !chosen.has(member.getKey()));
    }

    private JsonRow row(StoredDataset stored, String base) {
        ObjectNode item = items.tree(stored, base);
        return new JsonRow(item.setAll((ObjectNode) item.remove(PROPERTIES)), stored.dataset());
    }
}
