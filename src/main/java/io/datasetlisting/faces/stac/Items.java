package io.datasetlisting.faces.stac;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.catalogue.cache.CacheConfig;
import io.datasetlisting.catalogue.cache.RevisionCache;
import io.datasetlisting.catalogue.listing.StoredDatasetRepository;
import io.datasetlisting.catalogue.search.Search;
import io.datasetlisting.catalogue.search.SearchRepository;
import io.datasetlisting.catalogue.search.SearchResult;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/** Finds the items of searches, as JSON that is mostly cached, or as datasets. */
@Singleton
public class Items {

    private static final ApiException CHANGED = new ApiException(503, "The datasets of this page change too often.");
    /**
     * Clients may remove datasets between the two statements of a page. A retry for JSON reads only what no earlier one has
     * read.
     */
    private static final int RETRIES = 16;

    private final SearchRepository searches;
    private final StoredDatasetRepository datasets;
    private final ItemJson json;
    private final RevisionCache<Item> cache;

    Items(SearchRepository searches, StoredDatasetRepository datasets, ItemJson json, CacheConfig config,
            MeterRegistry meters) {
        this.searches = searches;
        this.datasets = datasets;
        this.json = json;
        cache = new RevisionCache<>("dataset.items", HeapShare.ITEMS.bytes(config.items()), meters);
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
    public record Page<T>(SearchResult result, List<T> items) {
    }

    /**
     * The page of a search as JSON.
     *
     * @param base
     *            the public address, without a slash at its end
     * @param isKnown
     *            whether the client knows the page, so that its items are not read
     */
    Uni<Page<Item>> find(Search search, Caller caller, String base, Predicate<SearchResult> isKnown) {
        return find(search, caller, isKnown, revisions -> cache.find(revisions, item -> item.base.equals(base),
                ids -> datasets.findWhole(ids, caller), stored -> item(stored, base)).onItem().ifNull()
                .failWith(CHANGED));
    }

    /**
     * The page of a search as datasets.
     *
     * @param isKnown
     *            whether the client knows the page, so that its datasets are not read
     */
    public Uni<Page<StoredDataset>> findDatasets(Search search, Caller caller, Predicate<SearchResult> isKnown) {
        return find(search, caller, isKnown,
                revisions -> datasets.findWhole(revisions.stream().map(Revision::id).toList(), caller)
                        .map(stored -> inOrder(revisions, stored)));
    }

    private <T> Uni<Page<T>> find(Search search, Caller caller, Predicate<SearchResult> isKnown,
            Function<List<Revision>, Uni<List<T>>> read) {
        return Uni.createFrom().deferred(() -> searches.search(search, caller))
                .chain(result -> isKnown.test(result)
                        ? Uni.createFrom().item(new Page<T>(result, null))
                        : read.apply(result.revisions()).map(items -> new Page<>(result, items)))
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
}
