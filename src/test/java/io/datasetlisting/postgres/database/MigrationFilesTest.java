package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Checks rules for the text of migrations that a run on an empty database does not show. */
class MigrationFilesTest {

    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");

    /** The migrations of all releases, as {@code sha256sum} writes and checks them. */
    private static final Path RELEASED = Path.of("src/test/resources/released-migrations.sha256");

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
    void aReleasedMigrationKeepsItsBytes() throws IOException, NoSuchAlgorithmException {
        List<String> now = new ArrayList<>();
        for (String line : Files.readAllLines(RELEASED)) {
            Path file = Path.of(line.substring(line.indexOf(' ')).strip());
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            now.add(HexFormat.of().formatHex(hash) + "  " + file);
        }
        assertEquals(Files.readAllLines(RELEASED), now,
                "Flyway refuses databases on which the former text ran: write a new migration");
    }

    @Test
    void theRuleFindsAnIndexThatIsBuiltWhileTheTableIsLocked() {
        assertTrue(DROPPED_BEFORE_ITS_SUCCESSOR.matcher("drop index a;\ncreate index a on t (b);").find());
    }
}
