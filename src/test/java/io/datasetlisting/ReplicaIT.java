package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Requirement;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.StreamingPair;
import io.vertx.core.json.JsonObject;

/** A real primary, a real standby: who reads what from which. */
class ReplicaIT {

    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

    private static StreamingPair databases;
    private static ServiceProcess service;
    private static Api anybody;
    private static Api admin;

    @BeforeAll
    static void start() throws Exception {
        Requirement.require(StreamingPair.isPossible(),
                "initdb and pg_basebackup for a standby (Debian's package postgresql)");
        databases = new StreamingPair();
        service = ServiceProcess.start(databases.primaryPort() + "/postgres",
                "-Ddataset.database.read-url=postgresql://127.0.0.1:" + databases.standbyPort() + "/postgres",
                "-Ddataset.database.max-replica-lag=PT3S", "-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key());
        anybody = new Api(service.url().toString(), null);
        admin = anybody.with(Caller.admin().key());
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
    void readersReadFromTheReplicaWhileItKeepsUpAndWritersFromThePrimary() throws Exception {
        awaitUsed(true);
        long before = count(anybody);
        // Private ones, too.
        long all = count(admin);

        databases.pauseStandby();
        create();
        // Nobody else knows of it yet: the replica may be some seconds behind.
        assertEquals(before, count(anybody));
        assertEquals(all + 1, count(admin));
        awaitUsed(false);
        assertEquals(before + 1, count(anybody));
        assertTrue(service.log().contains("Reads go to the primary: the replica is "), service::log);

        databases.resumeStandby();
        awaitUsed(true);
        assertEquals(before + 1, count(anybody));

        databases.stopStandby();
        assertEquals(200, anybody.get("/api/dataset/?p=2").statusCode());
        awaitUsed(false);
        create();
        assertEquals(before + 2, count(anybody));

        databases.startStandby();
        awaitUsed(true);
        assertEquals(before + 2, count(anybody));
        service.stopInOrder();
    }

    private static void create() {
        Api.json(201, admin.call("POST", "/api/dataset/",
                new JsonObject().put("dataset_name", "New").put("coordinates", List.of(47, 8))));
    }

    private static long count(Api api) {
        return api.json("/api/dataset/").getLong("count");
    }

    private static void awaitUsed(boolean used) {
        long started = System.nanoTime();
        while (!anybody.get("/q/metrics").body().contains("dataset_replica_used " + (used ? "1.0" : "0.0"))) {
            assertTrue(System.nanoTime() - started < PATIENCE, service::log);
        }
    }
}
