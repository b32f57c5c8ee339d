package io.datasetlisting.catalogue.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import io.datasetlisting.catalogue.cache.CacheConfig;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Parts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests the limit of the memory for columns. */
class ColumnCacheTest {

    @Test
    void theCacheTellsItsBytesAndHowManyRequestsItRefuses() {
        SmallRyeConfig config = new SmallRyeConfigBuilder().withMapping(CacheConfig.class)
                .withConverter(MemorySize.class, 100, new MemorySizeConverter())
                .withDefaultValue("dataset.cache.columns", "1M").build();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ColumnCache cache = new ColumnCache(config.getConfigMapping(CacheConfig.class), meters);
        assertTrue(cache.fits(1 << 20));
        assertFalse(cache.fits((1 << 20) + 1));
        assertEquals(1, meters.get("dataset.columns.refused").counter().count());
        assertEquals(1 << 20, meters.get("dataset.columns.limit.bytes").gauge().value());
        cache.need(5_000_000);
        assertEquals(5_000_000, meters.get("dataset.columns.needed.bytes").gauge().value());
        assertEquals(0, meters.get("dataset.columns.bytes").gauge().value());
        cache.put(Column.WESTS, new Parts(1, new long[1], new long[1]), new Object[]{new double[1_000]});
        assertEquals(8_000, meters.get("dataset.columns.bytes").gauge().value(), 100);
    }
}
