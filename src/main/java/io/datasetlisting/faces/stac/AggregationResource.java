package io.datasetlisting.faces.stac;

import java.nio.charset.StandardCharsets;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.UnicodeEscapes;
import io.datasetlisting.catalogue.aggregation.Aggregation;
import io.datasetlisting.catalogue.aggregation.AggregationRepository;
import io.datasetlisting.catalogue.aggregation.AggregationResult;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Answers aggregations of the items that match a search. */
@Path(Endpoints.STAC)
@Produces(MediaTypes.JSON)
public class AggregationResource {

    static final String TYPE = "AggregationCollection";

    private static final String OF_COLLECTION = Endpoints.COLLECTIONS + "/{collection}" + Endpoints.AGGREGATE;

    private final ItemRequests requests;
    private final AggregationRepository repository;
    private final PageCache pages;
    private final Links links;

    AggregationResource(ItemRequests requests, AggregationRepository repository, PageCache pages, Links links) {
        this.requests = requests;
        this.repository = repository;
        this.pages = pages;
        this.links = links;
    }

    static String dataType(Aggregation of) {
        return of.hasBuckets() ? "frequency_distribution" : of.valueType();
    }

    @GET
    @Path(Endpoints.AGGREGATE)
    public Uni<Response> read(@Context RoutingContext context) {
        return answer(context);
    }

    @POST
    @Path(Endpoints.AGGREGATE)
    public Uni<Response> readByBody(@Context RoutingContext context) {
        return answer(context);
    }

    @GET
    @Path(OF_COLLECTION)
    public Uni<Response> readOfCollection(@Context RoutingContext context) {
        return answer(context);
    }

    @POST
    @Path(OF_COLLECTION)
    public Uni<Response> readOfCollectionByBody(@Context RoutingContext context) {
        return answer(context);
    }

    /** The response to POST has no tag, because caches do not keep it. */
    private Uni<Response> answer(RoutingContext context) {
        return requests.readAggregations(context).chain(asked -> repository.read(asked, Caller.of(context)))
                .map(result -> {
                    byte[] json = UnicodeEscapes.in(json(result, context).toString().getBytes(StandardCharsets.UTF_8));
                    if (context.request().method() == HttpMethod.POST) {
                        return Response.ok(json).type(MediaTypes.JSON).build();
                    }
                    return pages.respond(context, result.listing(), json, MediaTypes.JSON);
                });
    }

    private JsonNode json(AggregationResult result, RoutingContext context) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("type", TYPE);
        ArrayNode aggregations = json.putArray("aggregations");
        result.values().forEach(value -> write(value, aggregations.addObject()));
        json.set("links", links.ofDocument(context).ofAggregate());
        return json;
    }

    private static void write(AggregationResult.Value value, ObjectNode json) {
        Aggregation of = value.of();
        json.put("name", of.id()).put("data_type", dataType(of));
        if (of == Aggregation.TOTAL_COUNT) {
            json.put("value", value.count());
        } else if (of.hasBuckets()) {
            json.put("overflow", 0);
            if (value.interval() != null) {
                json.put("interval", value.interval().id());
            }
            if (value.isSparse()) {
                json.put("empty_left_out", true);
            }
            ArrayNode buckets = json.putArray("buckets");
            value.buckets().forEach(bucket -> buckets.addObject().put("key", bucket.key())
                    .put("data_type", of.valueType()).put("frequency", bucket.count()));
        } else {
            json.put("value", value.time() == null ? null : value.time().toString());
        }
    }
}
