package io.datasetlisting.faces.stac;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;

import io.datasetlisting.base.UnicodeEscapes;
import io.datasetlisting.catalogue.search.SearchResult;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.format.GeoJson;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.faces.collection.CollectionJson;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.item.RasterAssets;
import io.datasetlisting.faces.item.RasterAssets.RasterAsset;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.StrictJson;

/**
 * Writes a dataset as an item of STAC 1.1.0, which is also a feature of OGC API - Features. The item depends on the dataset,
 * the public address and the configuration alone: it contains no link that expires.
 *
 * @see <a href="https://github.com/radiantearth/stac-spec/blob/v1.1.0/item-spec/item-spec.md">STAC Item Specification</a>
 */
@Singleton
public class ItemJson {

    /**
     * The end of all tags, which are made from datasets. A release that writes the same dataset as another item changes it, so
     * that no client keeps an item of the release before.
     */
    private static final String FORM = "-2";

    private final JsonFactory factory;
    private final ObjectReader trees;
    private final ThumbnailLinks thumbnails;
    private final ItemProperties properties;
    private final Links links;
    private final RasterAssets rasters;
    private final String form;

    ItemJson(ObjectMapper mapper, ThumbnailLinks thumbnails, ItemProperties properties, Links links,
            RasterAssets rasters) {
        factory = mapper.getFactory();
        trees = mapper.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
        this.thumbnails = thumbnails;
        this.properties = properties;
        this.links = links;
        this.rasters = rasters;
        form = FORM + (rasters.products().isEmpty()
                ? ""
                : "-" + Integer.toUnsignedString(rasters.version(), Character.MAX_RADIX));
    }

    /**
     * The tag of a page. It is weak, because the time stamp of a page and the tokens in its links differ from response to
     * response.
     */
    EntityTag tag(SearchResult result) {
        return new EntityTag(Revision.hash(result.revisions(), result.count()), "items" + form);
    }

    /** The tag of an item. It is strong, so that a client can name it in {@code If-Match}. */
    public EntityTag tag(Revision revision) {
        return new EntityTag(revision.tag(), "item" + form);
    }

    /**
     * The item as JSON.
     *
     * @param base
     *            the public address, without a slash at its end
     */
    public byte[] write(StoredDataset stored, String base) {
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
    public ObjectNode tree(StoredDataset stored, String base) {
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
        json.writeStringField("stac_version", CollectionJson.STAC_VERSION);
        List<RasterAsset> assets = rasters.of(dataset);
        String address = base + Endpoints.DATASETS + dataset.id() + '/';
        String tiles = rasters.tiles(dataset, assets, address);
        json.writeFieldName("stac_extensions");
        String[] extensions = RasterAssets.extensions(dataset, assets, tiles).toArray(String[]::new);
        json.writeArray(extensions, 0, extensions.length);
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
        json.writeFieldName("links");
        json.writeTree(links.ofItem(base, dataset, tiles));
        json.writeObjectFieldStart("assets");
        writeAssets(dataset, assets, address, json);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeAssets(DatasetView dataset, List<RasterAsset> assets, String address, JsonGenerator json)
            throws IOException {
        writeAsset("thumbnail", address + "thumbnail/",
                thumbnails.mediaType((String) dataset.get("thumbnail_image")), json);
        writeAsset("metadata", address, MediaTypes.JSON, json);
        for (RasterAsset asset : assets) {
            asset.write(address, json);
        }
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
