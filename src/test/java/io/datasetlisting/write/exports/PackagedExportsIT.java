package io.datasetlisting.write.exports;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.ServiceProcess;
import io.restassured.response.Response;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests stored exports of two running packages, and of one that is started again. */
class PackagedExportsIT {

    private static final String PARQUET = "/exports/datasets.parquet";

    @AutoClose
    private static EmbeddedPostgres postgres;

    @TempDir
    Path folder;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    private ServiceProcess start(String database, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("-Ddataset.admin-token=" + Caller.admin().key(),
                "-Ddataset.bulk.spool=" + folder, "-Ddataset.exports.interval=PT1S"));
        options.addAll(List.of(more));
        return ServiceProcess.start(postgres.getPort() + "/" + database, options.toArray(String[]::new));
    }

    private static String database(String name) throws Exception {
        try (var connection = postgres.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("create database " + name);
        }
        return name;
    }

    private static Response get(ServiceProcess service, String path) {
        return given().redirects().follow(false).get(service.url().resolve(path));
    }

    private static String newest(ServiceProcess service) {
        Patience.await("an export").until(() -> get(service, PARQUET).statusCode() == 302);
        return URI.create(get(service, PARQUET).header("Location")).getPath();
    }

    @Test
    void oneInstanceWritesAndAllServeAndWithdraw() throws Exception {
        String database = database("instances");
        try (S3Server s3 = S3Server.start("exports", "secret")) {
            s3.createBucket("datasets");
            String[] storage = {"-Ddataset.exports.store=bucket", "-Ddataset.storage.url=" + s3.url(),
                    "-Ddataset.storage.access-key-id=exports", "-Ddataset.storage.secret-access-key=secret"};
            try (ServiceProcess first = start(database, Stream.concat(Stream.of(storage),
                    Stream.of("-Ddataset.sample.enabled=true", "-Ddataset.sample.generated=20000"))
                    .toArray(String[]::new)); ServiceProcess second = start(database, storage)) {
                first.use();
                long id = Caller.admin().create("{\"coordinates\":[1,2]}");
                second.url();
                Patience.pause(Duration.ofSeconds(5));
                String path = newest(second);
                assertEquals(200, get(first, path).statusCode());
                assertTrue(Arrays.equals(get(first, path).asByteArray(), get(second, path).asByteArray()));
                assertEquals(204, Caller.admin().delete(Listing.PATH + id + "/").statusCode());
                assertEquals(410, get(second, path).statusCode());
                assertEquals(410, get(first, path).statusCode());
                assertNotEquals(path, newest(second));
                first.kill();
                second.use();
                long another = Caller.admin().create("{\"coordinates\":[1,2]}");
                String before = newest(second);
                assertEquals(204, Caller.admin().delete(Listing.PATH + another + "/").statusCode());
                assertEquals(410, get(second, before).statusCode());
                String after = newest(second);
                Patience.await("only exports with a row are in the bucket").until(() -> {
                    try (var connection = postgres.getDatabase("postgres", database).getConnection()) {
                        var rows = connection.createStatement().executeQuery("select count(*) from stored_export");
                        rows.next();
                        return s3.list("datasets").stream().filter(key -> key.startsWith("exports/"))
                                .count() == 3 * rows.getLong(1);
                    }
                });
                assertEquals(200, get(second, after).statusCode());
            }
        }
    }

    @Test
    void aRestartKeepsTheFilesAndRemovesWhatAKilledInstanceHasLeft() throws Exception {
        String database = database("restarts");
        Path exports = Files.createDirectory(folder.resolve("exports"));
        String[] store = {"-Ddataset.exports.store=folder", "-Ddataset.exports.folder=" + exports};
        String path;
        byte[] bytes;
        try (ServiceProcess service = start(database, Stream.concat(Stream.of(store),
                Stream.of("-Ddataset.sample.enabled=true", "-Ddataset.sample.generated=20000"))
                .toArray(String[]::new))) {
            service.use();
            newest(service);
            long part = 0;
            // Killed while it writes: each change makes the next export begin.
            for (int i = 0; i < 200 && part == 0; i++) {
                Caller.admin().create("{\"coordinates\":[1,2]}");
                part = parts(exports);
                Patience.pause(Duration.ofMillis(100));
            }
            assertTrue(part > 0);
            path = newest(service);
            bytes = get(service, path).asByteArray();
            service.kill();
        }
        try (ServiceProcess service = start(database, store)) {
            service.use();
            assertTrue(Arrays.equals(bytes, get(service, path).asByteArray()));
            Caller.admin().create("{\"coordinates\":[1,2]}");
            Patience.await("another export").until(() -> !newest(service).equals(path));
            Patience.await("nothing is left of the killed instance").until(() -> parts(exports) == 0);
            service.stopInOrder();
        }
    }

    private static long parts(Path exports) throws IOException {
        try (Stream<Path> files = Files.list(exports)) {
            return files.filter(file -> file.toString().endsWith(".part")).count();
        }
    }
}
