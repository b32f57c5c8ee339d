package io.datasetlisting.write.edit;

import java.util.List;
import java.util.Map;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetJson;
import io.datasetlisting.dataset.raster.RasterFiles;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.dataset.storage.ThumbnailStore;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.input.ApiDescription;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.RequestBody;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Creates, reads, changes, deletes and restores one dataset, stores its thumbnail, and leads to its thumbnail and rasters. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.JSON)
public class DatasetResource {

    private static final String TYPE = "Dataset";

    private final DatasetEditRepository datasets;
    private final VisibleDatasets visible;
    private final DatasetJson json;
    private final RequestBody body;
    private final ThumbnailStore thumbnails;
    private final ThumbnailLinks links;
    private final RasterLinks rasters;
    private final RasterFiles files;
    private final PublicUrl publicUrl;
    private final DatasetFields fields;
    private final DatasetInput input;

    public DatasetResource(DatasetEditRepository datasets, VisibleDatasets visible, DatasetJson json, RequestBody body,
            ThumbnailStore thumbnails, ThumbnailLinks links, RasterLinks rasters, RasterFiles files,
            PublicUrl publicUrl, DatasetFields fields, DatasetInput input) {
        this.datasets = datasets;
        this.visible = visible;
        this.json = json;
        this.body = body;
        this.thumbnails = thumbnails;
        this.links = links;
        this.rasters = rasters;
        this.files = files;
        this.publicUrl = publicUrl;
        this.fields = fields;
        this.input = input;
    }

    @POST
    public Uni<Response> create(@Context RoutingContext context) {
        Caller caller = Caller.of(context);
        String key = IdempotencyKey.of(context.request());
        // Evaluated before the insert, because it fails for a request without a host.
        String url = publicUrl.of(Endpoints.DATASETS, context.request());
        return body.fields(context).chain(fields -> {
            Dataset dataset = newDataset(caller, fields);
            if (key == null) {
                return datasets.create(dataset, Author.of(context)).map(json::sign);
            }
            return datasets.createOnce(
                    new IdempotencyKey(caller.accountId(), key, Sha256.of(fields.toString())),
                    dataset, Author.of(context), json::storedResponse).map(json::signStored);
        }).map(signed -> signed.response(201)
                .header(HttpHeaders.LOCATION, url + signed.id() + '/')
                .build());
    }

    private Dataset newDataset(Caller caller, DrfFields fields) {
        Dataset dataset = input.newDataset(caller);
        input.readWritable(fields, dataset);
        fields.check();
        return dataset;
    }

    @GET
    @Path(Endpoints.ID)
    public Uni<Response> read(@PathParam("id") String id, @Context RoutingContext context) {
        return visible.find(id, context).map(json::sign).map(signed -> signed.tag().isKnownTo(context)
                ? EntityTag.notModified(signed.tag().strong())
                : signed.response(200).build());
    }

    /** Does what {@link #patch} does, as in Django REST Framework: no field is required. */
    @PUT
    @Path(Endpoints.ID)
    public Uni<Response> put(@PathParam("id") String id, @Context RoutingContext context) {
        return patch(id, context);
    }

    /** Changes the fields that the request has. */
    @PATCH
    @Path(Endpoints.ID)
    public Uni<Response> patch(@PathParam("id") String id, @Context RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        return body.fields(context)
                .chain(fields -> datasets.change(number, Author.of(context), AuditAction.CHANGE_DATASET, dataset -> {
                    checkWritable(dataset, context);
                    input.readWritable(fields, dataset);
                    fields.check();
                })).map(dataset -> json.sign(dataset).response(200).build());
    }

    /**
     * Hides the dataset in listings and at its own address; the row and the thumbnail stay. The tag is for {@link #restore}.
     */
    @DELETE
    @Path(Endpoints.ID)
    public Uni<Response> delete(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets.change(PathId.parse(id, TYPE), Author.of(context), AuditAction.DELETE_DATASET, dataset -> {
            checkWritable(dataset, context);
            dataset.isDeleted = true;
        }).map(dataset -> Response.noContent().header(HttpHeaders.ETAG, json.sign(dataset).tag().strong()).build());
    }

    /** Shows a deleted dataset again. For all callers but its owner and admins, it does not exist. */
    @POST
    @Path(Endpoints.RESTORE)
    public Uni<Response> restore(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets.restore(PathId.parse(id, TYPE), Author.of(context), dataset -> {
            if (dataset == null || !dataset.isWritableBy(Caller.of(context))) {
                throw ApiException.noSuch(TYPE);
            }
            json.sign(dataset).tag().checkPrecondition(context);
        }).map(dataset -> json.sign(dataset).response(200).build());
    }

