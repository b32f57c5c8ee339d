package io.datasetlisting.catalogue.listing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.mutiny.Multi;
import io.vertx.ext.web.RoutingContext;

/** Answers bare arrays without pages, for a search box and for a map. The listing's filters apply. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public class ArrayResource {

    /** Datasets of one chunk of the response. */
    private static final int ITEMS_AT_ONCE = 100;

    private final StreamRepository datasets;
    private final ListingJson json;
    private final StreamLimits limits;
    private final PagingConfig config;
    private final DatasetFields fields;

    public ArrayResource(StreamRepository datasets, ListingJson json, StreamLimits limits,
            PagingConfig config, DatasetFields fields) {
        this.datasets = datasets;
        this.json = json;
        this.limits = limits;
        this.config = config;
        this.fields = fields;
    }

    /** {@code {"id","dataset_name"}} of each dataset, up to the largest number. */
    @GET
    @Path(Endpoints.SEARCH)
    public Multi<byte[]> search(@Context RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        return array(
                ListingQuery.parseOrder(query, config, fields, Caller.of(context))
                        .showing(fields.select(Set.of("id", "dataset_name"))),
                context, datasets -> json.texts(datasets, ","));
    }

    /**
     * {@code {"id","latitude","longitude"}} of each dataset, in degrees, up to the largest number; only of those in {@code
     * bbox}, if it is given.
     */
    @GET
    @Path(Endpoints.COORDINATES)
    public Multi<byte[]> coordinates(@Context RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        ListingQuery asked = ListingQuery.parseOrder(query, config, fields, Caller.of(context))
                .showing(fields.select(Set.of("id", "coordinates")));
        return array(asked.within(Filter.clampedBox(query)), context,
                datasets -> datasets.stream().map(ArrayResource::point).collect(Collectors.joining(","))
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String point(DatasetView dataset) {
        return "{\"id\":" + dataset.id() + ",\"latitude\":" + dataset.coordinates()[0] + ",\"longitude\":"
                + dataset.coordinates()[1] + '}';
    }

    /** The platform writes the brackets, and a comma between two chunks. */
    private Multi<byte[]> array(ListingQuery query, RoutingContext context,
            Function<List<DatasetView>, byte[]> items) {
        return limits.limitInTurn(datasets.stream(query, Caller.of(context), Set.of()).onItem().<DatasetView>disjoint()
                .select().first(config.maxArraySize())
                .group().intoLists().of(ITEMS_AT_ONCE)
                .map(items), context);
    }
}
