package io.datasetlisting.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** The package in a process of its own, beside an empty PostgreSQL of its own. */
public final class PackagedService implements AutoCloseable {

    public static final String ADMIN_TOKEN = "packaged-admin-token";

    private static final String READY = ".*Listening on: (\\S+).*";

    private final EmbeddedPostgres postgres;
    private final Process process;
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final String url;

    private PackagedService(EmbeddedPostgres postgres) throws IOException {
        this.postgres = postgres;
        process = new ProcessBuilder(command(postgres.getPort())).redirectErrorStream(true).start();
        CompletableFuture<String> listening = new CompletableFuture<>();
        // To the end, or the process would wait for room in the pipe.
        CompletableFuture.runAsync(() -> read(listening), work -> new Thread(work, "service's log").start());
        url = listening.join();
    }

    public static PackagedService start() throws IOException {
        EmbeddedPostgres postgres = EmbeddedPostgres.start();
        try {
            return new PackagedService(postgres);
        } catch (IOException | RuntimeException e) {
            postgres.close();
            throw e;
        }
    }

    private static List<String> command(int databasePort) {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                "-Dquarkus.http.port=0", "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.datasource.reactive.url=postgresql://127.0.0.1:" + databasePort + "/postgres",
                "-Dquarkus.datasource.username=postgres", "-Dquarkus.datasource.password=postgres",
                "-Ddataset.admin-token=" + ADMIN_TOKEN, "-Ddataset.storage.access-key-id=test",
                "-Ddataset.storage.secret-access-key=test",
                "-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString());
    }

    private void read(CompletableFuture<String> listening) {
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(line -> {
                log.add(line);
                if (line.matches(READY)) {
                    listening.complete(line.replaceAll(READY, "$1"));
                }
            });
        } catch (IOException e) {
            log.add(e.toString());
        }
        listening.completeExceptionally(new IllegalStateException("not started:\n" + String.join("\n", log)));
    }

    public String url() {
        return url;
    }

    /** All that it has written so far. */
    public List<String> log() {
        return new ArrayList<>(log);
    }

    public Connection database() throws SQLException {
        return postgres.getPostgresDatabase().getConnection();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        postgres.close();
    }
}
