package io.datasetlisting.support;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives the embedded PostgreSQL of this JVM a free port. The extension would pick one of eleven ports from 5432 on, and use
 * whatever PostgreSQL listens there already.
 */
public final class TestDatabasePort implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.setProperty("quarkus.embedded.postgresql.port", Integer.toString(FreePort.find()));
    }
}
