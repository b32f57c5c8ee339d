package io.datasetlisting.faces.collection;

import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.search.CollectionExtents;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.http.Endpoints;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Finds collections: that of a request, and those of a search. */
@Singleton
public class Collections {

    /** The name of a collection in sentences. */
    private static final String TYPE = "Collection";

    private final CollectionExtents extents;
    private final WorkspaceTextRepository texts;

    Collections(CollectionExtents extents, WorkspaceTextRepository texts) {
        this.extents = extents;
        this.texts = texts;
    }

    /**
     * The collection in the path of a request; null for an address of the whole catalogue. It fails with 404 if no workspace with
     * public datasets has the number in the path. For the owner of private datasets this is the same, because a list of
     * workspaces with private datasets alone would be another one for each caller.
     */
    public Uni<ItemCollection> of(RoutingContext context) {
        String path = ItemCollection.pathOf(context).substring(Endpoints.STAC.length());
        ItemCollection collection = ItemCollection.of(path);
        if (collection == null && path.startsWith(Endpoints.COLLECTIONS + '/')) {
            throw ApiException.noSuch(TYPE);
        }
        return collection == null || collection.workspace() == null
                ? Uni.createFrom().item(collection)
                : extent(collection, Caller.of(context)).chain(() -> texts.read(Caller.of(context)))
                        .map(all -> collection.with(all.getOrDefault(collection.workspace(), Text.NONE)));
    }

    /** The extent of the datasets of a collection that a caller sees. It fails with 404 without the collection. */
    public Uni<ListingExtent> extent(ItemCollection collection, Caller caller) {
        return collection.workspace() == null
                ? extents.of(caller).map(found -> ListedCollections.extent(collection, found))
                : extents.ofWorkspaces(caller).map(workspaces -> {
                    int place = workspaces.find(collection.workspace());
                    if (place < 0) {
                        throw ApiException.noSuch(TYPE);
                    }
                    return workspaces.extent(place);
                });
    }

    /**
     * Makes something of a page of the collections that match a search, on a worker: a catalogue may have many workspaces.
     */
    public <T> Uni<T> find(CollectionSearch search, Caller caller, Function<ListedCollections.Page, T> make) {
        // All in the same turn, so that one statement reads the listing version, and nothing waits for two round trips.
        return Uni.combine().all().unis(extents.of(caller), extents.ofWorkspaces(caller), texts.read(caller)).asTuple()
                .chain(all -> CallerContext.compute(() -> make.apply(
                        new ListedCollections(all.getItem1(), all.getItem2(), all.getItem3()).page(search))));
    }
}
