package io.datasetlisting.catalogue.search;

import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Uni;

/** Tests that what callers see is computed once while the listing is the same, and that the cache has a bound. */
@QuarkusTest
class AudienceCacheTest {

    private static final int MAX = 10;

    @Inject
    Catalogue catalogue;
    @Inject
    ListingVersion version;

    private final List<String> reads = new ArrayList<>();
    private int size = 1;

    /** Values with the version and the size. */
    private record Values(long listing, int size) {
    }

    private final AudienceCache<Values> cache = new AudienceCache<>(this::current, this::read, Values::listing,
            Values::size, MAX);

    private Uni<Long> current(Caller caller) {
        return version.current(caller);
    }

    private Uni<Values> read(Caller caller) {
        reads.add(caller.audience());
        return version.current(caller).map(listing -> new Values(listing, size));
    }

    private static Caller caller(long account) {
        return new Caller(account, "caller " + account, 1L, Right.READER, 1L);
    }

    private void ask(long... accounts) throws Throwable {
        for (long account : accounts) {
            VertxContextSupport.subscribeAndAwait(() -> cache.of(caller(account)));
        }
    }

    @Test
    void valuesAreComputedOnceForEachCallerAndVersion() throws Throwable {
        catalogue.replaceWith(plain(3));
        ask(1, 1, 2, 1, 2);
        assertEquals(List.of("1", "2"), reads);
        catalogue.sql("update dataset set is_private = true where id = 3");
        ask(1, 1, 2);
        assertEquals(List.of("1", "2", "1", "2"), reads);
    }

    @Test
    void theCacheHasRoomForValuesUpToItsBound() throws Throwable {
        catalogue.replaceWith(plain(3));
        size = 4;
        ask(1, 2, 1, 2);
        assertEquals(List.of("1", "2"), reads);
        // There is no room for a third one beside them.
        ask(3, 3, 1, 1);
        assertEquals(List.of("1", "2", "3", "1"), reads);
        size = MAX + 1;
        ask(4, 4);
        assertEquals(List.of("1", "2", "3", "1", "4", "4"), reads);
        size = MAX;
        ask(5, 5);
        assertEquals(List.of("1", "2", "3", "1", "4", "4", "5"), reads);
    }
}
