package io.datasetlisting.write.change;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetJson;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers what has changed since a position, and what a copy at a position has to contain. */
@Path(Endpoints.DATASETS + Endpoints.CHANGES)
public class ChangesResource extends FeedResource {

    private static final String PATH = Endpoints.DATASETS + Endpoints.CHANGES;

    private final ChangeParameters parameters;
    private final ChangeResponses responses;
    private final ChangeRepository repository;
    private final DatasetFields fields;

    ChangesResource(ChangeParameters parameters, ChangeResponses responses, ChangeRepository repository,
            DatasetFields fields, DatasetJson json) {
        super(responses, new Entries(json));
        this.parameters = parameters;
        this.responses = responses;
        this.repository = repository;
        this.fields = fields;
    }

    /** Datasets as the listing shows them, and the details that have a value. The address of the thumbnail does not expire. */
    private record Entries(DatasetJson json) implements EntryWriter {

        @Override
        public String member() {
            return "dataset";
        }

        @Override
        public byte[] write(StoredDataset stored, String base) {
            return json.unsigned(stored.dataset())
                    .with(base + Endpoints.DATASETS + stored.dataset().id() + "/thumbnail/");
        }

        /** What a mirror needs besides the fields of the listing, whose times are in whole seconds. */
        @Override
        public String details(StoredDataset stored) {
            String key = (String) stored.dataset().get("thumbnail_image");
            return ",\"captured\":\"" + stored.dataset().get("captured_date") + "\",\"created\":"
                    + (stored.created() == null ? null : "\"" + stored.created() + '"') + ",\"thumbnail_key\":"
                    + (key == null ? null : TextNode.valueOf(key));
        }

        @Override
        public String gone(long id, String uavUid) {
            return "\"id\":" + id + ",\"uav_uid\":\"" + uavUid + '"';
        }
    }

    @GET
    @Path(Endpoints.DIGEST)
    @Produces(MediaTypes.JSON)
    public Uni<Response> readDigest(@Context RoutingContext context) {
        return responses.digest(parameters.parseDigest(PATH, filter(context), context), repository::digest, context);
    }

    @Override
    protected Uni<ChangeQuery> parse(RoutingContext context) {
        return parameters.parse(PATH, filter(context), context);
    }

    private Expression filter(RoutingContext context) {
        return Filter.parse(QueryString.parse(context.request().query()), fields, Caller.of(context));
    }
}
