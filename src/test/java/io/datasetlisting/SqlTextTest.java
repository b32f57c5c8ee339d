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
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * Checks which classes contain SQL text, and that the document names the classes of each table. ArchUnit does not see constants,
 * so this test reads them from the class files.
 */
class SqlTextTest {

    private static final Pattern SQL = Pattern.compile("(?is)\\b(select\\s.*\\bfrom\\s|insert\\s+into\\s"
            + "|update\\s+\\w+\\s+set\\s|delete\\s+from\\s|(order|group)\\s+by\\s|(left|cross)\\s+join\\s"
            + "|union\\s+all\\s)");

    private static final Pattern TABLE = Pattern.compile("(?m)^create table (\\w+) \\(");
    private static final Set<String> READ_BY_MANY = Set.of("account", "dataset");

    private static final Pattern MAY_HAVE_SQL = Pattern.compile("io/datasetlisting/(postgres/database|write/sample)/.*"
            + "|io/datasetlisting/[\\w/]+/(\\w+Repository|\\w+Sql|DatasetFields?)(\\$\\w+)?\\.class");

    @Test
    void sqlTextIsOnlyInRepositoriesAndInClassesNamedForIt() throws IOException, URISyntaxException {
        Path root = Path.of(Main.class.getResource("/io/datasetlisting/Main.class").toURI()).getParent().getParent()
                .getParent();
        List<Path> files = files(root.resolve("io/datasetlisting"), ".class");
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

    /** The table of the database in {@code docs/architecture.md}. Too many classes read the two tables of most values. */
    @Test
    void theDocumentNamesTheClassesThatUseATable() throws IOException {
        String section = Files.readString(Path.of("docs/architecture.md")).replaceFirst("(?s).*\n## The database\n", "")
                .replaceFirst("(?s)\n##.*", "");
        List<Path> classes = files(Path.of("src/main/java"), ".java");
        List<String> missing = new ArrayList<>();
        int uses = 0;
        for (Path migration : files(Path.of("src/main/resources/db/migration"), ".sql")) {
            for (MatchResult created : TABLE.matcher(Files.readString(migration)).results().toList()) {
                String table = created.group(1);
                String row = section.lines().filter(line -> line.split("\\|", 3).length == 3
                        && line.split("\\|")[1].contains('`' + table + '`')).findFirst().orElse("");
                Pattern use = Pattern.compile("\\b(insert into|update|delete from"
                        + (READ_BY_MANY.contains(table) ? "" : "|from|join") + ")\\s+" + table + "\\b");
                for (Path file : classes) {
                    String name = file.getFileName().toString().replace(".java", "");
                    if (use.matcher(Files.readString(file)).find()) {
                        uses++;
                        if (!row.contains('`' + name + '`')) {
                            missing.add(table + ": " + name);
                        }
                    }
                }
                if (row.isEmpty()) {
                    missing.add(table);
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(uses > 40, uses + " uses of tables");
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(end)).sorted().toList();
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
