package io.datasetlisting.dataset;

import java.util.Map;

import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.account.Caller;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.Ordering;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What has no rank, as ids in the order that was asked for: whoever reads it page by page has it sought once, as long as
 * nothing is written. The statement that reads a page of these ids says whether they still are the right ones.
 */
// Caffeine finds what it is made of by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSSMW",
        "com.github.benmanes.caffeine.cache.PSMW"})
@Singleton
class FilterMatches {

    /** Of more than these, each page is sought by itself. */
    static final int MOST = 100_000;

    /** Of an entry, beside its ids and texts: the objects that hold these, and the cache's own bookkeeping. */
    private static final int OVERHEAD = 800;
    /** Nobody reads a filter page by page whose query is longer. */
    private static final int MAX_QUERY_LENGTH = 4096;

    private final Cache<Key, Matches> matches;

    FilterMatches(CacheConfig config, MeterRegistry meters) {
        matches = Caffeine.newBuilder().maximumWeight(config.matches().asLongValue())
                .<Key, Matches>weigher(FilterMatches::weight)
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, matches, "dataset.matches");
    }

    /** All that says which datasets these are, and in which order. */
    record Key(DatasetFilter filter, Ordering ordering, boolean admin, Long accountId) {

        static Key of(DatasetQuery query, Caller caller) {
            return new Key(query.filter(), query.request().ordering(), caller.isAdmin(), caller.accountId());
        }
    }

    /**
     * @param listing
     *            version of the listing that they are of
     * @param wanted
     *            whether more than one page was read while the listing had this version: so they are to be sought
     * @param ids
     *            none if they have not been sought
     */
    record Matches(long listing, boolean wanted, long[] ids) {

        boolean areKnown() {
            return ids.length > 0;
        }

        /** Those of a page, fewer or none at the end. */
        Long[] page(ListRequest request) {
            long size = request.pageSize();
            long first = request.page() == ListRequest.LAST_PAGE
                    ? (ids.length - 1) / size * size
                    : (request.page() - 1) * size;
            Long[] page = new Long[(int) Math.max(0, Math.min(size, ids.length - first))];
            for (int i = 0; i < page.length; i++) {
                page[i] = ids[(int) first + i];
            }
            return page;
        }
    }

    private static int weight(Key key, Matches found) {
        DatasetFilter filter = key.filter;
        return OVERHEAD + found.ids.length * Long.BYTES + HeapSize.ofNumbers(filter.workspaces())
                + HeapSize.of(filter.users()) + HeapSize.of(filter.categories()) + HeapSize.of(filter.rasters())
                + HeapSize.of(filter.search()) + HeapSize.of(filter.bands()) + HeapSize.of(filter.stats())
                + HeapSize.of(key.ordering.keys().stream().map(Ordering.Key::field).toList());
    }

    private void put(DatasetQuery query, Key key, Matches found) {
        if (query.request().query().length() <= MAX_QUERY_LENGTH) {
            matches.put(key, found);
        }
    }

    /** What is kept at the moment. */
    Map<Key, Matches> kept() {
        matches.cleanUp();
        return matches.asMap();
    }

    /** What is known, null if it is nothing. */
    Matches of(DatasetQuery query, Caller caller) {
        return matches.getIfPresent(Key.of(query, caller));
    }

    /** After a page that was sought by itself. */
    void note(DatasetQuery query, Caller caller, Slice slice) {
        Key key = Key.of(query, caller);
        // Which has been counted as asked for already.
        Matches last = matches.policy().getIfPresentQuietly(key);
        boolean wanted = last != null && last.listing == slice.listing() && slice.count() > 0 && slice.count() <= MOST;
        put(query, key, new Matches(slice.listing(), wanted, new long[0]));
    }

    /** Once they have been sought; those beyond {@link #MOST} are no longer worth it. */
    Matches keep(DatasetQuery query, Caller caller, long listing, Long[] ids) {
        long[] kept = new long[ids.length > MOST ? 0 : ids.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = ids[i];
        }
        Matches found = new Matches(listing, false, kept);
        put(query, Key.of(query, caller), found);
        return found;
    }
}
