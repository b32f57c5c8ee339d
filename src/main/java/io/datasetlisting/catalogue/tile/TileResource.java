package io.datasetlisting.catalogue.tile;

import java.nio.charset.StandardCharsets;
import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers vector tiles of the listing, with its filters, and TileJSON.
 *
 * @see <a href="https://github.com/mapbox/tilejson-spec/tree/master/3.0.0">TileJSON 3.0.0</a>
 */
@Path(Endpoints.TILES)
public class TileResource {

    private final TileResponses tiles;
    private final DatasetFields fields;
    private final PublicUrl publicUrl;

    TileResource(TileResponses tiles, DatasetFields fields, PublicUrl publicUrl) {
        this.tiles = tiles;
        this.fields = fields;
        this.publicUrl = publicUrl;
    }

    @GET
    @Path(Endpoints.TILE)
    @Produces(MediaTypes.VECTOR_TILE)
    public Uni<Response> tile(@PathParam("z") String zoom, @PathParam("x") String x, @PathParam("y") String y,
            @Context RoutingContext context) {
        TileAddress address = TileAddress.parse(zoom, x, y);
        return tiles.tile(context, filter(query(context), context), address);
    }

    @GET
    @Path(Endpoints.TILE_JSON)
    @Produces(MediaTypes.JSON)
    public Uni<Response> tileJson(@Context RoutingContext context) {
        QueryString query = query(context);
        // A mistake in a filter shows before the first tile.
        filter(query, context);
        byte[] json = tileJson(query.appendTo(publicUrl.of(Endpoints.TILES + Endpoints.TILE, context.request())));
        return Uni.createFrom().item(EntityTag.ofContent(json).respond(context, json, MediaTypes.JSON).build());
    }

    private static QueryString query(RoutingContext context) {
        return QueryString.parse(context.request().query());
    }

    private Expression filter(QueryString query, RoutingContext context) {
        return Filter.parse(LastDay.toMoment(query), fields, Caller.of(context));
    }

    private static byte[] tileJson(String url) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("tilejson", "3.0.0").put("name", "Datasets")
                .put("description", "Datasets of drone and aerial imagery.").put("scheme", "xyz");
        json.putArray("tiles").add(url);
        json.put("minzoom", 0).put("maxzoom", TileAddress.MAX_ZOOM);
        ArrayNode bounds = json.putArray("bounds");
        List.of(-180.0, -TileAddress.MAX_LATITUDE, 180.0, TileAddress.MAX_LATITUDE).forEach(bounds::add);
        ArrayNode layers = json.putArray("vector_layers");
        // Loaders read the values of fields as names of types.
        addLayer(layers, DensityLayer.NAME, "Cells with the number of datasets whose centre is in them: count.")
                .put(DensityLayer.COUNT, "Number");
        addLayer(layers, DatasetLayer.NAME, "Footprints, in tiles with at most " + DatasetLayer.MAX_DATASETS
                + ". The time is that of the capture, ISO 8601 in UTC.")
                .put(DatasetLayer.ID, "Number").put(DatasetLayer.TITLE, "String")
                .put(DatasetLayer.TIME, "String");
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode addLayer(ArrayNode layers, String id, String description) {
        return layers.addObject().put("id", id).put("description", description).put("minzoom", 0)
                .put("maxzoom", TileAddress.MAX_ZOOM).putObject("fields");
    }
}
