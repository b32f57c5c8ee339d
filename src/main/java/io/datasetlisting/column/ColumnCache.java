package io.datasetlisting.column;

import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.cache.CacheConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;

/**
 * Caches columns of parts. An entry never becomes wrong, because its key names the fold that has written the part; the entries of
 * earlier folds leave the cache because nobody asks for them.
 */
@Singleton
class ColumnCache {

    private static final int OVERHEAD = 150;

    private final Cache<Key, Object> entries;
    private final long limit;

    ColumnCache(CacheConfig config, MeterRegistry meters) {
        limit = config.columns().asLongValue();
        entries = Caffeine.newBuilder().maximumWeight(limit).<Key, Object>weigher((key, values) -> weight(values))
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, entries, "dataset.columns");
    }

    /**
     * Names the values of a part.
     *
     * @param firstId
     *            of the part
     * @param folded
     *            the fold that has written the part
     * @param values
     *            a {@link Column}, or a condition whose datasets are found by PostgreSQL
     */
    record Key(long firstId, long folded, Object values) {
    }

    /** Whether this many bytes fit. */
    boolean fits(long bytes) {
        return bytes <= limit;
    }

    Object get(Key key) {
        return entries.getIfPresent(key);
    }

    void put(Key key, Object values) {
        entries.put(key, values);
    }

    private static int weight(Object values) {
        if (values instanceof Integers integers) {
            return OVERHEAD + integers.bytes();
        } else if (values instanceof Bitmaps bitmaps) {
            return OVERHEAD + bitmaps.bytes();
        } else if (values instanceof double[] numbers) {
            return OVERHEAD + numbers.length * Double.BYTES;
        }
        return OVERHEAD + ((long[]) values).length * Long.BYTES;
    }
}
