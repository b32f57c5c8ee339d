package io.datasetlisting.dataset;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.input.StrictJson;
import io.datasetlisting.storage.ThumbnailLinks;

/** Writes a dataset as JSON. */
@Singleton
public class DatasetJson {

    private final ThumbnailLinks thumbnails;
    private final FieldSelection fields;
    private final JsonFactory factory;

    DatasetJson(ThumbnailLinks thumbnails, DatasetFields fields, ObjectMapper mapper) {
        this.thumbnails = thumbnails;
        this.fields = fields.all();
        factory = mapper.getFactory();
    }

    /** A dataset as it goes out. */
    record One(long id, EntityTag tag, byte[] body) {

        Response.ResponseBuilder response(int status) {
            return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE)
                    .header(HttpHeaders.ETAG, tag.toString())
                    .entity(body);
        }
    }

    /** The same for HEAD: nobody else counts a body that nobody writes. */
    public static Response withoutBody(Response answer) {
        return answer.getEntity() instanceof byte[] bytes
                ? Response.fromResponse(answer).entity(null).type(answer.getMediaType())
                        .header(HttpHeaders.CONTENT_LENGTH, bytes.length).build()
                : answer;
    }

    /** The JSON of a dataset without a link, of a view that has the object's key in place of the link. */
    public UnsignedJson unsigned(DatasetView dataset) {
        return dataset.unsigned(factory);
    }

    private UnsignedJson unsigned(Dataset dataset) {
        return unsigned(fields.read(dataset, UnaryOperator.identity()));
    }

    One one(Dataset dataset) {
        return signed(dataset.id, dataset.version, unsigned(dataset));
    }

    /** What is stored of the response to a create: all of it except the link, which ends. */
    String storedResponse(Dataset created) {
        UnsignedJson json = unsigned(created);
        return JsonNodeFactory.instance.objectNode()
                .put("id", created.id)
                .put("version", created.version)
                .put("thumbnail_key", json.thumbnailKey())
                .put("before_link", new String(json.before(), StandardCharsets.UTF_8))
                .put("after_link", new String(json.after(), StandardCharsets.UTF_8))
                .toString();
    }

    /** A stored response with a new link. */
    One again(String storedResponse) {
        JsonNode stored = StrictJson.parse(storedResponse);
        return signed(stored.get("id").longValue(), stored.get("version").longValue(),
                new UnsignedJson(stored.get("before_link").textValue().getBytes(StandardCharsets.UTF_8),
                        stored.get("thumbnail_key").textValue(),
                        stored.get("after_link").textValue().getBytes(StandardCharsets.UTF_8)));
    }

    private One signed(long id, long version, UnsignedJson json) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        return new One(id, new EntityTag(version, signer.id()), json.with(signer.link(json.thumbnailKey())));
    }
}
