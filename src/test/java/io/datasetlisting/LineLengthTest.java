package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that every line that people write fits beside another file: code, scripts, configuration, templates and documents. */
class LineLengthTest {

    private static final int MOST = 130;
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git", "node_modules");

    /** Files without a name extension are scripts. */
    private static final Pattern WRITTEN = Pattern.compile(
            "[^.]+|.*\\.(java|js|mjs|css|html|sql|ya?ml|properties|xml|md|sh|py|lua|txt|cfg|ini|jvm|native-micro)");

    /** Data of others, and the checksums and links of one line that no line break may divide. */
    private static final Pattern OTHERS = Pattern.compile("LICENSE|mvnw|src/test/resources/(golden|schemas)/.*");

    /** Rows of tables and of pictures in Markdown, and a list of PgBouncer. */
    private static final Pattern ONE_LINE = Pattern.compile("\\|.*|<picture>.*|\\s*ignore_startup_parameters = .*");

    @Test
    void noLineIsLongerThanTheLimit() throws IOException {
        List<String> tooLong = new ArrayList<>();
        Files.walkFileTree(Path.of(""), new SimpleFileVisitor<>() {

            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (WRITTEN.matcher(file.getFileName().toString()).matches()
                        && !OTHERS.matcher(file.toString()).matches()) {
                    List<String> lines = Files.readAllLines(file);
                    for (int i = 0; i < lines.size(); i++) {
                        String line = lines.get(i);
                        if (line.codePointCount(0, line.length()) > MOST && !ONE_LINE.matcher(line).matches()) {
                            tooLong.add(file + ":" + (i + 1));
                        }
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertEquals(List.of(), tooLong);
    }

    @ParameterizedTest
    @CsvSource({"README.md, 120", "bench/README.md, 150"})
    void aDocumentIsShort(Path document, int most) throws IOException {
        int lines = Files.readAllLines(document).size();
        assertTrue(lines <= most, () -> document + " has " + lines + " lines");
    }
}
