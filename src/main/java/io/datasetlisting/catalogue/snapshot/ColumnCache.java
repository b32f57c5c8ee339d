package io.datasetlisting.catalogue.snapshot;

import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.base.HeapShare;
import io.datasetlisting.catalogue.cache.CacheConfig;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.column.Sized;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.Startup;

/** Caches columns. After a fold, the values of the parts that it has not written are taken over. */
@Startup
@Singleton
public class ColumnCache {

    private static final Logger LOG = Logger.getLogger(ColumnCache.class);
    private static final long MEBIBYTE = 1 << 20;
    /** Bytes of an entry and of a part besides its values. */
    private static final int OVERHEAD = 40;

    private final Cache<Object, Entry> entries;
    private final long limit;
    private final AtomicBoolean isWarned = new AtomicBoolean();
    private volatile long needed;
    private final Counter refused;
    private final Counter readParts;

    ColumnCache(CacheConfig config, MeterRegistry meters) {
        limit = HeapShare.COLUMNS.bytes(config.columns());
        entries = Caffeine.newBuilder().maximumWeight(limit).<Object, Entry>weigher(Entry::weight)
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, entries, "dataset.columns");
        meters.gauge("dataset.columns.bytes", this, ColumnCache::size);
        meters.gauge("dataset.columns.needed.bytes", this, cache -> cache.needed);
        meters.gauge("dataset.columns.limit.bytes", this, cache -> cache.limit);
        refused = Counter.builder("dataset.columns.refused")
                .description("Requests that were answered without columns, which need too much memory")
                .register(meters);
        readParts = Counter.builder("dataset.columns.parts.read")
                .description("Parts of columns that were not in memory").register(meters);
    }

    /** The values of parts, which must not be changed. */
    public record Entry(Parts parts, Object[] values) {

        /** The values of other parts, null where they are not known. The array must not be changed. */
        public Object[] values(Parts others) {
            return parts == others ? values : others.take(parts, part -> values[part]);
        }

        private static int weight(Object key, Entry entry) {
            long bytes = OVERHEAD + ColumnCache.bytes(key) + entry.parts.bytes();
            for (Object each : entry.values) {
                bytes += OVERHEAD + ColumnCache.bytes(each);
            }
            return (int) Math.min(bytes, Integer.MAX_VALUE);
        }
    }

    private long size() {
        return entries.policy().eviction().orElseThrow().weightedSize().orElseThrow();
    }

    /** Whether the columns of a request, of this many bytes, fit. */
    boolean fits(long bytes) {
        if (bytes > limit) {
            refused.increment();
            if (!isWarned.getAndSet(true)) {
                LOG.warnf(
                        "The columns of the listing need %s, but dataset.cache.columns allows %s: filters, facets, counts, "
                                + "aggregations and tiles are exact, but take seconds. Set dataset.cache.columns to at least %s",
                        HeapShare.mebibytes(needed), HeapShare.mebibytes(limit),
                        HeapShare.mebibytes(needed + MEBIBYTE));
            }
        }
        return bytes <= limit;
    }

    /** Bytes that a chunk may take. */
    long limit() {
        return limit;
    }

    /** Tells how much memory all columns need. */
    void need(long bytes) {
        needed = bytes;
    }

    /** Counts parts that are read, because they are new or were discarded. */
    void countRead(int parts) {
        readParts.increment(parts);
    }

    /**
     * The values of parts, null where they are not known. The array must not be changed.
     *
     * @param key
     *            a {@link Column}, a geometry, boxes, ranges of columns, or an order
     */
    Object[] get(Object key, Parts parts) {
        Entry entry = entry(key);
        return entry == null ? new Object[parts.size()] : entry.values(parts);
    }

    /** The values of the parts for which they were put last; null if there are none. */
    public Entry entry(Object key) {
        return entries.getIfPresent(key);
    }

    /**
     * Those of a chunk are not kept.
     *
     * @param values
     *            known for each part; not changed afterwards
     */
    public void put(Object key, Parts parts, Object[] values) {
        if (parts.areAll()) {
            entries.put(key, new Entry(parts, values));
        }
    }

    static long bytes(Object values) {
        if (values instanceof double[] numbers) {
            return (long) numbers.length * Double.BYTES;
        } else if (values instanceof long[] bits) {
            return (long) bits.length * Long.BYTES;
        }
        return values instanceof Sized sized ? sized.bytes() : 0;
    }
}
