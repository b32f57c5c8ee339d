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
import io.datasetlisting.http.ApiDescription;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.ApiFilter;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Fields;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.http.RequestBody;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.listing.Page;
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
    private final RequestBody body;
    private final ListingConfig config;
    private final PublicUrl publicUrl;
    private final Clock clock;

    public DatasetResource(DatasetRepository datasets, DatasetEditRepository edits, DatasetJson json, RequestBody body,
            ListingConfig config, PublicUrl publicUrl, Clock clock) {
        this.datasets = datasets;
        this.edits = edits;
        this.json = json;
        this.body = body;
        this.config = config;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint endpoint() {
        return new Endpoint(PATH, "GET, POST, HEAD, OPTIONS", Endpoint.Access.OPEN,
                List.of("application/json", ApiFilter.NDJSON));
    }

    @GET
    public Uni<byte[]> list(RoutingContext context) {
        HttpServerRequest http = context.request();
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config, DatasetRepository.sortable());
        String url = publicUrl.of(PATH, http);
        return datasets.list(request, Caller.of(context)).map(slice -> {
            if (slice.datasets().isEmpty() && request.page() > 1) {
                throw ListRequest.invalidPage();
            }
            return json.page(Page.of(request, url, slice.count(), slice.datasets()));
        });
    }

    /** The platform would leave out the length of a body that it does not write. */
    @HEAD
    public Uni<Response> head(RoutingContext context) {
        return list(context).map(page -> Response.ok().type(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, page.length).build());
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
        return new ApiDescription("Dataset List", "", List.of("application/json", ApiFilter.NDJSON),
                Stream.concat(RequestBody.MEDIA_TYPES.stream(), Stream.of(ApiFilter.NDJSON)).toList(),
                Caller.of(context).mayWrite() ? Map.of("POST", DatasetDescription.FIELDS) : null);
    }
}
