package io.datasetlisting.dataset;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.ApiDescription;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.http.RequestBody;
import io.datasetlisting.listing.ListingConfig;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.vertx.ext.web.RoutingContext;

/**
 * The addresses that clients of such catalogues call for a search box and for a map: bare arrays without pages, of what
 * the listing's filters let through.
 */
@Path("/api/")
@Produces(MediaType.APPLICATION_JSON)
public class DatasetArrayResource {

    private static final String SEARCH = "search_datasets";
    private static final String COORDINATES = "dataset_coords";

    /** Joined, they are written at once. */
    private static final int ITEMS_AT_ONCE = 100;

    private final DatasetRepository datasets;
    private final DatasetJson json;
    private final ListingConfig config;

    public DatasetArrayResource(DatasetRepository datasets, DatasetJson json, ListingConfig config) {
        this.datasets = datasets;
        this.json = json;
        this.config = config;
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint searchEndpoint() {
        return new Endpoint("/api/" + SEARCH, "GET, HEAD, OPTIONS", Endpoint.Access.OPEN);
    }

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint coordinatesEndpoint() {
        return new Endpoint("/api/" + COORDINATES, "GET, HEAD, OPTIONS", Endpoint.Access.OPEN);
    }

    /** {@code {"id","dataset_name"}} of each. */
    @GET
    @Path(SEARCH)
    public Multi<byte[]> search(@Context RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        Set<String> fields = DatasetColumns.ordered(Set.of("id", "dataset_name"));
        return array(DatasetQuery.parseOrder(query, config).showing(fields), context,
                datasets -> json.texts(datasets, fields, ","));
    }

    /** {@code {"id","latitude","longitude"}} of each, in degrees; of those in {@code bbox}, or of all. */
    @GET
    @Path(COORDINATES)
    public Multi<byte[]> coordinates(@Context RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        DatasetQuery asked = DatasetQuery.parseOrder(query, config).showing(Set.of("id", "coordinates"));
        return array(asked.within(DatasetFilter.clampedBox(query)), context,
                datasets -> datasets.stream().map(DatasetArrayResource::point).collect(Collectors.joining(","))
                        .getBytes(StandardCharsets.US_ASCII));
    }

    @OPTIONS
    @Path(SEARCH)
    @NonBlocking
    public ApiDescription describeSearch() {
        return ApiDescription.of("Dataset Search", RequestBody.MEDIA_TYPES);
    }

    @OPTIONS
    @Path(COORDINATES)
    @NonBlocking
    public ApiDescription describeCoordinates() {
        return ApiDescription.of("Dataset Coordinates", RequestBody.MEDIA_TYPES);
    }

    private static String point(DatasetView dataset) {
        return "{\"id\":" + dataset.id() + ",\"latitude\":" + dataset.coordinates()[0] + ",\"longitude\":"
                + dataset.coordinates()[1] + '}';
    }

    /** The platform writes the brackets, and a comma between any two. */
    private Multi<byte[]> array(DatasetQuery query, RoutingContext context,
            Function<List<DatasetView>, byte[]> items) {
        return datasets.stream(query, Caller.of(context))
                .select().first(config.maxArraySize())
                .group().intoLists().of(ITEMS_AT_ONCE)
                .map(items);
    }
}
