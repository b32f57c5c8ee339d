package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Programs that some tests need beside the JDK. */
public final class Requirement {

    /** {@code .ci/run} sets this variable of the environment, because it installs the programs. */
    private static final String NO_SKIPPED_TESTS = "NO_SKIPPED_TESTS";

    private Requirement() {
    }

    /**
     * Skips the calling test if the machine lacks a program. The test fails instead if {@code NO_SKIPPED_TESTS} is
     * {@code true}.
     *
     * @param program
     *            with the Debian packages that contain it
     */
    public static void require(boolean isInstalled, String program) {
        if ("true".equals(System.getenv(NO_SKIPPED_TESTS))) {
            assertTrue(isInstalled, () -> NO_SKIPPED_TESTS + " is true, and this machine lacks " + program);
        }
        requireLocally(isInstalled, program);
    }

    /** Skips the calling test if the machine lacks a program that no package of Debian contains. */
    public static void requireLocally(boolean isInstalled, String program) {
        assumeTrue(isInstalled, () -> "Skipped: this machine lacks " + program);
    }
}
