package io.datasetlisting.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * Tests that {@link OtherSettingsSuite} names exactly the classes with a profile, and {@link NightlySuite} those with a tag:
 * elsewhere a class costs one more start of the application, or no run has it.
 */
class SuitesTest {

    private static final Pattern TAG = Pattern.compile("^ *@Tag\\(NightlySuite\\.TAG\\)$", Pattern.MULTILINE);
    private static final Pattern TAG_OF_CLASS = Pattern.compile("^@Tag\\(NightlySuite\\.TAG\\)$", Pattern.MULTILINE);
    private static final Path SOURCES = Path.of("src/test/java");

    @Test
    void theSuitesNameTheClassesWithAProfileAndThoseOfTheNightlyRun() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> tests = files.filter(file -> file.toString().endsWith("Test.java")).toList();
            for (Path test : tests) {
                String name = SOURCES.relativize(test).toString().replace(".java", "").replace('/', '.');
                String text = Files.readString(test);
                assertEquals(text.contains("\n@TestProfile("), name.matches(OtherSettingsSuite.CLASSES), name);
                assertEquals(TAG.matcher(text).find(), name.matches(NightlySuite.CLASSES), name);
                assertEquals(TAG_OF_CLASS.matcher(text).find(), name.matches(NightlySuite.WHOLE_CLASSES), name);
            }
        }
    }
}
