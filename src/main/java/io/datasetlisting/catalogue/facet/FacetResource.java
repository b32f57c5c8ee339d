package io.datasetlisting.catalogue.facet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.catalogue.facet.Facets.Choice;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
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
    private final JsonFactory factory;

    FacetResource(FacetRepository repository, PageCache pages, DatasetFields fields, ObjectMapper mapper) {
        this.repository = repository;
        this.pages = pages;
        this.fields = fields;
        factory = mapper.getFactory();
    }

    @GET
    @Path(Endpoints.FACETS)
    public Uni<Response> readFacets(@Context RoutingContext context) {
        FacetQuery query = FacetQuery.parse(QueryString.parse(context.request().query()), fields, Caller.of(context));
        return repository.read(query, Caller.of(context))
                .map(facets -> respond(context, facets.listing(), json -> write(facets, json)));
    }

    @GET
    @Path(Endpoints.HISTOGRAM)
    public Uni<Response> readHistogram(@Context RoutingContext context) {
        HistogramQuery query = HistogramQuery.parse(QueryString.parse(context.request().query()), fields,
                Caller.of(context));
        return repository.read(query, Caller.of(context))
                .map(histogram -> respond(context, histogram.listing(), json -> write(histogram, json)));
    }

    /** Writes the members of an object. */
    @FunctionalInterface
    private interface Writer {

        void write(JsonGenerator json) throws IOException;
    }

    private Response respond(RoutingContext context, long listing, Writer writer) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = factory.createGenerator(bytes)) {
            json.writeStartObject();
            writer.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] body = bytes.toByteArray();
        EntityTag tag = EntityTag.ofContent(body);
        pages.put(context, new PageCache.Answer(listing, "", tag, null, MediaTypes.JSON, body));
        return tag.respond(context, body, MediaTypes.JSON).build();
    }

    private static void write(Facets facets, JsonGenerator json) throws IOException {
        json.writeNumberField("count", facets.count());
        json.writeObjectFieldStart("facets");
        for (Map.Entry<Facet, List<Choice>> facet : facets.choices().entrySet()) {
            json.writeArrayFieldStart(facet.getKey().title());
            for (Choice choice : facet.getValue()) {
                json.writeStartObject();
                json.writeStringField("value", choice.value());
                if (choice.id() != null) {
                    json.writeNumberField("id", choice.id());
                }
                json.writeNumberField("count", choice.count());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void write(Histogram histogram, JsonGenerator json) throws IOException {
        json.writeNumberField("count", histogram.count());
        json.writeStringField("interval", histogram.interval().id());
        if (histogram.isSparse()) {
            json.writeBooleanField("empty_left_out", true);
        }
        json.writeArrayFieldStart("buckets");
        for (Histogram.Bucket bucket : histogram.buckets()) {
            json.writeStartObject();
            json.writeStringField("from", bucket.from() + MIDNIGHT);
            json.writeStringField("until", bucket.until().getYear() > LAST_YEAR ? null : bucket.until() + MIDNIGHT);
            json.writeNumberField("count", bucket.count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
