package io.datasetlisting.stac;

import java.io.IOException;
import java.io.UncheckedIOException;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.format.GeoJson;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.UnicodeEscapes;
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

    private final JsonFactory factory;
    private final ThumbnailLinks thumbnails;
    private final ItemProperties properties;
    private final boolean hasPages;

    ItemJson(ObjectMapper mapper, ThumbnailLinks thumbnails, ItemProperties properties, PageConfig page) {
        hasPages = page.enabled();
        factory = mapper.getFactory();
        this.thumbnails = thumbnails;
        this.properties = properties;
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
        for (ItemProperties.Property property : properties.inItemOrder()) {
            if (property.writer() != null) {
                property.writer().write(stored, json);
            }
        }
        json.writeEndObject();
        json.writeArrayFieldStart("links");
        writeLinks(dataset.id(), base, json);
        json.writeEndArray();
        json.writeObjectFieldStart("assets");
        writeAssets(dataset, base, json);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeLinks(long id, String base, JsonGenerator json) throws IOException {
        String stac = base + Endpoints.STAC;
        json.writeTree(Link.of("self", stac + Endpoints.COLLECTION + Endpoints.ITEMS + '/' + id, MediaTypes.GEO_JSON)
                .toJson());
        if (hasPages) {
            json.writeTree(Link.of("alternate", base + Endpoints.PAGES + id + '/', MediaTypes.HTML).toJson());
        }
        json.writeTree(Link.of("root", stac).toJson());
        json.writeTree(Link.of("parent", stac + Endpoints.COLLECTION).toJson());
        json.writeTree(Link.of("collection", stac + Endpoints.COLLECTION).toJson());
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
