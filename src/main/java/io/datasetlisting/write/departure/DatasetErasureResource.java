package io.datasetlisting.write.departure;

import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;

import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.dataset.storage.ThumbnailStore;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.input.PathId;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Erases deleted datasets with their thumbnails, for admins. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.JSON)
public class DatasetErasureResource {

    private static final String TYPE = "Dataset";

    private final DepartureRepository departures;
    private final ThumbnailStore thumbnails;
    private final ThumbnailLinks links;

    public DatasetErasureResource(DepartureRepository departures, ThumbnailStore thumbnails, ThumbnailLinks links) {
        this.departures = departures;
        this.thumbnails = thumbnails;
        this.links = links;
    }

    /**
     * The objects of the storage go first, while the row is locked: if the storage or the database fails, the dataset stays
     * deleted, and the request can be sent again.
     */
    @POST
    @Path(Endpoints.ERASE)
    public Uni<Void> erase(@PathParam("id") String id, @Context RoutingContext context) {
        RequestLimits.lift(context);
        long number = PathId.parse(id, TYPE);
        return departures.eraseDataset(number, Author.of(context), dataset -> {
            if (dataset == null) {
                throw ApiException.noSuch(TYPE);
            }
            Caller.of(context).checkWorkspace(dataset.workspace());
            if (!dataset.isDeleted()) {
                throw new ApiException(409, "Only a deleted dataset can be erased. Delete it first.");
            }
            String key = dataset.thumbnailKey();
            return thumbnails.remove(number + "-" + dataset.uavUid(),
                    key == null || links.isPlaceholder(key) ? null : key);
        });
    }
}
