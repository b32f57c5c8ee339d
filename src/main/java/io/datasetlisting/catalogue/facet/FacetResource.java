package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.catalogue.index.Interval;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers how many datasets each choice of a filter would find, and how many were captured when. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.JSON)
public class FacetResource {

    private static final String MIDNIGHT = "T00:00:00Z";
    /** The last year whose moments a filter takes. */
    private static final int LAST_YEAR = 9999;

    private final FacetRepository repository;
    private final PageCache pages;
    private final DatasetFields fields;

    FacetResource(FacetRepository repository, PageCache pages, DatasetFields fields) {
        this.repository = repository;
        this.pages = pages;
        this.fields = fields;
    }

    @GET
    @Path(Endpoints.FACETS)
    public Uni<Response> readFacets(@Context RoutingContext context) {
        FacetQuery query = FacetQuery.parse(QueryString.parse(context.request().query()), fields, Caller.of(context));
        return repository.read(query, Caller.of(context))
                .map(facets -> pages.respond(context, facets.listing(), json(facets)));
    }

    @GET
    @Path(Endpoints.HISTOGRAM)
    public Uni<Response> readHistogram(@Context RoutingContext context) {
        HistogramQuery query = HistogramQuery.parse(QueryString.parse(context.request().query()), fields,
                Caller.of(context));
        return repository.read(query, Caller.of(context))
                .map(histogram -> pages.respond(context, histogram.listing(), json(histogram)));
    }

    private static JsonNode json(Facets facets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("count", facets.count());
        ObjectNode all = json.putObject("facets");
        facets.choices().forEach((facet, choices) -> {
            ArrayNode array = all.putArray(facet.title());
            choices.forEach(choice -> {
                ObjectNode each = array.addObject().put("value", choice.value());
                (choice.id() == null ? each : each.put("id", choice.id())).put("count", choice.count());
            });
        });
        return json;
    }

    private static JsonNode json(Histogram histogram) {
        Interval.Counts counted = histogram.buckets();
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("count", histogram.count())
                .put("interval", counted.interval().id());
        if (counted.isSparse()) {
            json.put("empty_left_out", true);
        }
        ArrayNode buckets = json.putArray("buckets");
        counted.counts().forEach((from, count) -> {
            LocalDate until = counted.interval().next(from);
            buckets.addObject().put("from", from + MIDNIGHT)
                    .put("until", until.getYear() > LAST_YEAR ? null : until + MIDNIGHT).put("count", count);
        });
        return json;
    }
}
