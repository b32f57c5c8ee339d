package io.datasetlisting.stac;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;

import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.format.GeoJson;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.UnicodeEscapes;
import io.datasetlisting.input.StrictJson;
import io.datasetlisting.storage.ThumbnailLinks;

/**
 * Writes a dataset as an item of STAC 1.1.0, which is also a feature of OGC API - Features. The item depends on the dataset and on the
 * public address alone: it contains no link that expires.
 *
 * @see <a href="https://github.com/radiantearth/stac-spec/blob/v1.1.0/item-spec/item-spec.md">STAC Item Specification</a>
 */
@Singleton
class ItemJson {

    static final String STAC_VERSION = "1.1.0";

    /** The fields whose properties are not just their values. */
    private static final Set<String> COMPUTED = Set.of("id", "datetime", "title", "dataset:user");

    private final JsonFactory factory;
    private final ObjectReader trees;
    private final ThumbnailLinks thumbnails;
    private final Links links;

    ItemJson(ObjectMapper mapper, ThumbnailLinks thumbnails, Links links) {
        factory = mapper.getFactory();
        trees = mapper.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
        this.thumbnails = thumbnails;
        this.links = links;
    }

    /**
     * @param base
     *            the public address, without a slash at its end
     */
    byte[] write(StoredDataset stored, String base) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = factory.createGenerator(bytes)) {
            write(stored, base, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return UnicodeEscapes.in(bytes.toByteArray());
    }

    /**
     * The item as a tree, with the numbers as they are written.
     *
     * @param base
     *            the public address, without a slash at its end
     */
    ObjectNode tree(StoredDataset stored, String base) {
        try (TokenBuffer tokens = new Tokens()) {
            write(stored, base, tokens);
            return trees.readTree(tokens.asParser());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tokens of an item. The statistics of its bands are stored as JSON text, which is the only text that is parsed. */
    private final class Tokens extends TokenBuffer {

        Tokens() {
            super(factory.getCodec(), false);
        }

        @Override
        public void writeRawValue(char[] text, int offset, int length) throws IOException {
            writeTree(StrictJson.parse(new String(text, offset, length)));
        }
    }

    private void write(StoredDataset stored, String base, JsonGenerator json) throws IOException {
        DatasetView dataset = stored.dataset();
        json.writeStartObject();
        json.writeStringField("type", "Feature");
        json.writeStringField("stac_version", STAC_VERSION);
        json.writeArrayFieldStart("stac_extensions");
        json.writeEndArray();
        json.writeStringField("id", Long.toString(dataset.id()));
        json.writeStringField("collection", ItemProperties.COLLECTION_ID);
        json.writeFieldName("geometry");
        GeoJson.writeGeometry(json, dataset);
        json.writeFieldName("bbox");
        GeoJson.writeBbox(json, dataset);
        json.writeObjectFieldStart("properties");
        writeProperties(stored, json);
        json.writeEndObject();
        json.writeFieldName("links");
        json.writeTree(links.ofItem(base, dataset.id()));
        json.writeObjectFieldStart("assets");
        writeAssets(dataset, base, json);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeProperties(StoredDataset stored, JsonGenerator json) throws IOException {
        DatasetView dataset = stored.dataset();
        json.writeStringField("datetime", dataset.get("captured_date").toString());
        json.writeStringField("updated",
                Instant.EPOCH.plus(stored.revision().updated(), ChronoUnit.MICROS).toString());
        String name = (String) dataset.get("dataset_name");
        json.writeStringField("title", name.isEmpty() ? "Dataset " + dataset.id() : name);
        String[] categories = (String[]) dataset.get("category");
        json.writeFieldName("keywords");
        json.writeArray(categories, 0, categories.length);
        String user = owner(dataset);
        json.writeArrayFieldStart("providers");
        json.writeStartObject();
        json.writeStringField("name", user);
        json.writeFieldName("roles");
        json.writeArray(new String[]{"producer"}, 0, 1);
        json.writeEndObject();
        json.writeEndArray();
        json.writeStringField("dataset:user", user);
        dataset.forEach((field, value) -> {
            // Of an empty list at first, GDAL and QGIS make a column of JSON.
            boolean isEmpty = value instanceof Object[] list && list.length == 0;
            if (field.property() != null && !COMPUTED.contains(field.property()) && !isEmpty) {
                writeProperty(field, value, json);
            }
        });
        writeBands((String) dataset.get("band_stats"), json);
    }

    private static void writeProperty(DatasetField<?> field, Object value, JsonGenerator json) {
        try {
            json.writeFieldName(field.property());
            field.write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of the owner; the field ends with a space and the owner's id. */
    private static String owner(DatasetView dataset) {
        String user = (String) dataset.get("user");
        return user.substring(0, user.lastIndexOf(' '));
    }

    /** The labels of the bands, as the filter {@code band} knows them, if there are any. */
    private static void writeBands(String bandStats, JsonGenerator json) throws IOException {
        JsonNode bands = bandStats.contains("\"band_descr\"")
                ? StrictJson.parse(bandStats).path("multispec_ortho").path("band_descr")
                : MissingNode.getInstance();
        if (!bands.isEmpty()) {
            json.writeArrayFieldStart("dataset:bands");
            for (var labels = bands.fieldNames(); labels.hasNext();) {
                json.writeString(labels.next());
            }
            json.writeEndArray();
        }
    }

    private void writeAssets(DatasetView dataset, String base, JsonGenerator json) throws IOException {
        String address = base + Endpoints.DATASETS + dataset.id() + '/';
        writeAsset("thumbnail", address + "thumbnail/",
                thumbnails.mediaType((String) dataset.get("thumbnail_image")), json);
        writeAsset("metadata", address, MediaTypes.JSON, json);
    }

    private static void writeAsset(String role, String href, String type, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(role);
        json.writeStringField("href", href);
        if (type != null) {
            json.writeStringField("type", type);
        }
        json.writeFieldName("roles");
        json.writeArray(new String[]{role}, 0, 1);
        json.writeEndObject();
    }
}
