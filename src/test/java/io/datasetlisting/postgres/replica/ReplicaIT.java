package io.datasetlisting.postgres.replica;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.PlainCounts;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.StreamingPair;
import io.vertx.core.json.JsonObject;

/** Tests with a real primary and a real standby which of the two each request reads. */
class ReplicaIT {

    private static final Duration UNTIL_NOTICED = Duration.ofSeconds(5);

    private static StreamingPair databases;
    private static ServiceProcess service;
    private static Api anonymous;
    private static Api admin;

    @BeforeAll
    static void start() throws Exception {
        databases = new StreamingPair();
        service = ServiceProcess.start(databases.primaryPort() + "/postgres",
                "-Ddataset.database.read-url=postgresql://127.0.0.1:" + databases.standbyPort() + "/postgres",
                "-Ddataset.database.max-replica-lag=PT3S", "-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key());
        anonymous = new Api(service.url().toString(), null);
        admin = anonymous.with(Caller.admin().key());
    }

    @AfterAll
    static void stop() throws Exception {
        if (service != null) {
            service.close();
        }
        if (databases != null) {
            databases.close();
        }
    }

    @Test
    void readersUseTheReplicaWhileItKeepsUpAndWritersUseThePrimary() throws Exception {
        awaitUsed(true);
        long before = count(anonymous);
        // An admin's count includes private datasets.
        long all = count(admin);

        databases.pauseStandby();
        long created = create();
        // Other callers do not see the dataset yet, because the replica may be some seconds behind.
        assertEquals(before, count(anonymous));
        assertEquals(all + 1, count(admin));
        for (String page : List.of("/datasets/", "/datasets/changes/")) {
            assertTrue(admin.get(page).body().contains("/" + created + "/"), page);
        }
        awaitUsed(false);
        assertEquals(before + 1, count(anonymous));
        assertTrue(service.log().contains("Reads go to the primary: the replica is "), service::log);

        databases.resumeStandby();
        awaitUsed(true);
        assertEquals(before + 1, count(anonymous));

        databases.stopStandby();
        assertEquals(200, anonymous.get("/api/dataset/?p=2").statusCode());
        awaitUsed(false);
        create();
        assertEquals(before + 2, count(anonymous));

        databases.startStandby();
        awaitUsed(true);
        assertEquals(before + 2, count(anonymous));

        long id = anonymous.json("/api/dataset/").getJsonArray("results").getJsonObject(0).getLong("id");
        String json = anonymous.get("/api/dataset/" + id + "/").body();
        databases.stopPrimary();
        assertEquals(before + 2, count(anonymous));
        assertEquals(json, anonymous.get("/api/dataset/" + id + "/").body());
        assertEquals(200, anonymous.get("/datasets/" + id + "/").statusCode());
        assertEquals(404, anonymous.get("/api/dataset/999999/").statusCode());
        assertEquals(503, admin.get("/api/dataset/" + id + "/").statusCode());
        assertEquals(200, anonymous.get("/q/health/ready").statusCode());
        assertEquals(503, anonymous.get("/q/health/group/writers").statusCode());
        PlainCounts.compare(PlainCounts.Database.of(databases.standbyPort(), "postgres"), anonymous);

        databases.stopStandby();
        // While the service still counts on the replica, and after that.
        Set<Integer> statuses = new HashSet<>();
        long end = System.nanoTime() + UNTIL_NOTICED.toNanos();
        while (System.nanoTime() < end) {
            for (String path : List.of("/api/dataset/" + id + "/", "/datasets/" + id + "/", "/api/dataset/?p=2",
                    "/api/dataset/facets/?facets=year")) {
                statuses.add(anonymous.get(path).statusCode());
            }
        }
        assertEquals(Set.of(503), statuses, service::log);

        databases.startStandby();
        databases.promoteStandby();
        awaitUsed(true);
        PlainCounts.compare(PlainCounts.Database.of(databases.standbyPort(), "postgres"), anonymous);
        service.stopInOrder();
    }

    private static long create() {
        return Api.json(201, admin.call("POST", "/api/dataset/",
                new JsonObject().put("dataset_name", "New").put("coordinates", List.of(47, 8)))).getLong("id");
    }

    private static long count(Api api) {
        return api.json("/api/dataset/").getLong("count");
    }

    private static void awaitUsed(boolean used) {
        awaitMetric(anonymous, "dataset_replica_used", used ? 1 : 0);
    }
}
