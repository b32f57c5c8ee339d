package io.datasetlisting.postgres.replica;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.FreePort;
import io.datasetlisting.support.HaProxy;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.StreamingPair;
import io.vertx.core.json.JsonObject;

/** Tests a primary that dies with changes which no standby has received, and a database that another one replaces. */
class LostCommitsIT {

    private static final Duration MAX_LAG = Duration.ofSeconds(10);

    private static ServiceProcess start(String primary, StreamingPair databases, String database) throws Exception {
        return ServiceProcess.start(primary + '/' + database,
                "-Ddataset.database.read-url=postgresql://127.0.0.1:" + databases.standbyPort() + '/' + database,
                "-Ddataset.database.max-replica-lag=" + MAX_LAG, "-Ddataset.sample.enabled=true",
                "-Ddataset.http.request-timeout=PT4S", "-Ddataset.admin-token=" + Caller.admin().key());
    }

    private static long create(Api admin) {
        return Api.json(201, admin.call("POST", "/api/dataset/",
                new JsonObject().put("dataset_name", "New").put("coordinates", List.of(47, 8)))).getLong("id");
    }

    @SuppressWarnings("try")
    @Test
    void readsGoOnWithoutAPrimaryAndNoIdOfALostDatasetIsGivenAgain() throws Exception {
        HaProxy.require();
        int port = FreePort.find();
        try (StreamingPair databases = new StreamingPair();
                HaProxy balancer = HaProxy.beforeDatabases(databases.primaryPort(), databases.standbyPort(),
                        port);
                ServiceProcess service = start(Integer.toString(port), databases, "postgres")) {
            Api anonymous = new Api(service.url().toString(), null);
            Api admin = anonymous.with(Caller.admin().key());
            create(admin);
            awaitMetric(anonymous, "dataset_replica_used", 1);
            databases.stopReceiving();
            Set<Long> lost = new TreeSet<>();
            for (int i = 0; i < 3; i++) {
                lost.add(create(admin));
            }
            // The service has asked for the new end of the log.
            Patience.pause(Duration.ofSeconds(1));
            databases.stopPrimary();

            long end = System.nanoTime() + MAX_LAG.plusSeconds(5).toNanos();
            Set<Integer> statuses = new TreeSet<>();
            for (int i = 0; System.nanoTime() < end; i++) {
                for (String path : List.of("/api/dataset/?page_size=2&i=" + i, "/api/dataset/?category=Forest&i=" + i,
                        "/stac/search?limit=1", "/q/health/ready")) {
                    statuses.add(anonymous.get(path).statusCode());
                }
            }
            assertEquals(Set.of(200), statuses, service::log);

            databases.promoteStandby();
            Patience.await("the new primary takes writes").until(() -> admin.call("POST", "/api/dataset/",
                    new JsonObject().put("dataset_name", "After").put("coordinates", List.of(47, 8)))
                    .statusCode() == 201);
            Set<Long> given = new TreeSet<>();
            for (int i = 0; i < 100; i++) {
                given.add(create(admin));
            }
            lost.forEach(id -> assertEquals(404,
                    admin.call("PATCH", "/api/dataset/" + id + "/", new JsonObject().put("dataset_name", "Late"))
                            .statusCode()));
            long largest = lost.stream().mapToLong(Long::longValue).max().orElseThrow();
            assertTrue(given.stream().allMatch(id -> id > largest + 900_000), () -> lost + " and " + given);
            // The numbers have one gap.
            assertEquals(99, given.stream().mapToLong(Long::longValue).max().orElseThrow()
                    - given.stream().mapToLong(Long::longValue).min().orElseThrow());
        }
    }

    /** A standby keeps the sessions of a database that is renamed. */
    @Test
    void aDatabaseThatTakesTheNameIsReadWithinSeconds() throws Exception {
        try (StreamingPair databases = new StreamingPair()) {
            databases.primary("postgres", "create database catalogue");
            try (ServiceProcess service = start(Integer.toString(databases.primaryPort()), databases, "catalogue")) {
                Api anonymous = new Api(service.url().toString(), null);
                create(anonymous.with(Caller.admin().key()));
                awaitMetric(anonymous, "dataset_replica_used", 1);
                databases.copyDatabase("catalogue", "restored");
                databases.primary("restored", "update dataset set dataset_name = 'Restored'");
                databases.primary("postgres", """
                        do $$ begin
                            alter database catalogue allow_connections false;
                            perform pg_terminate_backend(pid) from pg_stat_activity where datname = 'catalogue';
                        end $$""");
                databases.primary("postgres", "alter database catalogue rename to replaced");
                Set<Integer> statuses = new TreeSet<>();
                for (int i = 0; i < 20; i++) {
                    statuses.add(anonymous.get("/api/dataset/?ordering=id,user&i=" + i).statusCode());
                }
                databases.primary("postgres", "alter database restored rename to catalogue");
                Patience.await("the restored datasets").atMost(Duration.ofSeconds(20)).until(() -> {
                    var response = anonymous.get("/api/dataset/?ordering=id,user&i=" + System.nanoTime());
                    statuses.add(response.statusCode());
                    return response.body().contains("\"dataset_name\":\"Restored\"");
                });
                for (int i = 0; i < 50; i++) {
                    var response = anonymous.get("/api/dataset/?ordering=id,user&after=" + i);
                    statuses.add(response.statusCode());
                    assertTrue(response.statusCode() == 503
                            || response.body().contains("\"dataset_name\":\"Restored\""), response::body);
                }
                statuses.removeAll(Set.of(200, 503));
                assertEquals(Set.of(), statuses, service::log);
            }
        }
    }
}