    /**
     * Redirects to a new signed link. The address stays the same while links expire, so documents of other systems can contain
     * it. A cache may keep the redirect for half of the time that the link remains valid: the client then has the other half to
     * open the link.
     */
    @GET
    @Path(Endpoints.THUMBNAIL)
    @Produces(MediaType.WILDCARD)
    public Uni<Response> readThumbnail(@PathParam("id") String id, @Context RoutingContext context) {
        return visible.find(id, context).map(dataset -> {
            ThumbnailLinks.Signer signer = links.signer();
            long maxAge = Math.max(0, signer.remaining().toSeconds() / 2);
            boolean hasToken = context.request().headers().contains(HttpHeaders.AUTHORIZATION);
            return Response.status(302)
                    .header(HttpHeaders.LOCATION, signer.link(dataset.thumbnailKey))
                    .header(HttpHeaders.CACHE_CONTROL, (hasToken ? "private" : "public") + ", max-age=" + maxAge)
                    // Added to the header of the pipeline: a browser must not send one caller to the link of another.
                    .header(HttpHeaders.VARY, HttpHeaders.AUTHORIZATION)
                    .build();
        });
    }

    /**
     * Redirects to a raster: to a new signed link, or to a public address. No cache keeps the redirect: a raster takes long to
     * read, so each reader has the whole time that a link remains valid. The address that documents name has no slash at its end,
     * because GDAL takes a slash for a folder.
     */
    @GET
    @Path(Endpoints.RASTER)
    @Produces(MediaType.WILDCARD)
    public Uni<Response> readRaster(@PathParam("id") String id, @PathParam("product") String product,
            @Context RoutingContext context) {
        return visible.find(id, context).map(dataset -> {
            String link = rasters.link(dataset.rasterSource(), product,
                    context.request().method() == HttpMethod.HEAD);
            if (link == null) {
                throw ApiException.noSuch("Raster");
            }
            return Response.status(302).header(HttpHeaders.LOCATION, link).header(HttpHeaders.CACHE_CONTROL, "no-store")
                    .build();
        });
    }

    /** Reads what a raster says of itself, and stores it. Only the owner and admins make the service read a file. */
    @POST
    @Path(Endpoints.RASTER)
    public Uni<Response> readHeader(@PathParam("id") String id, @PathParam("product") String product,
            @Context RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        return datasets.find(number).chain(dataset -> {
            checkWritable(dataset, context);
            Caller.of(context).checkWorkspace(dataset.workspace);
            String location = rasters.location(dataset.rasterSource(), product);
            if (location == null) {
                throw ApiException.noSuch("Raster");
            }
            // The read has a limit of its own. A client that has left keeps no place of the reads.
            RequestLimits.lift(context);
            return RequestEnd.cancelAtEnd(files.describe(product, location)).chain(
                    header -> datasets.change(number, Author.of(context), AuditAction.READ_RASTER, changed -> {
                        checkWritable(changed, context);
                        if (!location.equals(rasters.location(changed.rasterSource(), product))) {
                            throw new ApiException(409, "The raster has got another location meanwhile.");
                        }
                        changed.describeRaster(product, header);
                    }));
        }).map(dataset -> json.sign(dataset).response(200).build());
    }

    /** Stores an image and ignores the declared media type. The old image stays in the storage. */
    @PUT
    @Path(Endpoints.THUMBNAIL)
    public Uni<Response> putThumbnail(@PathParam("id") String id, @Context RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        RequestLimits.lift(context);
        return datasets.find(number)
                .invoke(dataset -> {
                    checkWritable(dataset, context);
                    Caller.of(context).checkWorkspace(dataset.workspace);
                })
                .chain(dataset -> thumbnails.put(context.request(), dataset.id + "-" + dataset.uavUid))
                .chain(key -> datasets.change(number, Author.of(context), AuditAction.STORE_THUMBNAIL, dataset -> {
                    checkWritable(dataset, context);
                    dataset.thumbnailKey = key;
                })).map(dataset -> json.sign(dataset).response(200).build());
    }

    @OPTIONS
    @Path(Endpoints.THUMBNAIL)
    public Uni<ApiDescription> describeThumbnail(@PathParam("id") String id, @Context RoutingContext context) {
        return visible.find(id, context)
                .map(dataset -> new ApiDescription("Dataset Thumbnail", "", List.of(MediaTypes.JSON),
                        ThumbnailStore.MEDIA_TYPES, null));
    }

    @OPTIONS
    @Path(Endpoints.ID)
    public Uni<ApiDescription> describe(@PathParam("id") String id, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return visible.find(id, context)
                .map(dataset -> new ApiDescription("Dataset Instance", "",
                        List.of(MediaTypes.JSON), RequestBody.MEDIA_TYPES,
                        caller.mayWriteIn(dataset.workspace) && dataset.isWritableBy(caller)
                                ? Map.of("PUT", fields.descriptions())
                                : null));
    }

    private void checkWritable(Dataset dataset, RoutingContext context) {
        VisibleDatasets.check(dataset, context);
        if (!dataset.isWritableBy(Caller.of(context))) {
            throw ApiException.forbidden();
        }
        json.sign(dataset).tag().checkPrecondition(context);
    }
}
