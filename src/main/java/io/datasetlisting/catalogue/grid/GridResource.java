package io.datasetlisting.catalogue.grid;

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

    GridResource(GridRepository repository, PageCache pages, DatasetFields fields) {
        this.fields = fields;
        this.repository = repository;
        this.pages = pages;
    }

    @GET
    public Uni<Response> read(@Context RoutingContext context) {
        Expression filter = Filter.parse(LastDay.toMoment(QueryString.parse(context.request().query())), fields,
                Caller.of(context));
        return repository.read(filter, Caller.of(context))
                .map(grid -> pages.respond(context, grid.listing(), json(grid)));
    }

    private static JsonNode json(Grid grid) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("count", grid.count());
        if (grid.bounds() != null) {
            putBox(json, grid.bounds());
        }
        ArrayNode cells = json.putArray("cells");
        grid.cells().forEach(cell -> putBox(cells.addObject().put("longitude", cell.longitude())
                .put("latitude", cell.latitude()).put("count", cell.count()), cell.box()));
        return json;
    }

    private static void putBox(ObjectNode json, Expression.Box box) {
        json.putArray("bbox").add(box.west()).add(box.south()).add(box.east()).add(box.north());
    }
}
