package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

/** Tests that {@link WalPositions} never makes the lag of a server smaller than it is. */
class WalPositionsTest {

    private static final long START = System.nanoTime();

    private final WalPositions positions = new WalPositions();

    private static long at(int second) {
        return START + TimeUnit.SECONDS.toNanos(second);
    }

    @Test
    void aServerThatHasReplayedAllWasCompleteWhenTheEndWasRead() {
        positions.add(100, at(0));
        positions.add(200, at(1));
        positions.add(200, at(2));
        assertEquals(at(2), positions.completeAt(200));
        assertEquals(at(2), positions.completeAt(250));
    }

    @Test
    void aServerThatLacksChangesWasCompleteBeforeTheOldestOfThem() {
        positions.add(100, at(0));
        positions.add(200, at(1));
        positions.add(300, at(2));
        positions.add(400, at(3));
        assertEquals(at(2), positions.completeAt(399));
        assertEquals(at(1), positions.completeAt(200));
        assertEquals(at(0), positions.completeAt(100));
    }

    /** It may have lacked these changes for long before this instance started. */
    @Test
    void aServerThatLacksTheFirstPositionIsTooOld() {
        positions.add(100, at(0));
        assertTrue(at(0) - positions.completeAt(99) >= TimeUnit.HOURS.toNanos(1));
        long complete = new WalPositions().completeAt(99);
        assertTrue(System.nanoTime() - complete >= TimeUnit.HOURS.toNanos(1));
    }

    /** The new primary lacks the last changes of the old one, so its log continues at a lower position. */
    @Test
    void afterAFailoverAServerNeedsThePositionsOfTheNewPrimary() {
        positions.add(500, at(0));
        positions.add(400, at(1));
        assertEquals(at(1), positions.completeAt(400));
        assertTrue(at(1) - positions.completeAt(399) >= TimeUnit.HOURS.toNanos(1));
    }

    @Test
    void aSilentPrimaryHasWrittenNothing() {
        positions.add(100, at(0));
        positions.addSilence(at(5));
        assertEquals(at(5), positions.completeAt(100));
        // Another primary may have written while this instance did not reach it.
        positions.add(200, at(6));
        assertEquals(at(0), positions.completeAt(100));
    }

    /** The primary died with log that no standby has received. */
    @Test
    void theLagOfAServerDoesNotGrowWhileThePrimaryIsSilent() {
        positions.add(100, at(0));
        positions.add(200, at(1));
        positions.add(300, at(2));
        positions.addSilence(at(15));
        assertEquals(at(14), positions.completeAt(200));
        assertEquals(at(13), positions.completeAt(100));
        // The same primary is back, so the server lacks changes that others can see.
        positions.add(300, at(16));
        assertEquals(at(1), positions.completeAt(200));
    }

    @Test
    void manyPositionsAreKeptWithLessPrecisionAndNeverTooLate() {
        int seconds = 1000;
        for (int second = 0; second <= seconds; second++) {
            positions.add(second * 10L, at(second));
        }
        for (int second = 1; second < seconds; second++) {
            // The change at second * 10 + 1 was written after at(second).
            assertTrue(positions.completeAt(second * 10L) <= at(second), "at " + second);
        }
        assertEquals(at(seconds), positions.completeAt(seconds * 10L));
        assertTrue(positions.completeAt(seconds * 10L - 10) >= at(seconds - 4));
    }
}
