package io.datasetlisting.stac;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.CacheConfig;
import io.datasetlisting.cache.RevisionCache;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
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
     * A page of a search with its datasets.
     *
     * @param datasets
     *            have the object's key in place of the thumbnail's link
     */
    record PageOfDatasets(Page page, List<DatasetView> datasets) {
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

    /** The page of a search with its datasets, for a page for people. */
    Uni<PageOfDatasets> findDatasets(Search search, Caller caller, String base) {
        return Uni.createFrom().deferred(() -> searches.search(search, caller))
                .chain(result -> listing.find(result.revisions().stream().map(Revision::id).toList(), caller)
                        .map(stored -> inOrder(result.revisions(), stored))
                        .map(stored -> new PageOfDatasets(
                                new Page(result, stored.stream().map(dataset -> item(dataset, base)).toList()),
                                stored.stream().map(StoredDataset::dataset).toList())))
                .onFailure(e -> e == CHANGED).retry().atMost(RETRIES);
    }

    /** A dataset that has changed since its revision was read may not be visible any more. */
    private static List<StoredDataset> inOrder(List<Revision> revisions, List<StoredDataset> stored) {
        Map<Revision, StoredDataset> read = stored.stream()
                .collect(Collectors.toMap(StoredDataset::revision, Function.identity()));
        if (!read.keySet().containsAll(revisions)) {
            throw CHANGED;
        }
        return revisions.stream().map(read::get).toList();
    }

    private Item item(StoredDataset stored, String base) {
        return new Item(stored.revision(), base, json.write(stored, base));
    }

    private Uni<List<Item>> read(List<Revision> revisions, Caller caller, String base) {
        return cache.find(revisions, item -> item.base.equals(base), ids -> listing.find(ids, caller),
                stored -> item(stored, base))
                .onItem().ifNull().failWith(CHANGED);
    }
}
