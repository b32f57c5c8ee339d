package io.datasetlisting.catalogue.search;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.smallrye.mutiny.Uni;

/** The extents of the datasets that a caller sees. They are cached while the listing version is the same. */
@Singleton
public class CollectionExtents {

    /** Callers whose extents are cached: some 200 KB. */
    private static final int MAX_CALLERS = 1000;
    /** What a caller without workspaces takes, as a number of workspaces. */
    private static final int WEIGHT_OF_CALLER = WorkspaceCounter.MAX / MAX_CALLERS;

    private final AudienceCache<ListingExtents> extents;
    private final AudienceCache<Workspaces> workspaces;

    CollectionExtents(SearchRepository repository, ListingVersion version) {
        extents = new AudienceCache<>(version::current, repository::extents, all -> all.areas().listing(), all -> 1,
                MAX_CALLERS);
        // At most 6 MB for all callers. A catalogue of 2,000 workspaces takes 120 KB for each caller that asks.
        workspaces = new AudienceCache<>(version::current, repository::workspaces, Workspaces::listing,
                all -> WEIGHT_OF_CALLER + all.size(), WEIGHT_OF_CALLER + WorkspaceCounter.MAX);
    }

    public Uni<ListingExtents> of(Caller caller) {
        return extents.of(caller);
    }

    /** The extents of the workspaces that have public datasets. */
    public Uni<Workspaces> ofWorkspaces(Caller caller) {
        return workspaces.of(caller);
    }
}
