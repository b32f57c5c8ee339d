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

import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.input.StrictJson;

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

    /** The JSON of a dataset with its link, and the ETag of both. */
    public record SignedDataset(long id, EntityTag tag, byte[] body) {

        public Response.ResponseBuilder response(int status) {
            return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE)
                    .header(HttpHeaders.ETAG, tag.strong())
                    .entity(body);
        }
    }

    /**
     * The JSON without the link of a view that has the object's key in place of the link. Details without a value, which a
     * listing does not have either, are left out.
     */
    public UnsignedJson unsigned(DatasetView dataset) {
        return dataset.unsigned(factory, false);
    }

    private UnsignedJson unsigned(Dataset dataset) {
        return fields.read(dataset, UnaryOperator.identity()).unsigned(factory, true);
    }

    public SignedDataset sign(Dataset dataset) {
        return withLink(dataset.id, Revision.of(dataset).tag(), unsigned(dataset));
    }

    /** The stored form of the response to a create: everything except the link, which expires. */
    public String storedResponse(Dataset created) {
        UnsignedJson json = unsigned(created);
        return JsonNodeFactory.instance.objectNode()
                .put("id", created.id)
                .put("tag", Revision.of(created).tag())
                .put("thumbnail_key", json.thumbnailKey())
                .put("before_link", new String(json.before(), StandardCharsets.UTF_8))
                .put("after_link", new String(json.after(), StandardCharsets.UTF_8))
                .toString();
    }

    /** A stored response with a new link. */
    public SignedDataset signStored(String storedResponse) {
        JsonNode stored = StrictJson.parse(storedResponse);
        // A release before this one has stored the version.
        return withLink(stored.get("id").longValue(), stored.path("tag").asLong(stored.path("version").longValue()),
                new UnsignedJson(stored.get("before_link").textValue().getBytes(StandardCharsets.UTF_8),
                        stored.get("thumbnail_key").textValue(),
                        stored.get("after_link").textValue().getBytes(StandardCharsets.UTF_8)));
    }

    private SignedDataset withLink(long id, long tag, UnsignedJson json) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        return new SignedDataset(id, new EntityTag(tag, signer.id()), json.with(signer.link(json.thumbnailKey())));
    }
}
