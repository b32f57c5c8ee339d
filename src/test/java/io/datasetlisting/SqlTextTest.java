package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * Checks which classes contain SQL text. ArchUnit does not see constants, so this test reads them from the class files.
 */
class SqlTextTest {

    private static final Pattern SQL = Pattern.compile("(?is)\\b(select\\s.*\\bfrom\\s|insert\\s+into\\s"
            + "|update\\s+\\w+\\s+set\\s|delete\\s+from\\s|(order|group)\\s+by\\s|(left|cross)\\s+join\\s"
            + "|union\\s+all\\s)");

    private static final Pattern MAY_HAVE_SQL = Pattern.compile("io/datasetlisting/(postgres/database|write/sample)/.*"
            + "|io/datasetlisting/[\\w/]+/(\\w+Repository|\\w+Sql|DatasetFields?)(\\$\\w+)?\\.class");

    @Test
    void sqlTextIsOnlyInRepositoriesAndInClassesNamedForIt() throws IOException, URISyntaxException {
        Path root = Path.of(Main.class.getResource("/io/datasetlisting/Main.class").toURI()).getParent().getParent()
                .getParent();
        List<Path> files;
        try (Stream<Path> all = Files.walk(root.resolve("io/datasetlisting"))) {
            files = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
        assertTrue(files.size() > 100, () -> files.size() + " classes");
        List<String> wrong = new ArrayList<>();
        int right = 0;
        for (Path file : files) {
            String name = root.relativize(file).toString();
            List<String> statements = texts(Files.readAllBytes(file)).stream().filter(text -> SQL.matcher(text).find())
                    .toList();
            if (MAY_HAVE_SQL.matcher(name).matches()) {
                right += statements.size();
            } else {
                statements.forEach(statement -> wrong.add(name + ": " + statement));
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(right > 30, right + " SQL texts");
    }

    /**
     * What later code must know of a part of a statement is a value, see
     * {@link io.datasetlisting.catalogue.query.SelectionSql}.
     */
    @Test
    void noClassReadsItsSqlToDecideSomething() throws IOException {
        Pattern reading = Pattern
                .compile("\\.(startsWith|endsWith|contains|replace(All|First)?|matches|indexOf|split)\\(|regex");
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of("src/main/java/io/datasetlisting"))) {
            files = all.filter(file -> file.toString()
                    .matches(".*/(query|search|grid|listing|rank)/\\w+(Sql|Repository)\\.java")).toList();
        }
        assertTrue(files.size() >= 10, files::toString);
        for (Path file : files) {
            assertEquals(List.of(), Files.readAllLines(file).stream().filter(reading.asPredicate()).toList(),
                    file::toString);
        }
    }

    /** The texts of a class file's constant pool. */
    private static List<String> texts(byte[] classFile) throws IOException {
        List<String> texts = new ArrayList<>();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        // Skips the magic number and the version.
        in.skipNBytes(8);
        int constants = in.readUnsignedShort();
        for (int i = 1; i < constants; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts.add(in.readUTF());
                // A long or a double takes two entries.
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                default -> throw new IOException("unknown kind of constant: " + tag);
            }
        }
        return texts;
    }
}
