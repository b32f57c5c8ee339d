package io.datasetlisting.dataset;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.ApiDescription;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.ApiFilter;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Fields;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.http.RequestBody;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.listing.Page;
import io.datasetlisting.listing.PageLinks;
import io.datasetlisting.storage.ThumbnailLinks;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** The collection of datasets. */
@Path(DatasetResource.PATH)
@Produces("application/json")
public class DatasetResource {

    static final String PATH = "/api/dataset/";

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final DatasetRepository datasets;
    private final DatasetEditRepository edits;
    private final DatasetJson json;
    private final DatasetTexts texts;
    private final PageCache pages;
    private final ThumbnailLinks thumbnails;
    private final GeoJson geoJson;
    private final RequestBody body;
    private final ListingConfig config;
    private final PublicUrl publicUrl;
    private final Clock clock;

    public DatasetResource(DatasetRepository datasets, DatasetEditRepository edits, DatasetJson json,
            DatasetTexts texts, PageCache pages, ThumbnailLinks thumbnails, GeoJson geoJson, RequestBody body,
            ListingConfig config,
            PublicUrl publicUrl, Clock clock) {
        this.datasets = datasets;
        this.edits = edits;
        this.json = json;
        this.texts = texts;
        this.pages = pages;
        this.thumbnails = thumbnails;
        this.geoJson = geoJson;
        this.body = body;
        this.config = config;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint endpoint() {
        return new Endpoint(PATH, "GET, POST, HEAD, OPTIONS", Endpoint.Access.OPEN,
                List.of("application/json", ApiFilter.NDJSON, GeoJson.MEDIA_TYPE, Csv.MEDIA_TYPE));
    }

    /**
     * What a request for a page asks for.
     *
     * @param url
     *            of the collection, as the caller sees it
     * @param type
     *            media type of the answer
     */
    private record PageRequest(RoutingContext context, DatasetQuery query, Caller caller, String url, String type) {

        boolean asksForGeoJson() {
            return type.equals(GeoJson.MEDIA_TYPE);
        }

        /** The datasets' JSON as it is kept. */
        boolean asksForWholeDatasets() {
            return !asksForGeoJson() && query.fields().equals(DatasetColumns.FIELDS);
        }

        PageLinks links(Slice slice) {
            return PageLinks.of(query.request(), url, slice.count());
        }

        /** @throws ApiException 404 when the page is beyond the end */
        EntityTag tag(Slice slice) {
            if (slice.revisions().isEmpty() && query.request().page() > 1) {
                throw ListRequest.invalidPage();
            }
            return new EntityTag(slice.state(), slice.links() + (asksForGeoJson() ? "-geo" : ""));
        }
    }

    /** Whoever knows the page as it is gets no body, and its rows are not read. */
    @GET
    @Produces({MediaType.APPLICATION_JSON, GeoJson.MEDIA_TYPE})
    public Uni<Response> list(@Context RoutingContext context) {
        HttpServerRequest http = context.request();
        // One alone is left in it.
        String type = http.getHeader(HttpHeaders.ACCEPT).startsWith(GeoJson.MEDIA_TYPE)
                ? GeoJson.MEDIA_TYPE
                : MediaType.APPLICATION_JSON;
        PageRequest request = new PageRequest(context, DatasetQuery.parse(QueryString.parse(http.query()), config),
                Caller.of(context), publicUrl.of(PATH, http), type);
        if (!request.asksForWholeDatasets() && !http.headers().contains(HttpHeaders.IF_NONE_MATCH)) {
            return written(request);
        }
        return datasets.state(request.query, request.caller).chain(slice -> {
            EntityTag tag = request.tag(slice);
            if (tag.isKnownTo(http)) {
                return Uni.createFrom()
                        .item(Response.notModified().header(HttpHeaders.ETAG, tag.toString()).build());
            }
            return request.asksForWholeDatasets() ? known(request, slice) : written(request);
        });
    }

    /** A page of datasets that were written before, as far as they are the same. */
    private Uni<Response> known(PageRequest request, Slice slice) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        if (!signer.id().equals(slice.links())) {
            return written(request);
        }
        return texts.of(slice.revisions(), request.caller, signer).chain(texts -> {
            if (texts == null) {
                // Something else by now: what is read at once is of one moment.
                return written(request);
            }
            PageLinks links = request.links(slice);
            return Uni.createFrom().item(answer(request, slice, links, json.page(links, slice.count(), texts, signer)));
        });
    }

    private Uni<Response> written(PageRequest request) {
        DatasetQuery query = request.query;
        return datasets.list(request.asksForGeoJson() ? query.locating() : query, request.caller).map(slice -> {
            PageLinks links = request.links(slice);
            return answer(request, slice, links, request.asksForGeoJson()
                    ? geoJson.page(slice.count(), slice.datasets(), query.fields(), links.relations())
                    : json.page(Page.of(links, slice.count(), slice.datasets()), query.fields()));
        });
    }

    private Response answer(PageRequest request, Slice slice, PageLinks links, byte[] page) {
        EntityTag tag = request.tag(slice);
        String link = links.header();
        pages.keep(request.context, new PageCache.Answer(slice, tag, link, request.type, page));
        return Response.ok(page).type(request.type).header(HttpHeaders.ETAG, tag.toString())
                .header(HttpHeaders.LINK, link).build();
    }

    /** The platform would leave out the length of a body that it does not write. */
    @HEAD
    @Produces({MediaType.APPLICATION_JSON, GeoJson.MEDIA_TYPE})
    public Uni<Response> head(@Context RoutingContext context) {
        return list(context).map(DatasetJson::withoutBody);
    }

    @POST
    public Uni<Response> create(@Context RoutingContext context) {
        Caller caller = Caller.of(context);
        String key = idempotencyKey(context.request());
        // Before anything is stored: a request without a host has none.
        String url = publicUrl.of(PATH, context.request());
        return body.fields(context.request()).chain(fields -> {
            Dataset dataset = newDataset(caller, fields);
            if (key == null) {
                return edits.create(dataset).map(json::one);
            }
            return edits.createOnce(
                    new DatasetEditRepository.IdempotencyKey(caller.accountId(), key, sha256(fields.toString())),
                    dataset,
                    created -> json.one(created).text()).map(json::again);
        }).map(one -> one.response(201)
                .header(HttpHeaders.LOCATION, url + one.id() + '/')
                .build());
    }

    private Dataset newDataset(Caller caller, Fields fields) {
        Dataset dataset = new Dataset();
        dataset.uavUid = UUID.randomUUID();
        dataset.ownerId = caller.accountId();
        dataset.ownerName = caller.username();
        dataset.workspace = caller.workspace();
        dataset.capturedDate = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        DatasetInput.readWritable(fields, dataset);
        fields.check();
        return dataset;
    }

    private static String idempotencyKey(HttpServerRequest request) {
        String key = request.getHeader(IDEMPOTENCY_KEY);
        if (key != null && !key.matches("[!-~]{1,255}")) {
            throw new ApiException(400, "Idempotency-Key must be 1 to 255 printable ASCII characters.");
        }
        return key;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @OPTIONS
    @NonBlocking
    public ApiDescription describe(@Context RoutingContext context) {
        return new ApiDescription("Dataset List", "", endpoint().renders(),
                Stream.concat(RequestBody.MEDIA_TYPES.stream(), Stream.of(ApiFilter.NDJSON)).toList(),
                Caller.of(context).mayWrite() ? Map.of("POST", DatasetDescription.FIELDS) : null);
    }
}
