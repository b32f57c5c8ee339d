package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A PostgreSQL that a test may stop, kill and freeze, and start again with all that it has written. */
public final class PostgresServer implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres running;
    private int port;

    public PostgresServer() throws IOException {
        // Below a folder of its own: PostgreSQL's user may own it.
        data = Files.createTempDirectory("postgres").resolve("data");
        start();
    }

    /** Again on the same port, with what is there. */
    public void start() throws IOException {
        running = EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).setPort(port)
                // As it is everywhere but here: else a killed one would have lost what it had confirmed.
                .setServerConfig("synchronous_commit", "on").start();
        port = running.getPort();
    }

    public int port() {
        return port;
    }

    /** In order, with all who are connected thrown out. */
    public void stop() throws IOException {
        running.close();
    }

    /** Without a word to anybody. */
    public void kill() throws IOException {
        List<ProcessHandle> all = processes();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        // Finds nothing to stop, and lets go of the folder.
        running.close();
    }

    /** It keeps its connections, takes new ones, and answers none. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        for (ProcessHandle process : processes()) {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start().waitFor();
        }
    }

    /** The one that starts the others comes first. */
    private List<ProcessHandle> processes() {
        try {
            long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
            ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
            return Stream.concat(Stream.of(first), first.descendants()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection of the test's own, as the superuser. */
    public Connection connect() throws SQLException {
        return running.getPostgresDatabase().getConnection();
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        running.close();
        try (Stream<Path> files = Files.walk(data.getParent())) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
