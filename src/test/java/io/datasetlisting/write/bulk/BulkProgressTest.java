package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.body;
import static io.datasetlisting.support.Catalogue.generated;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FaultsAndOrigins;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the progress of transfers in the log. The profile logs every 100 ms. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(FaultsAndOrigins.class)
class BulkProgressTest {

    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final PatternFormatter MESSAGE = new PatternFormatter("%s");

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    private final Handler handler = new Handler() {

        @Override
        public void publish(LogRecord entry) {
            log.add(MESSAGE.format(entry));
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    };

    @BeforeEach
    void openLog() {
        Logger.getLogger(Progress.class.getName()).addHandler(handler);
    }

    @AfterEach
    void closeLog() {
        Logger.getLogger(Progress.class.getName()).removeHandler(handler);
    }

    @Test
    void anExportThatResumesDoesNotLogTheLinesOfItsPause() throws IOException {
        catalogue.replaceWith(generated(20_000));
        try (SlowClient client = SlowClient.exporting(service, Caller.admin())) {
            catalogue.awaitThat("exists (select from " + Catalogue.OTHERS
                    + " and state = 'idle in transaction' and state_change < clock_timestamp() - interval '0.3 s')");
            log.clear();
            long start = System.nanoTime();
            client.head();
            client.countLines();
            long intervals = (System.nanoTime() - start) / INTERVAL.toNanos();
            // Two more lines: one was due in the pause, and one is due at the end.
            assertTrue(log.size() <= intervals + 2, () -> intervals + " intervals, " + log.size() + " lines");
        }
    }

    @Test
    void anImportWhoseClientDisconnectsLogsItsEnd() throws IOException {
        catalogue.replaceWith();
        for (String end : List.of("close", "abort")) {
            log.clear();
            SlowClient client = SlowClient.importing(service, Caller.admin(), "Transfer-Encoding: chunked");
            client.chunk(body(LongStream.rangeClosed(1, 600).mapToObj(Bulk::line)));
            String head = client.head().toLowerCase(Locale.ROOT);
            // So that proxies pass the lines of progress on.
            assertTrue(head.contains("\r\nx-accel-buffering: no\r\n")
                    && head.contains("\r\ncache-control: no-cache, no-transform\r\n"), head);
            client.line();
            if (end.equals("close")) {
                client.close();
            } else {
                client.abort();
            }
            Patience.await("the log of the end").until(() -> log.stream().anyMatch(line -> line.contains(", ended")));
        }
    }
}
