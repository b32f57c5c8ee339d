package io.datasetlisting.stac;

import java.util.List;
import java.util.function.Predicate;

import jakarta.inject.Singleton;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.CacheConfig;
import io.datasetlisting.cache.RevisionCache;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.listing.ListingRepository;
import io.datasetlisting.listing.Search;
import io.datasetlisting.listing.SearchRepository;
import io.datasetlisting.listing.SearchResult;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/** Finds items, most of them in a cache. */
@Singleton
class Items {

    /** A dataset may change between the two statements of a page. */
    private static final ApiException CHANGED = new ApiException(503, "The datasets of this page change too often.");
    private static final int RETRIES = 4;

    private final SearchRepository searches;
    private final ListingRepository listing;
    private final ItemJson json;
    private final RevisionCache<Item> cache;

    Items(SearchRepository searches, ListingRepository listing, ItemJson json, CacheConfig config,
            MeterRegistry meters) {
        this.searches = searches;
        this.listing = listing;
        this.json = json;
        cache = new RevisionCache<>("dataset.items", config.items().asLongValue(), meters);
    }

    /**
     * An item.
     *
     * @param base
     *            the public address, which is in its links
     */
    record Item(Revision revision, String base, byte[] json) implements RevisionCache.Entry {

        @Override
        public int size() {
            return json.length;
        }
    }

    /**
     * A page of a search.
     *
     * @param items
     *            null if the client knows the page
     */
    record Page(SearchResult result, List<Item> items) {
    }

    /**
     * The page of a search.
     *
     * @param base
     *            the public address, without a slash at its end
     * @param isKnown
     *            whether the client knows the page, so that its items are not read
     */
    Uni<Page> find(Search search, Caller caller, String base, Predicate<SearchResult> isKnown) {
        return Uni.createFrom().deferred(() -> searches.search(search, caller))
                .chain(result -> isKnown.test(result)
                        ? Uni.createFrom().item(new Page(result, null))
                        : read(result.revisions(), caller, base).map(items -> new Page(result, items)))
                .onFailure(e -> e == CHANGED).retry().atMost(RETRIES);
    }

    private Uni<List<Item>> read(List<Revision> revisions, Caller caller, String base) {
        return cache.find(revisions, item -> item.base.equals(base), ids -> listing.find(ids, caller),
                stored -> new Item(stored.revision(), base, json.write(stored, base)))
                .onItem().ifNull().failWith(CHANGED);
    }
}
