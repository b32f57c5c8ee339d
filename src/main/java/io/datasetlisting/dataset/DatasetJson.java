package io.datasetlisting.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Json;
import io.datasetlisting.listing.Page;
import io.datasetlisting.listing.PageLinks;
import io.datasetlisting.storage.ThumbnailLinks;

/** Writes datasets as JSON, whole, so that the length is known before the first byte goes out. */
@Singleton
class DatasetJson {

    /** Bare quotes: no text inside of the JSON looks like this. */
    private static final String THUMBNAIL = "\"thumbnail_image\":\"";

    /** Of {@code ]}}. */
    private static final int END_OF_RESULTS = 2;

    private final ThumbnailLinks thumbnails;
    private static final TypeReference<Page<DatasetView>> PAGE = new TypeReference<>() {
    };

    private final FieldSelection selection;
    private final ObjectWriter pageWriter;
    private final ObjectWriter writer;

    DatasetJson(ThumbnailLinks thumbnails, FieldSelection selection, ObjectMapper mapper) {
        this.thumbnails = thumbnails;
        this.selection = selection;
        pageWriter = mapper.writerFor(PAGE);
        writer = mapper.writerFor(DatasetView.class);
    }

    /** A dataset as it goes out. */
    record One(long id, EntityTag tag, byte[] body) {

        Response.ResponseBuilder response(int status) {
            return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE)
                    .header(HttpHeaders.ETAG, tag.toString())
                    .entity(body);
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** The same for HEAD: nobody else counts a body that nobody writes. */
    static Response withoutBody(Response answer) {
        return answer.getEntity() instanceof byte[] bytes
                ? Response.fromResponse(answer).entity(null).type(answer.getMediaType())
                        .header(HttpHeaders.CONTENT_LENGTH, bytes.length).build()
                : answer;
    }

    byte[] page(Page<DatasetView> page, Set<String> fields) {
        return bytes(fields.equals(DatasetColumns.FIELDS) ? pageWriter : selection.writer(fields).forType(PAGE), page);
    }

    /** The same page, of texts that were written before. */
    byte[] page(PageLinks links, long count, List<DatasetTexts.Text> texts, ThumbnailLinks.Signer signer) {
        byte[] empty = bytes(pageWriter, Page.<DatasetView>of(links, count, List.of()));
        int length = empty.length + Math.max(0, texts.size() - 1);
        for (DatasetTexts.Text text : texts) {
            length += text.length(signer);
        }
        ByteBuffer out = ByteBuffer.allocate(length).put(empty, 0, empty.length - END_OF_RESULTS);
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.put((byte) ',');
            }
            texts.get(i).write(out, signer);
        }
        return out.put(empty, empty.length - END_OF_RESULTS, END_OF_RESULTS).array();
    }

    byte[] bytes(DatasetView dataset) {
        return bytes(writer, dataset);
    }

    One one(Dataset dataset) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        return new One(dataset.id, new EntityTag(dataset.version, signer.id()),
                bytes(writer, DatasetView.of(dataset, signer)));
    }

    /** A dataset that went out before, with a link that is good now. */
    One again(String text) {
        JsonNode dataset = Json.parse(text);
        String link = THUMBNAIL + dataset.get("thumbnail_image").textValue();
        ThumbnailLinks.Signer signer = thumbnails.signer();
        String fresh = THUMBNAIL + signer.link(thumbnails.key(link.substring(THUMBNAIL.length())));
        return new One(dataset.get("id").longValue(), new EntityTag(0, signer.id()),
                text.replace(link, fresh).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * One JSON text for each.
     *
     * @param between
     *            stands between any two of them
     */
    byte[] texts(List<DatasetView> datasets, Set<String> fields, String between) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (SequenceWriter lines = selection.writer(fields).withRootValueSeparator(between).writeValues(bytes)) {
            lines.writeAll(datasets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
