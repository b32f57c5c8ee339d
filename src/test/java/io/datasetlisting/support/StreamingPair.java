package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A primary and a streaming standby of the machine's PostgreSQL, because the embedded PostgreSQL cannot be copied by
 * {@code pg_basebackup}.
 */
public final class StreamingPair implements AutoCloseable {

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private final Path folder;
    private final int primaryPort = freePort();
    private final int standbyPort = freePort();

    public StreamingPair() throws IOException, InterruptedException {
        folder = Files.createTempDirectory("streaming");
        if (isRoot()) {
            // PostgreSQL refuses to run as root.
            run("chown", "postgres", folder.toString());
        }
        postgres("initdb", "-D", data("primary"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
        start("primary", primaryPort);
        postgres("pg_basebackup", "-h", "127.0.0.1", "-p", Integer.toString(primaryPort), "-U", "postgres", "-D",
                data("standby"), "-R", "-X", "stream", "-c", "fast");
        startStandby();
    }

    /** Whether the machine has the programs that this class needs. */
    public static boolean isPossible() {
        return bin() != null;
    }

    private static Path bin() {
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("pg_basebackup"))
                            && Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder()).orElse(null);
        } catch (IOException e) {
            return null;
        }
    }

    public int primaryPort() {
        return primaryPort;
    }

    public int standbyPort() {
        return standbyPort;
    }

    public void startStandby() throws IOException, InterruptedException {
        start("standby", standbyPort);
    }

    public void stopStandby() throws IOException, InterruptedException {
        postgres("pg_ctl", "-D", data("standby"), "-m", "immediate", "stop");
    }

    /** Pauses the replay: the standby receives the changes of the primary, but does not show them. */
    public void pauseStandby() throws IOException, InterruptedException {
        standby("select pg_wal_replay_pause()");
    }

    public void resumeStandby() throws IOException, InterruptedException {
        standby("select pg_wal_replay_resume()");
    }

    private void standby(String sql) throws IOException, InterruptedException {
        postgres("psql", "-h", "127.0.0.1", "-p", Integer.toString(standbyPort), "-U", "postgres", "-qc", sql);
    }

    private void start(String name, int port) throws IOException, InterruptedException {
        postgres("pg_ctl", "-D", data(name), "-l", data(name + ".log"), "-w", "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''", "start");
    }

    private String data(String name) {
        return folder.resolve(name).toString();
    }

    private static void postgres(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.add(bin().resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        // Not a pipe, because the started server would keep the pipe open.
        Path output = Files.createTempFile("postgres", ".log");
        int exit = new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start().waitFor();
        assertEquals(0, exit, () -> String.join(" ", command) + ": see " + output);
        Files.delete(output);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (String name : List.of("standby", "primary")) {
            try {
                postgres("pg_ctl", "-D", data(name), "-m", "immediate", "stop");
            } catch (AssertionError | InterruptedException e) {
                // A test has already stopped this server.
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
