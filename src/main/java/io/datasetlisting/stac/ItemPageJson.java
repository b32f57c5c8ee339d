package io.datasetlisting.stac;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.UnicodeEscapes;

/** Writes a page of items as a feature collection. */
@Singleton
class ItemPageJson {

    private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

    private final ObjectMapper mapper;

    ItemPageJson(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * @param fields
     *            null for whole items
     * @param timeStamp
     *            null for none
     */
    byte[] write(Items.Page page, ItemFields fields, Instant timeStamp, List<Link> links) {
        List<byte[]> items = page.items().stream()
                .map(item -> fields == null ? item.json() : select(fields, item.json())).toList();
        return join(start(page.result().count(), items.size(), timeStamp, links), items);
    }

    private static byte[] join(byte[] start, List<byte[]> items) {
        int length = start.length + Math.max(0, items.size() - 1) + END.length;
        for (byte[] item : items) {
            length += item.length;
        }
        ByteBuffer page = ByteBuffer.allocate(length).put(start);
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                page.put((byte) ',');
            }
            page.put(items.get(i));
        }
        return page.put(END).array();
    }

    /** Up to the bracket before the first item. */
    private byte[] start(long numberMatched, int numberReturned, Instant timeStamp, List<Link> links) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = mapper.getFactory().createGenerator(bytes)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            json.writeStartObject();
            json.writeStringField("type", "FeatureCollection");
            json.writeNumberField("numberMatched", numberMatched);
            json.writeNumberField("numberReturned", numberReturned);
            if (timeStamp != null) {
                json.writeStringField("timeStamp", timeStamp.toString());
            }
            json.writeArrayFieldStart("links");
            for (Link link : links) {
                json.writeTree(link.toJson());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("features");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return UnicodeEscapes.in(bytes.toByteArray());
    }

    /** An item with the members that a search asks for. */
    private byte[] select(ItemFields fields, byte[] item) {
        try {
            return UnicodeEscapes.in(mapper.writeValueAsBytes(fields.select((ObjectNode) mapper.readTree(item))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
