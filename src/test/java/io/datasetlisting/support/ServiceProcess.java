package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.restassured.RestAssured;

/** Runs the package in its own process, as an operator does. */
public final class ServiceProcess implements AutoCloseable {

    private static final Path APP = Path.of("target", "quarkus-app");

    /** The native executable of the build, or null if the build made a jar. */
    private static final Path EXECUTABLE = executable();

    /** Of a line of text or of JSON. */
    private static final Pattern LISTENING = Pattern.compile("Listening on: ([^\\s\"]+)");
    private static final int EXIT_SECONDS = 180;

    private final Process process;
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<URI> address = new CompletableFuture<>();
    private final Thread reader = new Thread(this::read, "log of the service");

    private ServiceProcess(Process process) {
        this.process = process;
        // Reads to the end, because a full pipe would block the process.
        reader.start();
    }

    /**
     * @param database
     *            port and name: {@code 5432/datasets}
     * @param properties
     *            {@code -Dkey=value} each; the last one of a key counts
     */
    public static ServiceProcess start(String database, String... properties) throws IOException {
        return start(Map.of("AWS_ACCESS_KEY_ID", "from the environment", "AWS_SECRET_ACCESS_KEY", "secret"), database,
                properties);
    }

    /** Starts the package with other environment variables. */
    public static ServiceProcess start(Map<String, String> environment, String database, String... properties)
            throws IOException {
        return start(program(), environment, database, properties);
    }

    /** Starts the program of another build: a native executable, or a jar. */
    public static ServiceProcess start(Path program, Map<String, String> environment, String database,
            String... properties) throws IOException {
        List<String> options = new ArrayList<>(List.of("-Dquarkus.http.port=0", "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.datasource.reactive.url=postgresql://127.0.0.1:" + database,
                "-Dquarkus.datasource.username=postgres", "-Dquarkus.datasource.password=postgres"));
        options.addAll(List.of(properties));
        List<String> command = command(program, options);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        builder.environment().putAll(environment);
        return new ServiceProcess(builder.start());
    }

    private static List<String> command(Path program, List<String> options) {
        boolean isJar = program.toString().endsWith(".jar");
        List<String> command = new ArrayList<>();
        command.add(isJar ? Path.of(System.getProperty("java.home"), "bin", "java").toString() : program.toString());
        command.add("-Xmx256m");
        if (isJar) {
            // A test is too short for the second compiler to save more time than it costs.
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        command.addAll(options);
        if (isJar) {
            command.addAll(List.of("-jar", program.toString()));
        }
        return command;
    }

    /**
     * The folder of the package. The calling test is skipped if the package is a native executable, which has no folder of jars.
     */
    public static Path folder() {
        assumeTrue(EXECUTABLE == null, "A native executable has no folder of jars");
        return APP;
    }

    /** The exit code of the package when it checks the readiness of a service. */
    public static int health(URI service) throws IOException, InterruptedException {
        List<String> command = command(program(), List.of("-Dquarkus.http.port=" + service.getPort()));
        command.add("health");
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** The native executable of the build, or the jar. */
    public static Path program() {
        return EXECUTABLE == null ? APP.resolve("quarkus-run.jar") : EXECUTABLE;
    }

    private static Path executable() {
        Properties artefact = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of("target", "quarkus-artifact.properties"))) {
            artefact.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return artefact.getProperty("type").startsWith("native")
                ? Path.of("target").resolve(artefact.getProperty("path"))
                : null;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(line -> {
                log.add(line);
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    address.complete(URI.create(listening.group(1)));
                }
            });
        } catch (IOException | UncheckedIOException e) {
            log.add(e.toString());
        }
        address.completeExceptionally(new IllegalStateException("not started:\n" + log()));
    }

    /** Waits until the service listens, and returns its address. */
    public URI url() {
        return address.join();
    }

    /** Makes the clients of the tests call this service. */
    public ServiceProcess use() {
        RestAssured.baseURI = "http://" + url().getHost();
        RestAssured.port = url().getPort();
        return this;
    }

    /** The log so far. */
    public String log() {
        return String.join("\n", log);
    }

    /** The resident memory of the process, or 0 if the system does not report it. */
    public long residentMebibytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream().filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024).sum();
    }

    /**
     * The memory of all live objects of the heap, after a collection; 0 for a native executable, which has no tool that tells it.
     */
    public long liveMebibytes() throws IOException, InterruptedException {
        if (EXECUTABLE != null) {
            return 0;
        }
        Process tool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()), "GC.class_histogram").start();
        try (BufferedReader lines = tool.inputReader()) {
            String total = lines.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
            return Long.parseLong(total.strip().split("\\s+")[2]) >> 20;
        }
    }

    /** Asks the process to end. Its handle does so: {@link Process#destroy()} closes the log before its last lines are read. */
    public ServiceProcess stop() {
        process.toHandle().destroy();
        return this;
    }

    /** Kills the process. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        awaitExit();
    }

    /** Waits until the process has ended and the log is complete, and returns the exit code. */
    public int awaitExit() throws InterruptedException {
        assertTrue(process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS), this::log);
        reader.join();
        return process.exitValue();
    }

    /** Asks the process to end, and asserts that it ends in order. */
    public void stopInOrder() throws InterruptedException {
        assertEquals(143, stop().awaitExit(), this::log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        RestAssured.reset();
    }
}
