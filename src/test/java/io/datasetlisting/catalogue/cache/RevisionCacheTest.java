package io.datasetlisting.catalogue.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;

class RevisionCacheTest {

    private final RevisionCache<Text> cache = new RevisionCache<>("texts", 10_000, new SimpleMeterRegistry());

    private record Text(Revision revision, int size) implements RevisionCache.Entry {
    }

    @Test
    void aDatasetIsReadOnceForEachRevision() {
        assertEquals(1, find(1, 1).size());
        assertEquals(1, cache.find(List.of(new Revision(7, 1, 1)), text -> true, ids -> {
            throw new AssertionError("read again");
        }, one -> null).await().indefinitely().size());
        assertEquals(1, find(2, 2).size());
    }

    /** It may be a draft now, without what the entry is made of. */
    @Test
    void nothingIsMadeOfADatasetThatHasChangedSinceItsRevisionWasRead() {
        assertNull(find(1, 2));
        assertEquals(0, cache.entries().size());
    }

    private List<Text> find(long asked, long stored) {
        return cache.find(List.of(new Revision(7, asked, asked)), text -> true,
                ids -> Uni.createFrom()
                        .item(List.of(new StoredDataset(new Revision(7, stored, stored), null, null))),
                one -> new Text(one.revision(), 10)).await().indefinitely();
    }
}
