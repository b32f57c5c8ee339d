package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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
     * A raster that GDAL makes, of 1,200 columns and 800 rows, with the upper left corner at 500000, 4000000. The calling test is
     * skipped without GDAL.
     *
     * @param folder
     *            of its files
     * @param size
     *            of a pixel
     */
    public static byte[] raster(Path folder, String format, String crs, double size, String... options)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("small.asc"),
                "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n3 4 5\n");
        Path file = folder.resolve("raster.tif");
        Files.deleteIfExists(file);
        List<String> arguments = new ArrayList<>(List.of("-of", format, "-a_srs", crs, "-outsize", "1200", "800",
                "-a_ullr", "500000", "4000000", Double.toString(500_000 + 1200 * size),
                Double.toString(4_000_000 - 800 * size)));
        for (String option : options) {
            Collections.addAll(arguments, "-co", option);
        }
        Collections.addAll(arguments, "small.asc", file.toString());
        ofGdal("gdal_translate", folder).run(arguments.toArray(String[]::new));
        return Files.readAllBytes(file);
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
