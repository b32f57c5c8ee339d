package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.FreePort;
import io.datasetlisting.support.HaProxy;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/**
 * Tests that no request fails while two replicas behind a proxy restart one after the other, and that a mirror, which always
 * waits for changes, comes back to the other one.
 */
class RollingRestartIT {

    private static final Logger LOG = Logger.getLogger(RollingRestartIT.class);

    private static final int CLIENTS = 4;

    /** The proxy checks the readiness of the replicas, as Kubernetes does, and retries no request. */
    private static final String PROXY = """
            defaults
                mode http
                retries 0
                timeout connect 5s
                timeout client 60s
                timeout server 60s
                timeout check 10s
            frontend catalogue
                bind 127.0.0.1:%d
                default_backend replicas
            backend replicas
                option httpchk GET /q/health/ready
                default-server check inter 300ms fall 1 rise 1
                server one 127.0.0.1:%d
                server two 127.0.0.1:%d
            frontend state
                bind 127.0.0.1:%d
                stats enable
                stats uri /
            """;

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger creates = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    @Test
    void noRequestFails() throws Exception {
        HaProxy.require();
        int[] ports = IntStream.generate(FreePort::find).distinct().limit(4).toArray();
        try (PostgresServer postgres = new PostgresServer(); PostgresServer mirrorDatabase = new PostgresServer()) {
            List<ServiceProcess> replicas = new ArrayList<>();
            HaProxy proxy = null;
            ServiceProcess mirror = null;
            try {
                for (int i = 1; i <= 2; i++) {
                    replicas.add(replica(postgres, ports[i]));
                }
                proxy = new HaProxy(PROXY.formatted(ports[0], ports[1], ports[2], ports[3]));
                String url = "http://127.0.0.1:" + ports[0];
                awaitBoth(ports[3]);
                mirror = ServiceProcess.start(mirrorDatabase.port() + "/postgres", "-Ddataset.follow.url=" + url,
                        "-Ddataset.follow.token=" + Caller.admin().key());
                Api copy = new Api(mirror.url().toString(), null);
                Patience.await("the mirror is ready").until(() -> copy.get("/q/health/ready").statusCode() == 200);
                List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                        .mapToObj(i -> CompletableFuture
                                .runAsync(() -> sendUntilOver(new Api(url, Caller.admin().key()))))
                        .toList();
                int before = reads.get();
                for (int i = 0; i < replicas.size(); i++) {
                    replicas.get(i).stopInOrder();
                    replicas.set(i, replica(postgres, ports[i + 1]));
                    awaitBoth(ports[3]);
                }
                over = true;
                clients.forEach(CompletableFuture::join);
                LOG.infof("Both replicas restarted: %d reads and %d creates during the restarts, %d failed",
                        reads.get(),
                        creates.get(), failures.size());
                assertEquals(List.of(), List.copyOf(failures));
                int datasets = new Api(url, null).json("/api/dataset/").getInteger("count");
                Patience.await("the mirror has all datasets")
                        .until(() -> copy.json("/api/dataset/").getInteger("count") == datasets);
                assertFalse(mirror.log().contains("The mirror does not follow"), mirror::log);
                assertTrue(reads.get() > before + 100, "too few requests: " + reads);
            } finally {
                over = true;
                if (mirror != null) {
                    mirror.close();
                }
                replicas.forEach(ServiceProcess::close);
                if (proxy != null) {
                    proxy.close();
                }
            }
        }
    }

    private static ServiceProcess replica(PostgresServer postgres, int port) throws IOException {
        ServiceProcess replica = ServiceProcess.start(postgres.port() + "/postgres", "-Dquarkus.http.port=" + port,
                "-Dquarkus.shutdown.delay=PT2S", "-Dquarkus.shutdown.timeout=PT20S", "-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key());
        replica.url();
        return replica;
    }

    /** Waits until the proxy regards both replicas as ready. */
    private static void awaitBoth(int statePort) {
        // The response of the proxy is not compared with the document of the service.
        URI state = URI.create("http://127.0.0.1:" + statePort + "/;csv");
        Patience.await("the proxy reaches both replicas").ignoreException(ConnectException.class).until(() -> {
            try (InputStream csv = state.toURL().openStream()) {
                return new String(csv.readAllBytes(), StandardCharsets.UTF_8).lines()
                        .filter(line -> line.matches("replicas,(one|two),.*,UP,.*")).count() == 2;
            }
        });
    }

    private void sendUntilOver(Api api) {
        while (!over) {
            try {
                HttpResponse<String> page = api.get("/api/dataset/?ordering=-id&p=" + (1 + reads.get() % 5));
                HttpResponse<String> created = api.call("POST", "/api/dataset/",
                        new JsonObject().put("dataset_name", "While they restart").put("coordinates", List.of(47, 8)));
                reads.incrementAndGet();
                creates.incrementAndGet();
                if (page.statusCode() != 200 || created.statusCode() != 201) {
                    failures.add(page.statusCode() + " " + created.statusCode() + " " + created.body());
                }
            } catch (RuntimeException e) {
                failures.add(e.toString());
            }
        }
    }

}
