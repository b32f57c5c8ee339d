package io.datasetlisting.support;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Records what the platform logs of types that it registers for reflection without all types that they refer to. The platform
 * builds the application before the first test, in another class loader than that of the tests: hence a system property.
 */
public final class AugmentationLog extends Handler implements LauncherSessionListener {

    private static final String PROPERTY = "test.augmentation.log";
    private static final Logger LOGGER = Logger.getLogger("io.quarkus.deployment.steps.ReflectiveHierarchyStep");

    /** What has been logged, empty if nothing. */
    public static String content() {
        return System.getProperty(PROPERTY, "the log was not recorded");
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.setProperty(PROPERTY, "");
        LOGGER.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        System.setProperty(PROPERTY, content() + entry.getMessage());
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
