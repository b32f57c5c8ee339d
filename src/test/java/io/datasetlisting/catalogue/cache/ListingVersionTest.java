package io.datasetlisting.catalogue.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

import io.datasetlisting.catalogue.rank.ReadVersions;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

class ListingVersionTest {

    private static final long MAX_AGE_MILLIS = 2000;

    private final ReadVersions reads = new ReadVersions();
    private final ListingVersion version = new ListingVersion(reads, config());

    private static CacheConfig config() {
        SmallRyeConfig config = new SmallRyeConfigBuilder().withMapping(CacheConfig.class)
                .withConverter(MemorySize.class, 100, new MemorySizeConverter())
                .withDefaultValue("dataset.cache.max-age", "PT" + MAX_AGE_MILLIS / 1000 + "S").build();
        return config.getConfigMapping(CacheConfig.class);
    }

    private void read(long value) {
        version.current().subscribe().asCompletionStage();
        reads.answer(value);
    }

    @Test
    void aVersionThatIsBeingReadIsNotKnown() {
        assertNull(version.known());
        version.current().subscribe().asCompletionStage();
        assertNull(version.known());
        reads.answer(7);
        assertEquals(7, version.known());
        assertEquals(1, reads.count());
    }

    @Test
    void oneReadRenewsTheVersionBeforeItIsTooOld() throws Exception {
        read(7);
        Thread.sleep(MAX_AGE_MILLIS / 2);
        assertEquals(7, version.known());
        assertEquals(7, version.known());
        assertEquals(2, reads.count());
        reads.answer(8);
        assertEquals(8, version.known());
        assertEquals(2, reads.count());
        Thread.sleep(MAX_AGE_MILLIS * 2 / 3);
        assertEquals(8, version.known());
    }

    @Test
    void aVersionIsTooOldAfterItsAgeEvenIfItCannotBeRenewed() throws Exception {
        read(7);
        Thread.sleep(MAX_AGE_MILLIS / 2);
        assertEquals(7, version.known());
        reads.fail();
        assertEquals(7, version.known());
        assertEquals(3, reads.count());
        Thread.sleep(MAX_AGE_MILLIS / 2);
        assertNull(version.known());
    }

    /** The read that renews the version may have begun before the write has committed. */
    @Test
    void aVersionThatWasBeingReadDuringAWriteIsNotKnown() throws Exception {
        read(7);
        Thread.sleep(MAX_AGE_MILLIS / 2);
        assertEquals(7, version.known());
        version.beginWrite();
        assertNull(version.known());
        version.endWrite();
        reads.answer(7);
        assertNull(version.known());
    }
}
