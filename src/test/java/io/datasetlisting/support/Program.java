package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program of the machine that reads the service.
 *
 * @param folder
 *            the working directory
 * @param environment
 *            variables beside these of the tests
 */
public record Program(Path file, Path folder, Map<String, String> environment) {

    private static final int LONGEST_SECONDS = 240;
    private static final String OUTPUT = "output";
    private static final String ERRORS = "errors";

    public Program(Path file, Path folder) {
        this(file, folder, Map.of());
    }

    /** A program of GDAL. The calling test is skipped without it. */
    public static Program ofGdal(String name, Path folder) {
        return required(name, "GDAL (Debian's package gdal-bin)", folder);
    }

    /**
     * A program that is in the PATH. The calling test is skipped without it.
     *
     * @param program
     *            with the Debian package that contains it
     */
    public static Program required(String name, String program, Path folder) {
        File file = find(name);
        Requirement.require(file != null, program);
        return new Program(file.toPath(), folder);
    }

    /** The first of these programs that is in the PATH, or null. */
    public static File find(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(directory -> new File(directory, name)))
                .filter(File::canExecute).findFirst().orElse(null);
    }

    /** The same program with another variable of the environment. */
    public Program with(String name, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(name, value);
        return new Program(file, folder, more);
    }

    /** The output of the program, which must succeed. */
    public String run(String... arguments) throws IOException, InterruptedException {
        return runWithInput("", arguments);
    }

    public String runWithInput(String input, String... arguments) throws IOException, InterruptedException {
        int exit = exitCode(input, arguments);
        String problem = Files.readString(folder.resolve(ERRORS));
        assertEquals(0, exit, () -> file + " " + String.join(" ", arguments) + ": " + problem);
        return Files.readString(folder.resolve(OUTPUT));
    }

    public boolean succeeds(String... arguments) throws IOException, InterruptedException {
        return exitCode("", arguments) == 0;
    }

    /** The streams of the process are files, because a full pipe would block the process. */
    private int exitCode(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList();
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                .redirectInput(Files.writeString(folder.resolve("input"), input).toFile())
                .redirectOutput(folder.resolve(OUTPUT).toFile()).redirectError(folder.resolve(ERRORS).toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), () -> command + " does not end");
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
