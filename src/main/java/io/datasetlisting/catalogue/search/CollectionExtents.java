package io.datasetlisting.catalogue.search;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.smallrye.mutiny.Uni;

/** The extents of the datasets that a caller sees. They are cached while the listing version is the same. */
@Singleton
public class CollectionExtents {

    /** Callers whose extents are cached: some 200 KB. */
    private static final int MAX_CALLERS = 1000;

    private final SearchRepository repository;
    private final ListingVersion version;
    /** By {@link Caller#audience}. */
    private final Map<String, ListingExtents> last = new ConcurrentHashMap<>();

    CollectionExtents(SearchRepository repository, ListingVersion version) {
        this.repository = repository;
        this.version = version;
    }

    public Uni<ListingExtents> of(Caller caller) {
        ListingExtents known = last.get(caller.audience());
        return known == null
                ? read(caller)
                : version.current(caller).chain(current -> current == known.areas().listing()
                        ? Uni.createFrom().item(known)
                        : read(caller));
    }

    private Uni<ListingExtents> read(Caller caller) {
        return repository.extents(caller).invoke(extents -> {
            if (last.size() >= MAX_CALLERS) {
                last.clear();
            }
            last.put(caller.audience(), extents);
        });
    }
}
