package io.datasetlisting.faces.stac;

import jakarta.ws.rs.Path;

import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.write.change.ChangeParameters;
import io.datasetlisting.write.change.ChangeQuery;
import io.datasetlisting.write.change.ChangeResponses;
import io.datasetlisting.write.change.EntryWriter;
import io.datasetlisting.write.change.FeedResource;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers which items have changed since a position. */
@Path(Endpoints.STAC + Endpoints.STAC_CHANGES)
public class ItemChangesResource extends FeedResource {

    private static final String PATH = Endpoints.STAC + Endpoints.STAC_CHANGES;

    private final ItemRequests requests;
    private final ChangeParameters parameters;

    ItemChangesResource(ItemRequests requests, ChangeParameters parameters, ChangeResponses responses, ItemJson json) {
        super(responses, new Entries(json));
        this.requests = requests;
        this.parameters = parameters;
    }

    private record Entries(ItemJson json) implements EntryWriter {

        @Override
        public String member() {
            return "item";
        }

        @Override
        public byte[] write(StoredDataset stored, String base) {
            return json.write(stored, base);
        }

        @Override
        public String gone(long id, String uavUid) {
            return "\"id\":\"" + id + "\",\"collection\":\"" + ItemProperties.COLLECTION_ID + '"';
        }
    }

    @Override
    protected Uni<ChangeQuery> parse(RoutingContext context) {
        return requests.filterOfChanges(context).chain(filter -> parameters.parse(PATH, filter, context));
    }
}
