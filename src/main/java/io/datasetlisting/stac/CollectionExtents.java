package io.datasetlisting.stac;

import jakarta.inject.Singleton;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.ListingVersion;
import io.datasetlisting.search.ListingExtents;
import io.datasetlisting.search.SearchRepository;
import io.smallrye.mutiny.Uni;

/**
 * The extents of the datasets that a caller sees. The extents for anonymous callers are cached while the listing version is the
 * same.
 */
@Singleton
class CollectionExtents {

    private final SearchRepository repository;
    private final ListingVersion version;
    private volatile ListingExtents last;

    CollectionExtents(SearchRepository repository, ListingVersion version) {
        this.repository = repository;
        this.version = version;
    }

    Uni<ListingExtents> of(Caller caller) {
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
