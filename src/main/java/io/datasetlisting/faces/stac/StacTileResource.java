package io.datasetlisting.faces.stac;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.catalogue.tile.TileAddress;
import io.datasetlisting.catalogue.tile.TileResponses;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers vector tiles of the catalogue and of its collections, with the filters of searches. */
@Path(Endpoints.STAC)
@Produces(MediaTypes.VECTOR_TILE)
public class StacTileResource {

    private final ItemRequests requests;
    private final TileResponses tiles;

    StacTileResource(ItemRequests requests, TileResponses tiles) {
        this.requests = requests;
        this.tiles = tiles;
    }

    @GET
    @Path(Endpoints.STAC_TILE)
    public Uni<Response> tile(@PathParam("z") String zoom, @PathParam("y") String y, @PathParam("x") String x,
            @Context RoutingContext context) {
        TileAddress address = TileAddress.parse(zoom, x, y);
        return requests.filter(context).chain(filter -> tiles.tile(context, filter, address));
    }

    @GET
    @Path(Endpoints.COLLECTIONS + "/{collection}" + Endpoints.STAC_TILE)
    public Uni<Response> tileOfCollection(@PathParam("z") String zoom, @PathParam("y") String y,
            @PathParam("x") String x, @Context RoutingContext context) {
        return tile(zoom, y, x, context);
    }
}
