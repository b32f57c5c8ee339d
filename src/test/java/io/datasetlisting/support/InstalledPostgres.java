package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Servers of the machine's PostgreSQL in one temporary folder, and its programs. The embedded PostgreSQL has no {@code pg_dump}
 * and no {@code pg_basebackup}.
 */
public final class InstalledPostgres implements AutoCloseable {

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private final Path folder;
    private final List<String> servers = new ArrayList<>();

    /** Skips the calling test on a machine without the programs. */
    public InstalledPostgres() throws IOException, InterruptedException {
        Requirement.require(bin() != null,
                "initdb, pg_basebackup, pg_dump and pg_restore (Debian's package postgresql)");
        folder = Files.createTempDirectory("installed-postgres");
        if (isRoot()) {
            // PostgreSQL refuses to run as root.
            exec("chown", "postgres", folder.toString());
        }
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

    public void create(String server) throws IOException, InterruptedException {
        run("initdb", "-D", path(server), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                "--no-sync");
    }

    public void start(String server, int port, String... settings) throws IOException, InterruptedException {
        servers.add(server);
        run("pg_ctl", "-D", path(server), "-l", path(server + ".log"), "-w", "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off "
                        + String.join(" ", settings),
                "start");
    }

    public void stop(String server) throws IOException, InterruptedException {
        run("pg_ctl", "-D", path(server), "-m", "immediate", "stop");
    }

    /** Stops a server in order: its standbys receive all of its log before it ends. */
    public void stopInOrder(String server) throws IOException, InterruptedException {
        run("pg_ctl", "-D", path(server), "-m", "fast", "-w", "stop");
    }

    /** Stops all processes of a server with the signal STOP, or resumes them with CONT. */
    public void signal(String server, String signal) throws IOException, InterruptedException {
        long postmaster = Long.parseLong(Files.readAllLines(folder.resolve(server).resolve("postmaster.pid")).get(0));
        ProcessHandle first = ProcessHandle.of(postmaster).orElseThrow();
        // The postmaster first, so that it starts no more processes. A backend may end before its signal.
        exec("kill", "-" + signal, Long.toString(postmaster));
        for (ProcessHandle process : first.descendants().toList()) {
            exec("sh", "-c", "kill -%s %d || ! kill -0 %2$d".formatted(signal, process.pid()));
        }
    }

    /** A path in the folder. */
    public String path(String name) {
        return folder.resolve(name).toString();
    }

    /** Runs a program of PostgreSQL and returns its output. */
    public String run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        command.add(bin().resolve(program).toString());
        command.addAll(List.of(arguments));
        return exec(command.toArray(String[]::new));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static String exec(String... command) throws IOException, InterruptedException {
        // Not a pipe, because the started server would keep the pipe open.
        Path output = Files.createTempFile("postgres", ".log");
        int exit = new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start().waitFor();
        String text = Files.readString(output);
        Files.delete(output);
        assertEquals(0, exit, () -> String.join(" ", command) + ": " + text);
        return text.strip();
    }

    @Override
    public void close() throws IOException {
        for (String server : servers) {
            try {
                stop(server);
            } catch (AssertionError | InterruptedException e) {
                // A test has already stopped this server.
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
