package io.datasetlisting.catalogue.search;

import java.util.function.Function;
import java.util.function.ToLongFunction;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.catalogue.snapshot.ColumnCache;
import io.smallrye.mutiny.Uni;

/** The extents of the datasets that a caller sees. They are cached while the listing version is the same. */
@Singleton
public class CollectionExtents {

    private final SearchRepository repository;
    private final ListingVersion version;
    private final ColumnCache cache;

    CollectionExtents(SearchRepository repository, ListingVersion version, ColumnCache cache) {
        this.repository = repository;
        this.version = version;
        this.cache = cache;
    }

    /** The key of the cache. */
    private record OfCaller(Class<?> type, String audience) {
    }

    public Uni<ListingExtents> of(Caller caller) {
        return current(ListingExtents.class, caller, ListingExtents::listing, repository::extents);
    }

    /** The extents of the workspaces that have public datasets. */
    public Uni<Workspaces> ofWorkspaces(Caller caller) {
        return current(Workspaces.class, caller, Workspaces::listing, repository::workspaces);
    }

    private <T extends Sized> Uni<T> current(Class<T> type, Caller caller, ToLongFunction<T> listing,
            Function<Caller, Uni<T>> repositoryRead) {
        OfCaller key = new OfCaller(type, caller.audience());
        Uni<T> read = Uni.createFrom().deferred(() -> repositoryRead.apply(caller))
                .invoke(extents -> cache.put(key, Parts.NONE, new Object[]{extents}));
        ColumnCache.Entry entry = cache.entry(key);
        if (entry == null) {
            return read;
        }
        T known = type.cast(entry.values()[0]);
        return version.current(caller).chain(current -> current == listing.applyAsLong(known)
                ? Uni.createFrom().item(known)
                : read);
    }
}
