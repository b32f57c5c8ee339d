package io.datasetlisting.catalogue.search;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.smallrye.mutiny.Uni;

/**
 * The extents of the datasets that a caller sees. The extents for anonymous callers are cached while the listing version is the
 * same.
 */
@Singleton
public class CollectionExtents {

    private final SearchRepository repository;
    private final ListingVersion version;
    private volatile ListingExtents last;

    CollectionExtents(SearchRepository repository, ListingVersion version) {
        this.repository = repository;
        this.version = version;
    }

    public Uni<ListingExtents> of(Caller caller) {
        if (!caller.isAnonymous()) {
            return repository.extents(caller);
        }
        ListingExtents known = last;
        return known == null
                ? read()
                : version.current().chain(current -> current == known.areas().listing()
                        ? Uni.createFrom().item(known)
                        : read());
    }

    private Uni<ListingExtents> read() {
        return repository.extents(Caller.ANONYMOUS).invoke(extents -> last = extents);
    }
}
