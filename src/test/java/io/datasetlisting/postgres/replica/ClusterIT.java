package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Requirement;
import io.datasetlisting.support.ServiceProcess;

/** Tests the package on a PostgreSQL cluster that fails over, with the short form of {@code deploy/cluster/run}. */
class ClusterIT {

    private static final Logger LOG = Logger.getLogger(ClusterIT.class);

    private static final int MISSING_PROGRAMS = 77;
    private static final int PATIENCE_SECONDS = 400;

    @Test
    void nothingConfirmedIsLostAndNoPageIsWrongWhenTheClusterFails(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        int exit = run(output);
        String text = Files.readString(output);
        Requirement.require(exit != MISSING_PROGRAMS, "a program of the cluster. " + text);
        assertEquals(0, exit, text);
        LOG.info(text);
    }

    private static int run(Path output) throws InterruptedException {
        Process run;
        try {
            run = new ProcessBuilder("deploy/cluster/run", "--short", "--app", ServiceProcess.program().toString())
                    .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        } catch (IOException e) {
            // There is no Python.
            return MISSING_PROGRAMS;
        }
        try {
            assertTrue(run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "the run takes too long");
            return run.exitValue();
        } finally {
            // SIGTERM: the run ends everything that it has started.
            run.destroy();
            run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }
}
