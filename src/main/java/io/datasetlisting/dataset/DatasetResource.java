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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.account.Caller;
import io.datasetlisting.dataset.DatasetRepository.Slice;
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
            DatasetTexts texts,
            PageCache pages, ThumbnailLinks thumbnails, GeoJson geoJson, RequestBody body, ListingConfig config,
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

    /** Whoever knows the page as it is gets no body, and its rows are not read. */
    @GET
    @Produces({MediaType.APPLICATION_JSON, GeoJson.MEDIA_TYPE})
    public Uni<Response> list(RoutingContext context) {
        HttpServerRequest http = context.request();
        Caller caller = Caller.of(context);
        DatasetQuery query = DatasetQuery.parse(QueryString.parse(http.query()), config);
        String url = publicUrl.of(PATH, http);
        // One alone is left in it.
        String type = http.getHeader(HttpHeaders.ACCEPT).startsWith(GeoJson.MEDIA_TYPE)
                ? GeoJson.MEDIA_TYPE
                : MediaType.APPLICATION_JSON;
        boolean whole = type.equals(MediaType.APPLICATION_JSON) && query.fields().equals(DatasetColumns.FIELDS);
        if (!whole && !http.headers().contains(HttpHeaders.IF_NONE_MATCH)) {
            return written(context, query, caller, url, type);
        }
        return datasets.state(query, caller).chain(slice -> {
            EntityTag tag = tag(query.request(), slice, type);
            if (tag.isKnownTo(http)) {
                return Uni.createFrom()
                        .item(Response.notModified().header(HttpHeaders.ETAG, tag.toString()).build());
            }
            return whole
                    ? known(context, query, caller, url, slice)
                    : written(context, query, caller, url, type);
        });
    }

    /** A page of datasets that were written before, as far as they are the same. */
    private Uni<Response> known(RoutingContext context, DatasetQuery query, Caller caller, String url, Slice slice) {
        return texts.of(slice.revisions()).chain(texts -> {
            ThumbnailLinks.Signer signer = thumbnails.signer();
            if (texts == null || !signer.id().equals(slice.links())) {
                // Something else by now: what is read at once is of one moment.
                return written(context, query, caller, url, MediaType.APPLICATION_JSON);
            }
            PageLinks links = PageLinks.of(query.request(), url, slice.count());
            return Uni.createFrom()
                    .item(answer(context, slice, links, tag(query.request(), slice, MediaType.APPLICATION_JSON),
                            MediaType.APPLICATION_JSON, json.page(links, slice.count(), texts, signer)));
        });
    }

    private Uni<Response> written(RoutingContext context, DatasetQuery query, Caller caller, String url, String type) {
        boolean map = type.equals(GeoJson.MEDIA_TYPE);
        return datasets.list(map ? query.locating() : query, caller).map(slice -> {
            EntityTag tag = tag(query.request(), slice, type);
            PageLinks links = PageLinks.of(query.request(), url, slice.count());
            return answer(context, slice, links, tag, type, map
                    ? geoJson.page(slice.count(), slice.datasets(), query.fields(), links.relations())
                    : json.page(Page.of(links, slice.count(), slice.datasets()), query.fields()));
        });
    }

    private Response answer(RoutingContext context, Slice slice, PageLinks links, EntityTag tag, String type,
            byte[] page) {
        String link = links.header();
        pages.keep(context, new PageCache.Answer(slice, tag, link, type, page));
        return Response.ok(page).type(type).header(HttpHeaders.ETAG, tag.toString()).header(HttpHeaders.LINK, link)
                .build();
    }

    /** @throws ApiException 404 when the page is beyond the end */
    private static EntityTag tag(ListRequest request, Slice slice, String type) {
        if (slice.revisions().isEmpty() && request.page() > 1) {
            throw ListRequest.invalidPage();
        }
        return new EntityTag(slice.state(), slice.links() + (type.equals(GeoJson.MEDIA_TYPE) ? "-geo" : ""));
    }

    /** The platform would leave out the length of a body that it does not write. */
    @HEAD
    @Produces({MediaType.APPLICATION_JSON, GeoJson.MEDIA_TYPE})
    public Uni<Response> head(RoutingContext context) {
        return list(context).map(DatasetJson::withoutBody);
    }

    @POST
    public Uni<Response> create(RoutingContext context) {
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
    public ApiDescription describe(RoutingContext context) {
        return new ApiDescription("Dataset List", "", endpoint().renders(),
                Stream.concat(RequestBody.MEDIA_TYPES.stream(), Stream.of(ApiFilter.NDJSON)).toList(),
                Caller.of(context).mayWrite() ? Map.of("POST", DatasetDescription.FIELDS) : null);
    }
}
