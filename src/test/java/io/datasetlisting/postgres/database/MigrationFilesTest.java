package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Checks rules for the text of migrations that a run on an empty database does not show. */
class MigrationFilesTest {

    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");

    private static final Pattern DROPPED_BEFORE_ITS_SUCCESSOR = Pattern.compile(
            "(?is)\\bdrop\\s+index\\s+(?:if\\s+exists\\s+)?(\\w+).*\\bcreate\\s+(?:unique\\s+)?index\\s+\\1\\b");

    @Test
    void noMigrationDropsAnIndexBeforeItsSuccessorExists() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                DROPPED_BEFORE_ITS_SUCCESSOR.matcher(Files.readString(file)).results()
                        .forEach(match -> wrong.add(file.getFileName() + ": " + match.group(1)));
            }
        }
        assertEquals(List.of(), wrong,
                "A drop locks the table against reads until the index is built: create, drop, rename");
    }

    @Test
    void theRuleFindsAnIndexThatIsBuiltWhileTheTableIsLocked() {
        assertTrue(DROPPED_BEFORE_ITS_SUCCESSOR.matcher("drop index a;\ncreate index a on t (b);").find());
    }
}
