package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Metrics;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.TlsPostgres;
import io.vertx.core.json.JsonObject;

/** Tests the package with a server that demands TLS, and with a password that changes. */
class TlsIT {

    @TempDir
    private static Path folder;
    private static TlsPostgres postgres;
    private static Path password;

    @BeforeAll
    static void start() throws Exception {
        postgres = new TlsPostgres(folder);
        password = folder.resolve("password");
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    private static ServiceProcess start(String host, String authority, String... more) throws Exception {
        postgres.setPassword("first");
        Files.writeString(password, "first\n");
        String url = "postgresql://%s:%d/postgres?sslmode=verify-full&sslrootcert=%s".formatted(host, postgres.port(),
                postgres.file(authority));
        List<String> options = new ArrayList<>(List.of("-Dquarkus.datasource.reactive.url=" + url,
                "-Ddataset.database.read-url=" + url, "-Dquarkus.datasource.username=datasets",
                "-Ddataset.database.password-file=" + password, "-Ddataset.admin-token=" + Caller.admin().key()));
        options.addAll(List.of(more));
        return ServiceProcess.start(postgres.port() + "/postgres", options.toArray(String[]::new));
    }

    @Test
    void allConnectionsHaveTlsAndANewPasswordNeedsNoRestart() throws Exception {
        try (ServiceProcess service = start("localhost", "right")) {
            Api admin = new Api(service.url().toString(), Caller.admin().key());
            assertTrue(service.log().contains("[org.fly."), service::log);
            awaitReplica(service);
            assertEquals("0", postgres.value(
                    "select count(*) from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'datasets' and not ssl"));
            postgres.setPassword("second");
            Files.writeString(password, "second\n");
            postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'datasets'");
            Patience.await("connections with the new password")
                    .until(() -> admin.get("/api/dataset/").statusCode() == 200);
            Api.json(201, admin.call("POST", "/api/dataset/", new JsonObject()));
            awaitReplica(service);
            assertFalse(service.log().contains("password authentication failed"), service::log);
            service.stopInOrder();
        }
    }

    private static void awaitReplica(ServiceProcess service) {
        Api anonymous = new Api(service.url().toString(), null);
        Metrics.awaitMetric(anonymous, "dataset_replica_used", 1);
        anonymous.json("/api/dataset/");
    }

    @Test
    void theLogSaysThatTheAuthorityOrTheNameIsWrong() throws Exception {
        assertTrue(failedStart("localhost", "wrong").contains("unable to find valid certification path"));
        assertTrue(failedStart("127.0.0.1", "right").contains("No subject alternative names"));
    }

    private static String failedStart(String host, String authority) throws Exception {
        try (ServiceProcess service = start(host, authority, "-Ddataset.database.start-timeout=1s")) {
            assertEquals(1, service.awaitExit(), service::log);
            return service.log();
        }
    }
}
