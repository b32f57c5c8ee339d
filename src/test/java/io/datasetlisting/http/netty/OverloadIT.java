package io.datasetlisting.http.netty;

import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;

/**
 * Tests the service with ten times more clients than it can serve: it refuses the excess, serves the rest, and
 * recovers.
 */
class OverloadIT {

    private static final Logger LOG = Logger.getLogger(OverloadIT.class);

    private static final int CLIENTS = 16;
    /** More than the clients: a response may arrive before the service has counted its end. */
    private static final int AT_ONCE = CLIENTS + 4;
    private static final int TIMES = 10;
    private static final long SECONDS = 3;

    /** The responses that the clients of one run receive. */
    private static final class Run {

        private final ConcurrentLinkedQueue<Long> served = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<Long> refused = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<String> others = new ConcurrentLinkedQueue<>();
        private final AtomicInteger sent = new AtomicInteger();
        private final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);

        /** Sends requests until the end of the run, and waits 100 ms after each refusal. */
        private CompletableFuture<Void> sendUntilTheEnd(Api api) {
            if (System.nanoTime() > end) {
                return CompletableFuture.completedFuture(null);
            }
            long started = System.nanoTime();
            return api.send("GET", "/api/dataset/?p=" + (1 + sent.incrementAndGet() % 100), null)
                    .thenCompose(answer -> {
                        recordResponse(answer, (System.nanoTime() - started) / 1000);
                        Executor next = CompletableFuture.delayedExecutor(answer.statusCode() == 503 ? 100 : 0,
                                TimeUnit.MILLISECONDS);
                        return CompletableFuture.supplyAsync(() -> sendUntilTheEnd(api), next)
                                .thenCompose(asked -> asked);
                    });
        }

        private void recordResponse(HttpResponse<String> answer, long micros) {
            if (answer.statusCode() == 200) {
                served.add(micros);
            } else if (answer.statusCode() == 503 && answer.headers().firstValue("Retry-After").isPresent()) {
                refused.add(micros);
            } else {
                others.add(answer.statusCode() + " " + answer.body());
            }
        }

        private static double milliseconds(ConcurrentLinkedQueue<Long> micros, double quantile) {
            List<Long> sorted = micros.stream().sorted().toList();
            return sorted.isEmpty() ? 0 : sorted.get((int) (quantile * (sorted.size() - 1))) / 1000.0;
        }

        private String summary() {
            return "%d served (p50 %.1f ms, p99 %.1f ms), %d refused (p50 %.1f ms, p99 %.1f ms)".formatted(
                    served.size(), milliseconds(served, 0.5), milliseconds(served, 0.99), refused.size(),
                    milliseconds(refused, 0.5), milliseconds(refused, 0.99));
        }
    }

    @Test
    void theExcessIsRefusedAndTheRestServed() throws Exception {
        try (PostgresServer postgres = new PostgresServer();
                ServiceProcess service = ServiceProcess.start(postgres.port() + "/postgres",
                        "-Ddataset.sample.enabled=true", "-Ddataset.sample.generated=3000",
                        "-Ddataset.cache.pages=0", "-Ddataset.http.max-concurrent-requests=" + AT_ONCE)) {
            Api api = new Api(service.url().toString(), null);
            run(api, CLIENTS);
            Run usual = run(api, CLIENTS);
            long memory = service.residentMebibytes();
            Run tenfold = run(api, TIMES * CLIENTS);
            for (int i = 0; i < 20; i++) {
                assertEquals(200, api.get("/api/dataset/?p=2").statusCode());
            }
            assertEquals(0, metric(api, "dataset_requests_running"));
            LOG.infof("%d clients: %s, %d MiB; %d clients: %s, %d MiB", CLIENTS, usual.summary(), memory,
                    TIMES * CLIENTS,
                    tenfold.summary(), service.residentMebibytes());
            assertEquals(List.of(), List.copyOf(usual.others));
            assertEquals(List.of(), List.copyOf(tenfold.others));
            assertEquals(0, usual.refused.size());
            assertTrue(tenfold.refused.size() > 0, "nothing was refused");
            assertTrue(tenfold.served.size() > usual.served.size() / 5, tenfold::summary);
            service.stopInOrder();
        }
    }

    private static Run run(Api api, int clients) {
        Run run = new Run();
        CompletableFuture.allOf(IntStream.range(0, clients).mapToObj(i -> run.sendUntilTheEnd(api))
                .toArray(CompletableFuture[]::new)).join();
        return run;
    }
}
