package io.datasetlisting.support;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for conditions that become true soon. Only a test that fails reaches the limit, so that a slow machine has enough time.
 */
public final class Patience {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Patience() {
    }

    /**
     * @param condition
     *            for the message of a failure
     */
    public static ConditionFactory await(String condition) {
        return Awaitility.await(condition).pollInSameThread().pollDelay(Duration.ZERO).pollInterval(INTERVAL)
                .atMost(LIMIT);
    }

    /** Waits between two rounds of a load. A test never waits in this way for a condition. */
    public static void pause(Duration time) {
        Awaitility.await().pollInSameThread().pollDelay(time).atMost(time.plus(LIMIT)).until(() -> true);
    }
}
