package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.FreePort;
import io.datasetlisting.support.HaProxy;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PlainCounts;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.StreamingPair;
import io.vertx.core.json.JsonObject;

/** Tests that the service uses a new primary although a balancer keeps its connections to the old one, which does not answer. */
class FailoverIT {

    private static final Logger LOG = Logger.getLogger(FailoverIT.class);

    /** The service asks each 0.4 s whether the primary answers, and gives each answer a second. The machine may be slow. */
    private static final Duration BACK_WITHIN = Duration.ofSeconds(20);

    @SuppressWarnings("try")
    @Test
    void writesGoToTheNewPrimary() throws Exception {
        HaProxy.require();
        int port = FreePort.find();
        try (StreamingPair databases = new StreamingPair();
                HaProxy balancer = HaProxy.beforeDatabases(databases.primaryPort(), databases.standbyPort(),
                        port);
                ServiceProcess service = ServiceProcess.start(port + "/postgres", "-Ddataset.sample.enabled=true",

                        "-Ddataset.http.request-timeout=PT4S", "-Ddataset.admin-token=" + Caller.admin().key())) {
            Api admin = new Api(service.url().toString(), Caller.admin().key());
            // A first write on a slow machine may take longer than the time limit of this test's requests.
            AtomicReference<HttpResponse<String>> first = new AtomicReference<>();
            Patience.await("the first write").until(() -> {
                first.set(create(admin));
                return first.get().statusCode() == 201;
            });
            JsonObject before = Api.json(201, first.get());
            Copy copy = Copy.of(admin, "");
            copy.awaitEqual();
            String dataset = "/api/dataset/" + before.getLong("id") + "/";
            databases.freezePrimary();
            try {
                // Each connection of the service then waits for the frozen server.
                List<CompletableFuture<HttpResponse<String>>> waiting = IntStream.range(0, 16).boxed()
                        .flatMap(i -> Stream.of(
                                admin.send("PATCH", dataset, new JsonObject().put("dataset_name", "Changed")),
                                admin.send("GET", dataset, null), admin.send("GET", "/api/dataset/?p=1&i=" + i, null)))
                        .toList();
                waiting.forEach(CompletableFuture::join);
                databases.promoteStandby();
                long promoted = System.nanoTime();
                HttpResponse<String> created = create(admin);
                while (created.statusCode() != 201) {
                    assertEquals(503, created.statusCode(), created::body);
                    assertTrue(System.nanoTime() - promoted < BACK_WITHIN.toNanos(), service::log);
                    created = create(admin);
                }
                LOG.infof("First write %d ms after the promotion",
                        Duration.ofNanos(System.nanoTime() - promoted).toMillis());
                long firstId = Api.json(201, created).getLong("id");
                assertTrue(firstId > before.getLong("id") + 1_000_000, "id " + firstId + " may have been given before");
                assertEquals(firstId + 1, Api.json(201, create(admin)).getLong("id"));
                assertEquals(200, admin.get(dataset).statusCode());
                PlainCounts.compare(PlainCounts.Database.of(databases.standbyPort(), "postgres"), admin.with(null),
                        admin);
                // From the same position on, or from the beginning if the standby lacks changes before it.
                copy.awaitEqual();
                LOG.infof("The copy began again %d times", copy.resets);
            } finally {
                databases.thawPrimary();
            }
            service.stopInOrder();
        }
    }

    private static HttpResponse<String> create(Api admin) {
        return admin.call("POST", "/api/dataset/",
                new JsonObject().put("dataset_name", "New").put("coordinates", List.of(47, 8)));
    }
}
