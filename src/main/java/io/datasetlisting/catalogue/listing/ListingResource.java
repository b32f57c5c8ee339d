package io.datasetlisting.catalogue.listing;

import java.util.Map;
import java.util.stream.Stream;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.DatasetJsonCache;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.format.GeoJson;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.input.ApiDescription;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.http.paging.ChangeCursors;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.http.paging.PageLinks;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Answers pages of the listing, as JSON or GeoJSON. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.JSON)
public class ListingResource {

    private static final String NAME = "Dataset List";

    private final ListingRepository repository;
    private final StoredDatasetRepository stored;
    private final ListingJson json;
    private final GeoJson geoJson;
    private final DatasetJsonCache datasets;
    private final PageCache pages;
    private final ThumbnailLinks thumbnails;
    private final PagingConfig config;
    private final PublicUrl publicUrl;
    private final DatasetFields fields;
    private final ChangeCursors changes;

    public ListingResource(ListingRepository repository, StoredDatasetRepository stored, ListingJson json,
            GeoJson geoJson, DatasetJsonCache datasets,
            PageCache pages, ThumbnailLinks thumbnails, PagingConfig config, PublicUrl publicUrl,
            DatasetFields fields, ChangeCursors changes) {
        this.repository = repository;
        this.stored = stored;
        this.json = json;
        this.geoJson = geoJson;
        this.datasets = datasets;
        this.pages = pages;
        this.thumbnails = thumbnails;
        this.config = config;
        this.publicUrl = publicUrl;
        this.fields = fields;
        this.changes = changes;
    }

    /**
     * A parsed request for a page.
     *
     * @param url
     *            URL of the listing, as the client knows it
     * @param type
     *            media type of the response
     */
    private record PageRequest(RoutingContext context, ListingQuery query, Caller caller, String url, String type) {

        boolean asksForGeoJson() {
            return type.equals(MediaTypes.GEO_JSON);
        }

        /** Whether the response consists of cached JSON of datasets. */
        boolean asksForWholeDatasets() {
            return !asksForGeoJson() && query.fields().isWhole();
        }

        PageLinks links(ListingResult result) {
            return PageLinks.of(query.request(), url, result.count());
        }

        /** @throws ApiException 404 when the page is beyond the end */
        EntityTag tag(ListingResult result) {
            if (result.revisions().isEmpty() && query.request().page() > 1) {
                throw ListRequest.invalidPage();
            }
            return new EntityTag(Revision.hash(result.revisions(), result.count()),
                    result.links() + (asksForGeoJson() ? "-geo" : ""));
        }
    }

    /** A client whose {@code If-None-Match} names the page gets 304, and only revisions are read. */
    @GET
    @Produces({MediaTypes.JSON, MediaTypes.GEO_JSON})
    public Uni<Response> list(@Context RoutingContext context) {
        HttpServerRequest http = context.request();
        PageRequest request = new PageRequest(context,
                ListingQuery.parse(QueryString.parse(http.query()), config, fields, Caller.of(context)),
                Caller.of(context),
                publicUrl.of(Endpoints.DATASETS, http), Representation.of(context).mediaType());
        if (!request.asksForWholeDatasets() && !http.headers().contains(HttpHeaders.IF_NONE_MATCH)) {
            return readPage(request);
        }
        return repository.listRevisions(request.query, request.caller).chain(result -> {
            EntityTag tag = request.tag(result);
            if (tag.isKnownTo(context)) {
                return Uni.createFrom()
                        .item(Response.notModified().header(HttpHeaders.ETAG, tag.toString()).build());
            }
            return request.asksForWholeDatasets() ? cachedPage(request, result) : readPage(request);
        });
    }

    /** A page from cached JSON; only datasets that are not cached are read. */
    private Uni<Response> cachedPage(PageRequest request, ListingResult result) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        if (!signer.id().equals(result.links())) {
            return readPage(request);
        }
        return datasets.find(result.revisions(), signer, ids -> stored.find(ids, request.caller)).chain(texts -> {
            if (texts == null) {
                // A dataset has changed since its revision was read. One statement reads the page in one snapshot.
                return readPage(request);
            }
            PageLinks links = request.links(result);
            return respond(request, result, links, json.page(links, result.count(), texts, signer));
        });
    }

    private Uni<Response> readPage(PageRequest request) {
        ListingQuery query = request.query;
        return repository.list(request.asksForGeoJson() ? query.locating() : query, request.caller).chain(result -> {
            PageLinks links = request.links(result);
            return respond(request, result, links, request.asksForGeoJson()
                    ? geoJson.page(result.count(), result.datasets(), links.relations())
                    : json.page(PageEnvelope.of(links, result.count(), result.datasets())));
        });
    }

    private Uni<Response> respond(PageRequest request, ListingResult result, PageLinks links, byte[] page) {
        EntityTag tag = request.tag(result);
        return changes.link(result.listing(), Caller.of(request.context).audience(), request.context).map(toChanges -> {
            String link = links.headerWith(toChanges);
            pages.put(request.context,
                    new PageCache.Answer(result.listing(), result.links(), tag, link, request.type, page));
            return Response.ok(page).type(request.type).header(HttpHeaders.ETAG, tag.toString())
                    .header(HttpHeaders.LINK, link).build();
        });
    }

    /** A method of its own, because exports have one at the same path. */
    @HEAD
    @Produces({MediaTypes.JSON, MediaTypes.GEO_JSON})
    public Uni<Response> head(@Context RoutingContext context) {
        return list(context);
    }

    @OPTIONS
    @NonBlocking
    public ApiDescription describe(@Context RoutingContext context) {
        return new ApiDescription(NAME, "", Endpoint.of(context).renders(),
                Stream.concat(RequestBody.MEDIA_TYPES.stream(), Stream.of(MediaTypes.NDJSON)).toList(),
                Caller.of(context).mayWrite() ? Map.of("POST", fields.descriptions()) : null);
    }
}
