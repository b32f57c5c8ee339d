package io.datasetlisting.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A running HAProxy. */
public final class HaProxy implements AutoCloseable {

    private final Path config = Files.createTempFile("haproxy", ".cfg");
    private final Process process;

    public HaProxy(String configuration) throws IOException {
        Files.writeString(config, configuration);
        process = new ProcessBuilder("haproxy", "-db", "-f", config.toString()).inheritIO().start();
    }

    /** Skips the calling test if the machine has no HAProxy. */
    public static void require() throws InterruptedException {
        Requirement.require(isInstalled(), "HAProxy (Debian's package haproxy)");
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("haproxy", "-v").redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                    .waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        Files.delete(config);
    }
}
