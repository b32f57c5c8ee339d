package io.datasetlisting.catalogue.tile;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.MediaTypes;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Makes the responses with vector tiles. */
@Singleton
public class TileResponses {

    private final TileRepository repository;
    private final PageCache pages;

    TileResponses(TileRepository repository, PageCache pages) {
        this.repository = repository;
        this.pages = pages;
    }

    /** Checks the address of a tile before its datasets are sought. Fails with 404 if there is no such tile. */
    public void check(String zoom, String x, String y) {
        TileAddress.parse(zoom, x, y);
    }

    /** The tile of the datasets that match. */
    public Uni<Response> tile(RoutingContext context, Expression filter, String zoom, String x, String y) {
        return repository.read(filter, Caller.of(context), TileAddress.parse(zoom, x, y))
                .map(tile -> pages.respond(context, tile.listing(), tile.bytes(), MediaTypes.VECTOR_TILE));
    }
}
