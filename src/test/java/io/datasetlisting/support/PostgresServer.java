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

/** A PostgreSQL server that a test can stop, kill, freeze, and start again with its data. */
public final class PostgresServer implements AutoCloseable {

    private final Path data;
    private EmbeddedPostgres running;
    private int port;

    public PostgresServer() throws IOException {
        // A subfolder, because the data folder may belong to the user of PostgreSQL.
        data = Files.createTempDirectory("postgres").resolve("data");
        start();
    }

    /** Starts the server on the same port with the same data. */
    public void start() throws IOException {
        running = EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).setPort(port)
                // PostgreSQL's own default. Without it, a killed server loses confirmed writes.
                .setServerConfig("synchronous_commit", "on").setServerConfig("max_prepared_transactions", "1").start();
        port = running.getPort();
    }

    public int port() {
        return port;
    }

    /** Stops the server in order, which closes all connections. */
    public void stop() throws IOException {
        running.close();
    }

    /** Kills all processes of the server. */
    public void kill() throws IOException {
        List<ProcessHandle> all = processes();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        // The server has already ended. This call releases the folder.
        running.close();
    }

    /** Freezes the server: it keeps its connections and accepts new ones, but answers none. */
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

    /** The processes of the server, with the postmaster first. */
    private List<ProcessHandle> processes() {
        try {
            long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
            ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
            return Stream.concat(Stream.of(first), first.descendants()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a connection as superuser. */
    public Connection connect() throws SQLException {
        return running.getPostgresDatabase().getConnection();
    }

    /** The same for a database of this name. */
    public Connection connect(String name) throws SQLException {
        return running.getDatabase("postgres", name).getConnection();
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
