package io.datasetlisting.base;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;

/**
 * All caches, pools and budgets of the heap. The service itself takes {@link #SERVICE}; each default is a share of the rest. A
 * size in the configuration is fixed. What is left is for the requests that run.
 */
public enum HeapShare {

    /** A request whose columns need more is answered without columns. */
    COLUMNS("dataset.cache.columns", 35, "columns of the listing, orders, matches of filters"),
    /** Also at most half of the direct memory. */
    CLIENTS("dataset.http.client-memory", 20,
            "unread responses, bodies that are not parsed, large pages that are made"),
    /** With the compressed pages. */
    PAGES("dataset.cache.pages", 4, "whole pages"),
    /** By revision, as the items and the cards. */
    DATASETS("dataset.cache.datasets", 4, "datasets as JSON"),
    /** As the items of a page of STAC. */
    ITEMS("dataset.cache.items", 4, "items of `/stac`"),
    /** As the cards of the list. */
    CARDS("dataset.cache.cards", 4, "datasets of the list for people as HTML"),
    /** Above it the slowest clients are closed. */
    EVENTS("dataset.changes.max-unread", 4, "unread events of streams"),
    /** At least 4 MB. */
    ORIGIN(null, 3, "a page of the feed of a mirror's origin");

    /** Bytes that the classes, the routes, the pools, and the tables of tokens and clients take. */
    public static final long SERVICE = 32 << 20;
    /** Percent of the rest that no configuration may take from the requests that run. */
    public static final int MIN_REQUESTS = 20;
    /** Of the columns, with orders and matches of filters. The columns alone have 66, 8 of which few requests need. */
    public static final int BYTES_OF_A_DATASET = 70;
    /** A smaller rest has no room for one large page. */
    private static final long MIN_REST = 16 << 20;

    private final String key;
    private final int percent;
    private final String what;

    HeapShare(String key, int percent, String what) {
        this.key = key;
        this.percent = percent;
        this.what = what;
    }

    /** The key of the configuration; null if there is none. */
    public String key() {
        return key;
    }

    /** Percent of the heap without the service itself, by default. */
    public int percent() {
        return percent;
    }

    public String what() {
        return what;
    }

    /** Bytes by default. */
    public long bytes() {
        return bytes(Optional.empty());
    }

    public long bytes(Optional<MemorySize> configured) {
        return bytes(configured, Runtime.getRuntime().maxMemory());
    }

    /** Not a constant of the class: a native executable would have the heap of its build. */
    public long bytes(Optional<MemorySize> configured, long heap) {
        return configured.map(MemorySize::asLongValue).orElse(Math.max(0, heap - SERVICE) / 100 * percent);
    }

    /**
     * Checks that the heap can hold everything at the same time.
     *
     * @param sizes
     *            what the configuration says of each
     * @return the table of all shares
     */
    public static String check(Function<HeapShare, Optional<MemorySize>> sizes, long heap) {
        long rest = heap - SERVICE;
        if (rest < MIN_REST) {
            throw new ConfigurationException("The heap has " + mebibytes(heap) + ", but the service needs at least "
                    + mebibytes(SERVICE + MIN_REST) + ": set -Xmx or the memory of the container");
        }
        Map<HeapShare, Long> all = Arrays.stream(values())
                .collect(Collectors.toMap(each -> each, each -> each.bytes(sizes.apply(each), heap)));
        long taken = SERVICE + all.values().stream().mapToLong(Long::longValue).sum();
        long excess = taken + rest / 100 * MIN_REQUESTS - heap;
        if (excess > 0) {
            HeapShare largest = Arrays.stream(values()).filter(each -> sizes.apply(each).isPresent())
                    .max(Comparator.comparing(all::get)).orElseThrow();
            throw new ConfigurationException("The caches, budgets and requests need " + mebibytes(heap + excess)
                    + " of a heap of " + mebibytes(heap) + ": " + largest.key + " (" + mebibytes(all.get(largest))
                    + ") can have at most " + mebibytes(Math.max(0, all.get(largest) - excess))
                    + ", or the heap must be larger");
        }
        StringBuilder table = new StringBuilder("The heap has ").append(mebibytes(heap))
                .append(", of which the service takes ")
                .append(mebibytes(SERVICE));
        all.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .forEach(each -> table.append(String.format("%n%9s  %s%s",
                        mebibytes(each.getValue()), each.getKey().what,
                        each.getKey().key == null ? "" : ": " + each.getKey().key)));
        return table.append(String.format("%n%9s  requests that run", mebibytes(heap - taken))).toString();
    }

    public static String mebibytes(long bytes) {
        return (bytes >> 20) + " MB";
    }
}
