package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.MultiPolygon;
import org.locationtech.jts.geom.Polygon;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.http.MediaTypes;

/**
 * Writes datasets as a feature collection of
 * <a href="https://www.rfc-editor.org/rfc/rfc7946">RFC 7946</a>, a page with the counts and links that
 * <a href="https://docs.ogc.org/is/17-069r4/17-069r4.html#_response_7">OGC API - Features</a> adds to it.
 */
@Singleton
public class GeoJson {

    private static final SerializedString SEPARATOR = new SerializedString(",\n");

    private final JsonFactory factory;

    GeoJson(ObjectMapper mapper) {
        factory = mapper.getFactory();
    }

    /**
     * @param numberMatched
     *            number of datasets on all pages
     * @param datasets
     *            views that have read the id, the bbox and the coordinates; the shown fields are the properties of a feature
     * @param links
     *            absolute URLs of this and other pages, by their relation
     */
    public byte[] page(long numberMatched, List<DatasetView> datasets, Map<String, String> links) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = factory.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("type", "FeatureCollection");
            json.writeNumberField("numberMatched", numberMatched);
            json.writeNumberField("numberReturned", datasets.size());
            json.writeArrayFieldStart("links");
            for (Map.Entry<String, String> link : links.entrySet()) {
                writeLink(json, link.getKey(), link.getValue());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("features");
            for (DatasetView dataset : datasets) {
                writeFeature(json, dataset);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The beginning of a collection whose features follow, see {@link #features}. */
    public static byte[] start() {
        return "{\"type\":\"FeatureCollection\",\"features\":[".getBytes(StandardCharsets.US_ASCII);
    }

    /** The end of a collection. */
    public static byte[] end() {
        return "]}".getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Features of a collection, each on a line.
     *
     * @param isFirst
     *            whether the collection begins with these features
     */
    public byte[] features(List<DatasetView> datasets, boolean isFirst) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = factory.createGenerator(bytes)) {
            json.setRootValueSeparator(SEPARATOR);
            json.writeRaw(isFirst ? "" : ",");
            for (DatasetView dataset : datasets) {
                writeFeature(json, dataset);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes the geometry of a dataset; {@code null} without a location. */
    public static void writeGeometry(JsonGenerator json, DatasetView dataset) throws IOException {
        Geometry geometry = BoundingBox.geometry(dataset);
        if (geometry == null) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeStringField("type", geometry.getGeometryType());
        json.writeFieldName("coordinates");
        if (geometry instanceof MultiPolygon) {
            json.writeStartArray();
            for (int i = 0; i < geometry.getNumGeometries(); i++) {
                writeRings(json, geometry.getGeometryN(i));
            }
            json.writeEndArray();
        } else if (geometry instanceof Polygon) {
            writeRings(json, geometry);
        } else {
            writePosition(json, geometry.getCoordinate());
        }
        json.writeEndObject();
    }

    private static void writeRings(JsonGenerator json, Geometry polygon) throws IOException {
        json.writeStartArray();
        json.writeStartArray();
        for (Coordinate corner : polygon.getCoordinates()) {
            writePosition(json, corner);
        }
        json.writeEndArray();
        json.writeEndArray();
    }

    private static void writePosition(JsonGenerator json, Coordinate place) throws IOException {
        json.writeArray(new double[]{place.x, place.y}, 0, 2);
    }

    /**
     * Writes the bounding box of a listed dataset: west, south, east, north. Without a bbox it is the point of the coordinates.
     */
    public static void writeBbox(JsonGenerator json, DatasetView dataset) throws IOException {
        BoundingBox.of(dataset.bbox(), dataset.coordinates()).writeBbox(json);
    }

    private static void writeLink(JsonGenerator json, String rel, String href) throws IOException {
        json.writeStartObject();
        json.writeStringField("href", href);
        json.writeStringField("rel", rel);
        json.writeStringField("type", MediaTypes.GEO_JSON);
        json.writeEndObject();
    }

    private static void writeFeature(JsonGenerator json, DatasetView dataset) throws IOException {
        BoundingBox footprint = BoundingBox.of(dataset.bbox());
        json.writeStartObject();
        json.writeStringField("type", "Feature");
        json.writeNumberField("id", dataset.id());
        if (footprint != null) {
            json.writeFieldName("bbox");
            footprint.writeBbox(json);
        }
        json.writeFieldName("geometry");
        writeGeometry(json, dataset);
        json.writeFieldName("properties");
        dataset.serialize(json, null);
        json.writeEndObject();
    }
}
