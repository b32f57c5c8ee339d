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

    /** The tile of the datasets that match. */
    public Uni<Response> tile(RoutingContext context, Expression filter, TileAddress address) {
        return repository.read(filter, Caller.of(context), address)
                .map(tile -> pages.respond(context, tile.listing(), tile.bytes(), MediaTypes.VECTOR_TILE));
    }
}
