package io.datasetlisting.dataset;

import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.ApiDescription;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.PathId;
import io.datasetlisting.http.RequestBody;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.storage.ThumbnailStore;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** One dataset. */
@Path(SingleDatasetResource.PATH)
@Produces("application/json")
public class SingleDatasetResource {

    static final String PATH = DatasetResource.PATH + "{id}/";

    private static final String THUMBNAIL = "thumbnail/";
    private static final String TYPE = "Dataset";

    private final DatasetEditRepository datasets;
    private final DatasetJson json;
    private final RequestBody body;
    private final ThumbnailStore thumbnails;

    public SingleDatasetResource(DatasetEditRepository datasets, DatasetJson json, RequestBody body,
            ThumbnailStore thumbnails) {
        this.datasets = datasets;
        this.json = json;
        this.body = body;
        this.thumbnails = thumbnails;
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint one() {
        return new Endpoint(PATH, "GET, PUT, PATCH, DELETE, HEAD, OPTIONS", Endpoint.Access.OPEN);
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint thumbnail() {
        return new Endpoint(PATH + THUMBNAIL, "PUT, OPTIONS", Endpoint.Access.OPEN);
    }

    @GET
    public Uni<Response> read(@PathParam("id") String id, @Context RoutingContext context) {
        return find(id, context).map(one -> one.tag().isKnownTo(context.request())
                ? Response.notModified().header(HttpHeaders.ETAG, one.tag().toString()).build()
                : one.response(200).build());
    }

    /** The platform would leave out the length of a body that it does not write. */
    @HEAD
    public Uni<Response> head(@PathParam("id") String id, @Context RoutingContext context) {
        return read(id, context).map(DatasetJson::withoutBody);
    }

    private Uni<DatasetJson.One> find(String id, RoutingContext context) {
        return datasets.find(PathId.parse(id, TYPE)).invoke(dataset -> checkVisible(dataset, context)).map(json::one);
    }

    /** The same as {@link #patch}, as in Django REST Framework: no field has to be there. */
    @PUT
    public Uni<Response> put(@PathParam("id") String id, @Context RoutingContext context) {
        return patch(id, context);
    }

    /** Changes the fields that are there. */
    @PATCH
    public Uni<Response> patch(@PathParam("id") String id, @Context RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        return body.fields(context.request()).chain(fields -> datasets.change(number, dataset -> {
            checkWritable(dataset, context);
            DatasetInput.readWritable(fields, dataset);
            fields.check();
        })).map(dataset -> json.one(dataset).response(200).build());
    }

    /** Hides it from everybody; the row and the thumbnail stay. */
    @DELETE
    public Uni<Void> delete(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets.change(PathId.parse(id, TYPE), dataset -> {
            checkWritable(dataset, context);
            dataset.isDeleted = true;
        }).replaceWithVoid();
    }

    /** Takes an image, whatever its media type is said to be. The old one stays in the storage. */
    @PUT
    @Path(THUMBNAIL)
    public Uni<Response> putThumbnail(@PathParam("id") String id, @Context RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        RequestLimits.lift(context);
        return datasets.find(number)
                .invoke(dataset -> checkWritable(dataset, context))
                .chain(dataset -> thumbnails.put(context.request(), dataset.id + "-" + dataset.uavUid))
                .chain(key -> datasets.change(number, dataset -> {
                    checkWritable(dataset, context);
                    dataset.thumbnailKey = key;
                })).map(dataset -> json.one(dataset).response(200).build());
    }

    @OPTIONS
    @Path(THUMBNAIL)
    public Uni<ApiDescription> describeThumbnail(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets.find(PathId.parse(id, TYPE)).invoke(dataset -> checkVisible(dataset, context))
                .map(dataset -> new ApiDescription("Dataset Thumbnail", "", List.of("application/json"),
                        ThumbnailStore.MEDIA_TYPES, null));
    }

    @OPTIONS
    public Uni<ApiDescription> describe(@PathParam("id") String id, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return datasets.find(PathId.parse(id, TYPE)).invoke(dataset -> checkVisible(dataset, context))
                .map(dataset -> new ApiDescription("Dataset Instance", "",
                        List.of("application/json"), RequestBody.MEDIA_TYPES,
                        caller.mayWrite() && dataset.isWritableBy(caller)
                                ? Map.of("PUT", DatasetDescription.FIELDS)
                                : null));
    }

    private static void checkVisible(Dataset dataset, RoutingContext context) {
        if (dataset == null || !dataset.isVisibleTo(Caller.of(context))) {
            throw ApiException.noSuch(TYPE);
        }
    }

    private void checkWritable(Dataset dataset, RoutingContext context) {
        checkVisible(dataset, context);
        if (!dataset.isWritableBy(Caller.of(context))) {
            throw ApiException.forbidden();
        }
        json.one(dataset).tag().checkPrecondition(context.request());
    }
}
