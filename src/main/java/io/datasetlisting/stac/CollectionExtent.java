package io.datasetlisting.stac;

import jakarta.inject.Singleton;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.ListingVersion;
import io.datasetlisting.listing.ListingExtent;
import io.datasetlisting.listing.SearchRepository;
import io.smallrye.mutiny.Uni;

/** The extent of what a caller sees. The extent for anonymous callers is kept while the listing version is the same. */
@Singleton
class CollectionExtent {

    private final SearchRepository repository;
    private final ListingVersion version;
    private volatile ListingExtent last;

    CollectionExtent(SearchRepository repository, ListingVersion version) {
        this.repository = repository;
        this.version = version;
    }

    Uni<ListingExtent> of(Caller caller) {
        if (!caller.isAnonymous()) {
            return repository.extent(caller);
        }
        ListingExtent known = last;
        return known == null
                ? read()
                : version.current().chain(current -> current == known.listing()
                        ? Uni.createFrom().item(known)
                        : read());
    }

    private Uni<ListingExtent> read() {
        return repository.extent(Caller.ANONYMOUS).invoke(extent -> last = extent);
    }
}
