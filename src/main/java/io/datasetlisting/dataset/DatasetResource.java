package io.datasetlisting.dataset;

import java.util.List;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

import io.datasetlisting.http.ApiDescription;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.listing.Page;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** The collection of datasets. */
@Path(DatasetResource.PATH)
@Produces({ "application/json", "application/problem+json" })
public class DatasetResource {

    static final String PATH = "/api/dataset/";

    private final DatasetRepository datasets;
    private final ListingConfig config;
    private final PublicUrl publicUrl;

    public DatasetResource(DatasetRepository datasets, ListingConfig config, PublicUrl publicUrl) {
        this.datasets = datasets;
        this.config = config;
        this.publicUrl = publicUrl;
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint endpoint() {
        return new Endpoint(PATH, "GET, POST, HEAD, OPTIONS");
    }

    @GET
    public Uni<Page<DatasetView>> list(HttpServerRequest http) {
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config, DatasetRepository.sortable());
        String url = publicUrl.of(PATH, http);
        return datasets.list(request).map(slice -> Page.of(request, url, slice.count(), slice.datasets()));
    }

    @OPTIONS
    public ApiDescription describe() {
        return new ApiDescription("Dataset List", "", List.of("application/json"),
                List.of("application/json", "application/x-www-form-urlencoded", "multipart/form-data"));
    }
}
