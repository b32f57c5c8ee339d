package io.datasetlisting.support;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.vertx.core.json.JsonObject;

/** The process of a headless Firefox with a profile of its own. Closing it ends all of its processes and deletes the profile. */
final class FirefoxProcess implements Closeable {

    private static final int EXIT_SECONDS = 20;

    /** Firefox writes the port of WebDriver BiDi into this file of the profile. */
    private static final String SERVER = "WebDriverBiDiServer.json";
    private static final String OUTPUT = "output";

    /** The rest that tests need is set by Firefox itself, because it listens for WebDriver BiDi. */
    private static final String PREFERENCES = """
            user_pref("network.proxy.type", 0);
            user_pref("dom.w3c_touch_events.enabled", 1);
            """;

    private final Path profile;
    private final Process process;

    private FirefoxProcess(Path profile, Process process) {
        this.profile = profile;
        this.process = process;
    }

    static FirefoxProcess start(File program) throws IOException {
        Path profile = Files.createTempDirectory("firefox");
        try {
            Files.writeString(profile.resolve("user.js"), PREFERENCES);
            ProcessBuilder builder = new ProcessBuilder(program.toString(), "--headless", "--no-remote", "--profile",
                    profile.toString(), "--remote-debugging-port", "0").redirectErrorStream(true)
                    .redirectOutput(profile.resolve(OUTPUT).toFile());
            // Firefox keeps crash reports and caches there.
            builder.environment().put("HOME", profile.toString());
            return new FirefoxProcess(profile, builder.start());
        } catch (IOException e) {
            delete(profile);
            throw e;
        }
    }

    /** Waits until Firefox listens for WebDriver BiDi, and returns the address. */
    URI address() {
        return Patience.await("the address of Firefox").ignoreExceptions().failFast(this::checkAlive)
                .until(this::writtenAddress, Objects::nonNull);
    }

    private void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("Firefox has ended: " + Files.readString(profile.resolve(OUTPUT)));
        }
    }

    private URI writtenAddress() throws IOException {
        JsonObject server = new JsonObject(Files.readString(profile.resolve(SERVER)));
        return URI.create("ws://" + server.getString("ws_host") + ':' + server.getInteger("ws_port") + "/session");
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().orTimeout(EXIT_SECONDS, TimeUnit.SECONDS).join();
        delete(profile);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
