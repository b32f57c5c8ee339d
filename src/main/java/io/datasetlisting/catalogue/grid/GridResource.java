package io.datasetlisting.catalogue.grid;

import java.io.IOException;
import java.io.UncheckedIOException;

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
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers how many datasets lie where, for a map that shows more datasets than it can draw. */
@Path(Endpoints.PAGES + Endpoints.GRID)
@Produces(MediaTypes.JSON)
public class GridResource {

    private final GridRepository repository;
    private final PageCache pages;
    private final DatasetFields fields;
    private final JsonFactory factory;

    GridResource(GridRepository repository, PageCache pages, DatasetFields fields, ObjectMapper mapper) {
        this.fields = fields;
        this.repository = repository;
        this.pages = pages;
        factory = mapper.getFactory();
    }

    @GET
    public Uni<Response> read(@Context RoutingContext context) {
        Expression filter = Filter.parse(LastDay.toMoment(QueryString.parse(context.request().query())), fields,
                Caller.of(context));
        return repository.read(filter, Caller.of(context))
                .map(grid -> pages.respond(context, grid.listing(), write(grid), MediaTypes.JSON));
    }

    private byte[] write(Grid grid) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = factory.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("count", grid.count());
            if (grid.bounds() != null) {
                writeBox(json, grid.bounds());
            }
            json.writeArrayFieldStart("cells");
            for (Grid.Cell cell : grid.cells()) {
                json.writeStartObject();
                json.writeNumberField("longitude", cell.longitude());
                json.writeNumberField("latitude", cell.latitude());
                json.writeNumberField("count", cell.count());
                writeBox(json, cell.box());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void writeBox(JsonGenerator json, Expression.Box box) throws IOException {
        json.writeFieldName("bbox");
        json.writeArray(new double[]{box.west(), box.south(), box.east(), box.north()}, 0, 4);
    }
}
