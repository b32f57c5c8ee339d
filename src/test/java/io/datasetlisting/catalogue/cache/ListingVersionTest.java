package io.datasetlisting.catalogue.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/** The test sets the time, and answers each read of the version when it wants to. */
class ListingVersionTest {

    private static final Duration MAX_AGE = Duration.ofSeconds(2);

    private final List<UniEmitter<? super Long>> reads = new ArrayList<>();
    private long now;
    private final ListingVersion version = new ListingVersion(caller -> Uni.createFrom().emitter(reads::add), MAX_AGE,
            () -> now);

    private void pass(Duration time) {
        now += time.toNanos();
    }

    /** Ends the newest read. */
    private void answer(long value) {
        reads.get(reads.size() - 1).complete(value);
    }

    private void read(long value) {
        pass(Duration.ofMillis(1));
        version.current().subscribe().asCompletionStage();
        answer(value);
    }

    @Test
    void aVersionThatIsBeingReadIsNotKnown() {
        pass(Duration.ofMillis(1));
        assertNull(version.known());
        version.current().subscribe().asCompletionStage();
        assertNull(version.known());
        answer(7);
        assertEquals(7, version.known());
        assertEquals(1, reads.size());
    }

    @Test
    void oneReadRenewsTheVersionBeforeItIsTooOld() {
        read(7);
        pass(MAX_AGE.dividedBy(2));
        assertEquals(7, version.known());
        assertEquals(7, version.known());
        assertEquals(2, reads.size());
        answer(8);
        assertEquals(8, version.known());
        assertEquals(2, reads.size());
        pass(MAX_AGE.multipliedBy(2).dividedBy(3));
        assertEquals(8, version.known());
    }

    @Test
    void aVersionIsTooOldAfterItsAgeEvenIfItCannotBeRenewed() {
        read(7);
        pass(MAX_AGE.dividedBy(2));
        assertEquals(7, version.known());
        reads.get(1).fail(new IllegalStateException("no database"));
        assertEquals(7, version.known());
        assertEquals(3, reads.size());
        pass(MAX_AGE.dividedBy(2));
        assertNull(version.known());
    }

    /** The read that renews the version may have begun before the write has committed. */
    @Test
    void aVersionThatWasBeingReadDuringAWriteIsNotKnown() {
        read(7);
        pass(MAX_AGE.dividedBy(2));
        assertEquals(7, version.known());
        version.beginWrite();
        assertNull(version.known());
        pass(Duration.ofMillis(1));
        version.endWrite();
        answer(7);
        assertNull(version.known());
    }
}
