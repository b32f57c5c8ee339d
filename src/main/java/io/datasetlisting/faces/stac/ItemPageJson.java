package io.datasetlisting.faces.stac;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.UnicodeEscapes;
import io.datasetlisting.catalogue.search.SearchResult;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.faces.item.ItemFields;
import io.datasetlisting.http.PublicUrl;
import io.vertx.ext.web.RoutingContext;

/** Makes pages of items: as JSON from the bytes of cached items, and as models for pages for people. */
@Singleton
public class ItemPageJson {

    private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

    private final ObjectMapper mapper;
    private final ItemJson items;
    private final Links links;
    private final PublicUrl publicUrl;

    ItemPageJson(ObjectMapper mapper, ItemJson items, Links links, PublicUrl publicUrl) {
        this.mapper = mapper;
        this.items = items;
        this.links = links;
        this.publicUrl = publicUrl;
    }

    /** A page as JSON. */
    byte[] write(Items.Page<Items.Item> page, ItemRequests.Asked asked, Instant timeStamp, RoutingContext context) {
        List<byte[]> parts = page.items().stream()
                .map(item -> asked.fields() == null ? item.json() : select(asked.fields(), item.json())).toList();
        return join(bytes(collection(page.result(), parts.size(), asked, timeStamp, context)), parts);
    }

    /** A page as a model, without a time stamp. */
    public ObjectNode model(Items.Page<StoredDataset> page, ItemRequests.Asked asked, RoutingContext context) {
        ObjectNode collection = collection(page.result(), page.items().size(), asked, null, context);
        ArrayNode features = collection.withArray("features");
        for (StoredDataset stored : page.items()) {
            ObjectNode item = model(stored, context);
            features.add(asked.fields() == null ? item : asked.fields().select(item));
        }
        return collection;
    }

    /** An item as a model. */
    public ObjectNode model(StoredDataset stored, RoutingContext context) {
        return items.tree(stored, publicUrl.of("", context.request()));
    }

    /**
     * A feature collection without its features.
     *
     * @param timeStamp
     *            null for none
     */
    private ObjectNode collection(SearchResult result, int size, ItemRequests.Asked asked, Instant timeStamp,
            RoutingContext context) {
        ObjectNode collection = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection")
                .put("numberMatched", result.count()).put("numberReturned", size);
        if (timeStamp != null) {
            collection.put("timeStamp", timeStamp.toString());
        }
        collection.set("links", links.ofDocument(context).ofPage(result, asked.tokens()));
        collection.putArray("features");
        return collection;
    }

    /** Inserts the items into the empty array at the end of the collection. */
    public static byte[] join(byte[] collection, List<byte[]> items) {
        int start = collection.length - END.length;
        int length = collection.length + Math.max(0, items.size() - 1);
        for (byte[] item : items) {
            length += item.length;
        }
        ByteBuffer page = ByteBuffer.allocate(length).put(collection, 0, start);
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                page.put((byte) ',');
            }
            page.put(items.get(i));
        }
        return page.put(END).array();
    }

    /** An item with the members that a search asks for. */
    private byte[] select(ItemFields fields, byte[] item) {
        try {
            return bytes(fields.select((ObjectNode) mapper.readTree(item)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A document as JSON. */
    byte[] bytes(ObjectNode json) {
        try {
            return UnicodeEscapes.in(mapper.writeValueAsBytes(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
