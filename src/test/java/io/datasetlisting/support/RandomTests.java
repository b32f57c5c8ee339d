package io.datasetlisting.support;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import org.jboss.logging.Logger;

/**
 * How much the tests with random data try: little, or much with {@code -Dtest.random=long}, as in the profile nightly.
 * {@code -Dtest.seed=N} repeats a run.
 */
public final class RandomTests {

    private static final Logger LOG = Logger.getLogger(RandomTests.class);
    private static final boolean IS_LONG = "long".equals(System.getProperty("test.random"));

    private RandomTests() {
    }

    /** The first number, or the second one in a long run. */
    public static int times(int few, int many) {
        return IS_LONG ? many : few;
    }

    /** A few of all, or in a long run all of them. */
    public static <T> List<T> some(int few, List<T> all) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, new Random(seed()));
        return IS_LONG ? all : shuffled.subList(0, few);
    }

    /** A seed of a test, which is logged: another one in each run. */
    public static long seed() {
        long seed = Long.getLong("test.seed", ThreadLocalRandom.current().nextLong());
        LOG.infof("-Dtest.seed=%d", seed);
        return seed;
    }

    /** A seed of a test, which is logged: this one, or in a long run another one each time. */
    public static long seed(long ofShortRuns) {
        return IS_LONG || System.getProperty("test.seed") != null ? seed() : ofShortRuns;
    }
}
