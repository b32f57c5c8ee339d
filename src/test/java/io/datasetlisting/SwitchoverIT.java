package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.InstalledPostgres;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Relay;
import io.datasetlisting.support.Requirement;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.StreamingPair;
import io.vertx.core.json.JsonObject;

/**
 * Tests that no session of the service stays on a former primary, which is a standby now and answers, behind a balancer that ends no
 * session.
 */
class SwitchoverIT {

    /** More than the service has connections for writes. */
    private static final int CONCURRENT = 16;

    @SuppressWarnings("try")
    @Test
    void allWritesGoToTheNewPrimary() throws Exception {
        Requirement.require(InstalledPostgres.isPossible(),
                "initdb and pg_basebackup for a standby (Debian's package postgresql)");
        try (StreamingPair databases = new StreamingPair(); Relay address = new Relay(databases.primaryPort())) {
            try (ServiceProcess service = start(databases, address)) {
                Api admin = new Api(service.url().toString(), Caller.admin().key());
                assertEquals(Map.of(201, CONCURRENT), create(admin));
                long count = admin.json("/api/dataset/").getLong("count");
                String dataset = "/api/dataset/" + newest(admin) + "/";

                databases.demotePrimary();
                assertReadsWithoutAPrimary(new Api(service.url().toString(), null), dataset, count);
                // The address leads to the standby, so that the service opens its connections there.
                assertEquals(Map.of(503, CONCURRENT), create(admin));
                databases.promoteStandby();
                address.leadTo(databases.standbyPort());
                awaitWritable(admin);
                assertEquals(Map.of(201, 2 * CONCURRENT), create(admin, admin));
                awaitFolds(admin);
                service.stopInOrder();
            }
            // A session that begins before the service has seen a primary is not refused.
            address.leadTo(databases.primaryPort());
            try (ServiceProcess service = start(databases, address)) {
                Api admin = new Api(service.url().toString(), Caller.admin().key());
                assertEquals(200, admin.get("/api/dataset/").statusCode());
                assertEquals(Map.of(503, CONCURRENT), create(admin));
                address.leadTo(databases.standbyPort());
                awaitWritable(admin);
                assertEquals(Map.of(201, 2 * CONCURRENT), create(admin, admin));
                awaitFolds(admin);
                assertTrue(service.log().contains("older connections are closed"), service::log);
                service.stopInOrder();
            }
        }
    }

    private static ServiceProcess start(StreamingPair databases, Relay address) throws Exception {
        return ServiceProcess.start(address.port() + "/postgres",
                "-Ddataset.database.read-url=postgresql://127.0.0.1:" + databases.standbyPort() + "/postgres",
                "-Ddataset.http.request-timeout=PT2S", "-Ddataset.admin-token=" + Caller.admin().key());
    }

    private static void assertReadsWithoutAPrimary(Api anonymous, String dataset, long count) {
    }

    private static long newest(Api api) {
        return api.json("/api/dataset/?ordering=-id").getJsonArray("results").getJsonObject(0).getLong("id");
    }

    /** The number of responses with each status. */
    private static Map<Integer, Integer> create(Api... callers) {
        List<CompletableFuture<HttpResponse<String>>> responses = IntStream.range(0, CONCURRENT * callers.length)
                .mapToObj(i -> callers[i % callers.length].send("POST", "/api/dataset/",
                        new JsonObject().put("dataset_name", "New").put("coordinates", List.of(47, 8))))
                .toList();
        return responses.stream().map(CompletableFuture::join).map(HttpResponse::statusCode)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.summingInt(status -> 1)));
    }

    private static void awaitWritable(Api api) {
        Patience.await("a write succeeds").until(() -> api.call("POST", "/api/dataset/",
                new JsonObject().put("dataset_name", "New").put("coordinates", List.of(47, 8))).statusCode() == 201);
    }

    private static void awaitFolds(Api api) {
        Patience.await("nothing is pending").until(() -> metrics(api).contains("dataset_ranks_pending 0.0"));
        String metrics = metrics(api);
        assertTrue(metrics.contains("dataset_primary_writable 1.0"), metrics);
    }

    private static String metrics(Api api) {
        return api.get("/q/metrics").body();
    }
}
