package io.datasetlisting.faces.stac;

import java.io.IOException;
import java.io.UncheckedIOException;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;

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
    private final ObjectMapper mapper;

    AggregationResource(ItemRequests requests, AggregationRepository repository, PageCache pages, Links links,
            ObjectMapper mapper) {
        this.requests = requests;
        this.repository = repository;
        this.pages = pages;
        this.links = links;
        this.mapper = mapper;
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
                    byte[] json = UnicodeEscapes.in(write(result, context));
                    if (context.request().method() == HttpMethod.POST) {
                        return Response.ok(json).type(MediaTypes.JSON).build();
                    }
                    return pages.respond(context, result.listing(), json, MediaTypes.JSON);
                });
    }

    private byte[] write(AggregationResult result, RoutingContext context) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = mapper.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("type", TYPE);
            json.writeArrayFieldStart("aggregations");
            for (AggregationResult.Value value : result.values()) {
                write(value, json);
            }
            json.writeEndArray();
            json.writeFieldName("links");
            json.writeTree(links.ofDocument(context).ofAggregate());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(AggregationResult.Value value, JsonGenerator json) throws IOException {
        Aggregation of = value.of();
        json.writeStartObject();
        json.writeStringField("name", of.id());
        json.writeStringField("data_type", dataType(of));
        if (of == Aggregation.TOTAL_COUNT) {
            json.writeNumberField("value", value.count());
        } else if (of.hasBuckets()) {
            json.writeNumberField("overflow", 0);
            if (value.interval() != null) {
                json.writeStringField("interval", value.interval().id());
            }
            if (value.isSparse()) {
                json.writeBooleanField("empty_left_out", true);
            }
            json.writeArrayFieldStart("buckets");
            for (AggregationResult.Bucket bucket : value.buckets()) {
                json.writeStartObject();
                json.writeStringField("key", bucket.key());
                json.writeStringField("data_type", of.valueType());
                json.writeNumberField("frequency", bucket.count());
                json.writeEndObject();
            }
            json.writeEndArray();
        } else {
            json.writeStringField("value", value.time() == null ? null : value.time().toString());
        }
        json.writeEndObject();
    }
}
