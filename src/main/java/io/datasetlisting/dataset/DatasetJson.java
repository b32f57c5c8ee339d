package io.datasetlisting.dataset;

import java.nio.charset.StandardCharsets;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.input.StrictJson;
import io.datasetlisting.storage.ThumbnailLinks;

/** Writes a dataset as JSON. */
@Singleton
public class DatasetJson {

    /** Bare quotes: no text inside of the JSON looks like this. */
    private static final String THUMBNAIL = "\"thumbnail_image\":\"";

    private final ThumbnailLinks thumbnails;
    private final ObjectWriter writer;

    DatasetJson(ThumbnailLinks thumbnails, ObjectMapper mapper) {
        this.thumbnails = thumbnails;
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
    public static Response withoutBody(Response answer) {
        return answer.getEntity() instanceof byte[] bytes
                ? Response.fromResponse(answer).entity(null).type(answer.getMediaType())
                        .header(HttpHeaders.CONTENT_LENGTH, bytes.length).build()
                : answer;
    }

    /** The JSON of a dataset. */
    public byte[] bytes(DatasetView dataset) {
        return bytes(writer, dataset);
    }

    One one(Dataset dataset) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        return new One(dataset.id, new EntityTag(dataset.version, signer.id()),
                bytes(writer, DatasetView.of(dataset, signer)));
    }

    /** A dataset that went out before, with a link that is good now. */
    One again(String text) {
        JsonNode dataset = StrictJson.parse(text);
        String link = THUMBNAIL + dataset.get("thumbnail_image").textValue();
        ThumbnailLinks.Signer signer = thumbnails.signer();
        String fresh = THUMBNAIL + signer.link(thumbnails.key(link.substring(THUMBNAIL.length())));
        return new One(dataset.get("id").longValue(), new EntityTag(0, signer.id()),
                text.replace(link, fresh).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
