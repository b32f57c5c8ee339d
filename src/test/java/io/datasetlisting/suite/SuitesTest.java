package io.datasetlisting.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * Tests that {@link OtherSettingsSuite} names exactly the classes with a profile: elsewhere a class costs one more start of the
 * application.
 */
class SuitesTest {

    private static final Path SOURCES = Path.of("src/test/java");

    @Test
    void theSuiteNamesTheClassesWithAProfile() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> tests = files.filter(file -> file.toString().endsWith("Test.java")).toList();
            for (Path test : tests) {
                String name = SOURCES.relativize(test).toString().replace(".java", "").replace('/', '.');
                assertEquals(Files.readString(test).contains("\n@TestProfile("),
                        name.matches(OtherSettingsSuite.CLASSES), name);
            }
        }
    }
}
