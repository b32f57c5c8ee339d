package io.datasetlisting.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files that the process of a test has open, also temporary ones without a name. */
public final class OpenFiles {

    private static final Path ALL = Path.of("/proc/self/fd");

    private OpenFiles() {
    }

    /** Whether the system says which files are open. */
    public static boolean areKnown() {
        return Files.isDirectory(ALL);
    }

    /** How many have a path with a name in it; 0 if they are not known. */
    public static long count(String name) throws IOException {
        if (!areKnown()) {
            return 0;
        }
        try (Stream<Path> files = Files.list(ALL)) {
            return files.filter(file -> target(file).contains(name)).count();
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            // It has been closed.
            return "";
        }
    }
}
