package io.datasetlisting.postgres.replica;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Relay;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.StreamingPair;
import io.vertx.core.json.JsonObject;

/**
 * Tests that no session of the service stays on a former primary, which is a standby now and answers, behind a balancer that ends
 * no session.
 */
class SwitchoverIT {

    /** More than the service has connections for writes. */
    private static final int CONCURRENT = 16;
    private static final JsonObject NEW = new JsonObject().put("dataset_name", "New").put("coordinates",
            List.of(47, 8));

    @SuppressWarnings("try")
    @Test
    void allWritesGoToTheNewPrimary() throws Exception {
        try (StreamingPair databases = new StreamingPair(); Relay address = new Relay(databases.primaryPort())) {
            Api writer;
            try (ServiceProcess service = start(databases, address, "-Ddataset.sample.enabled=true",
                    "-Ddataset.admin-token=" + Caller.admin().key())) {
                Api admin = new Api(service.url().toString(), Caller.admin().key());
                writer = admin.as(admin.account("writer"), "writer");
                assertEquals(Map.of(201, CONCURRENT), createMany(admin));
                Map<String, String> before = awaitReplica(admin.with(null));

                databases.demotePrimary();
                assertEquals(before, read(admin.with(null)));
                assertEquals(404, admin.with(null).get("/api/dataset/999999/").statusCode());
                assertEquals(503, admin.get("/api/dataset/1/").statusCode());
                // The address leads to the standby, so that the service opens its connections there.
                assertEquals(Map.of(503, CONCURRENT), createMany(admin));
                databases.promoteStandby();
                address.leadTo(databases.standbyPort());
                awaitWritable(admin);
                awaitFolds(admin);
                service.stopInOrder();
            }
            // A session that begins before the service has seen a primary is not refused.
            address.leadTo(databases.primaryPort());
            try (ServiceProcess service = start(databases, address)) {
                Api api = new Api(service.url().toString(), writer.token());
                // The first request of a new JVM may take longer than the time limit of this test's requests.
                Patience.await("the first page").until(() -> api.get("/api/dataset/").statusCode() == 200);
                assertEquals(Map.of(503, CONCURRENT), createMany(api));
                address.leadTo(databases.standbyPort());
                awaitWritable(api);
                awaitFolds(api);
                assertTrue(service.log().contains("older connections are closed"), service::log);
                service.stopInOrder();
            }
        }
    }

    private static ServiceProcess start(StreamingPair databases, Relay address, String... properties)
            throws IOException {
        return ServiceProcess.start(address.port() + "/postgres",
                Stream.concat(Stream.of("-Ddataset.http.request-timeout=PT4S",
                        "-Ddataset.database.read-url=postgresql://127.0.0.1:" + databases.standbyPort() + "/postgres"),
                        Stream.of(properties)).toArray(String[]::new));
    }

    /** Waits until lists come from the replica, which has all datasets. The result is the same as of {@link #read}. */
    private static Map<String, String> awaitReplica(Api anonymous) {
        awaitMetric(anonymous, "dataset_replica_used", 1);
        long last = Api.json(201, create(anonymous.with(Caller.admin().key()))).getLong("id");
        Patience.await("the replica has all datasets").until(
                () -> list(anonymous).getJsonArray("results").getJsonObject(0).getLong("id") == last);
        return read(anonymous);
    }

    private static JsonObject list(Api api) {
        return api.json("/api/dataset/?ordering=-id&page_size=30");
    }

    /** The JSON and the page of each dataset of a list, without the signatures of links, which change with time. */
    private static Map<String, String> read(Api anonymous) {
        return list(anonymous).getJsonArray("results").stream().map(dataset -> ((JsonObject) dataset).getLong("id"))
                .flatMap(id -> Stream.of("/api/dataset/" + id + "/", "/datasets/" + id + "/"))
                .collect(Collectors.toMap(Function.identity(), path -> {
                    HttpResponse<String> response = anonymous.get(path);
                    assertEquals(200, response.statusCode(), path);
                    return response.body().replaceAll("\\?AWSAccessKeyId=[^\"]*", "");
                }));
    }

    /** The number of responses with each status. */
    private static Map<Integer, Integer> createMany(Api... callers) {
        List<CompletableFuture<HttpResponse<String>>> responses = IntStream.range(0, CONCURRENT * callers.length)
                .mapToObj(i -> callers[i % callers.length].send("POST", "/api/dataset/", NEW)).toList();
        return responses.stream().map(CompletableFuture::join).map(HttpResponse::statusCode)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.summingInt(status -> 1)));
    }

    private static HttpResponse<String> create(Api api) {
        return api.call("POST", "/api/dataset/", NEW);
    }

    /**
     * A write may lose its connection twice while the service closes the older ones, and gets 503 then. After that, all writes on
     * all connections succeed.
     */
    private static void awaitWritable(Api api) {
        Map<Integer, Integer> allCreated = Map.of(201, 2 * CONCURRENT);
        Patience.await("all writes succeed").until(() -> createMany(api, api).equals(allCreated));
        assertEquals(allCreated, createMany(api, api));
    }

    private static void awaitFolds(Api api) {
        awaitMetric(api, "dataset_ranks_pending", 0);
        assertEquals(1, metric(api, "dataset_primary_writable"));
    }
}
