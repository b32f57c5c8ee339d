package io.datasetlisting.dataset;

import java.util.List;

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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import io.datasetlisting.http.ApiDescription;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.listing.Page;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** The collection of datasets. */
@Path(DatasetResource.PATH)
@Produces("application/json")
public class DatasetResource {

    static final String PATH = "/api/dataset/";

    private final DatasetRepository datasets;
    private final ListingConfig config;
    private final PublicUrl publicUrl;
    private final ObjectWriter pageWriter;

    public DatasetResource(DatasetRepository datasets, ListingConfig config, PublicUrl publicUrl,
            ObjectMapper mapper) {
        this.datasets = datasets;
        this.config = config;
        this.publicUrl = publicUrl;
        pageWriter = mapper.writerFor(new TypeReference<Page<DatasetView>>() {
        });
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint endpoint() {
        return new Endpoint(PATH, "GET, POST, HEAD, OPTIONS");
    }

    @GET
    public Uni<byte[]> list(HttpServerRequest http) {
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config, DatasetRepository.sortable());
        String url = publicUrl.of(PATH, http);
        return datasets.list(request).map(slice -> {
            if (slice.datasets().isEmpty() && request.page() > 1) {
                throw ListRequest.invalidPage();
            }
            return json(Page.of(request, url, slice.count(), slice.datasets()));
        });
    }

    /** The platform would leave out the length of a body that it does not write. */
    @HEAD
    public Uni<Response> head(HttpServerRequest http) {
        return list(http).map(body -> Response.ok().type(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CONTENT_LENGTH, body.length).build());
    }

    /** Whole, so that its length is known before the first byte goes out. */
    private byte[] json(Page<DatasetView> page) {
        try {
            return pageWriter.writeValueAsBytes(page);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creating takes a token, and nobody has one. */
    @POST
    public Uni<Void> create(HttpServerRequest http) {
        http.response().putHeader("WWW-Authenticate", "Token");
        throw new ApiException(401, "Authentication credentials were not provided.");
    }

    @OPTIONS
    @NonBlocking
    public ApiDescription describe() {
        return new ApiDescription("Dataset List", "", List.of("application/json"),
                List.of("application/json", "application/x-www-form-urlencoded", "multipart/form-data"));
    }
}
