package io.datasetlisting.faces.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergedPartsTest {

    private static final int MOST_LINES = 700;
    private static final Path PARTS = Path.of("src/main/openapi");

    @TempDir
    Path folder;

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".yaml"), text);
    }

    @Test
    void eachPartIsShort() throws IOException {
        List<String> tooLong = new ArrayList<>();
        try (Stream<Path> parts = Files.list(PARTS)) {
            for (Path part : parts.toList()) {
                int lines = Files.readAllLines(part).size();
                if (lines > MOST_LINES) {
                    tooLong.add(part + ": " + lines);
                }
            }
        }
        assertEquals(List.of(), tooLong);
    }

    /** Generators of clients stumble over references to path items. A second text would have to change with the first one. */
    @Test
    void eachPathItemAndOperationIsWrittenOnceAndInPlace() throws Exception {
        Map<String, Object> document = new MergedParts().document();
        assertFalse(((Map<?, ?>) document.get("components")).containsKey("pathItems"));
        Map<Object, Object> written = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        ((Map<?, ?>) document.get("paths")).forEach((path, item) -> {
            Stream.concat(Stream.of(item), ((Map<?, ?>) item).values().stream()
                    .filter(value -> value instanceof Map<?, ?> operation && operation.containsKey("tags")))
                    .forEach(value -> {
                        // An alias is the object that its anchor marks.
                        Object other = written.putIfAbsent(value, value);
                        if (other != null && other != value) {
                            wrong.add(path + ": " + value);
                        }
                    });
            if (((Map<?, ?>) item).containsKey("$ref")) {
                wrong.add(path + ": $ref");
            }
        });
        assertEquals(List.of(), wrong);
    }

    @Test
    void thePartsFollowInTheOrderOfTheFirstOne() throws Exception {
        write("document", "openapi: 3.1.0\nx-parts: [z, a]\ncomponents: {schemas: {One: {type: string}}}\n");
        write("z", "paths:\n  /z: &item {summary: 2024-01-01, description: no}\n  /y: *item\n");
        write("a", "paths: {/a: {get: {x: 1, deprecated: true}}}\ncomponents: {schemas: {Two: {const: null}}}\n");

        MergedParts merged = new MergedParts(folder, folder);
        assertEquals(
                "{openapi=3.1.0, paths={/z={summary=2024-01-01, description=no}, /y={summary=2024-01-01, description=no}, "
                        + "/a={get={x=1, deprecated=true}}}, components={schemas={One={type=string}, Two={const=null}}}}",
                merged.document().toString());
        assertEquals(List.of("/z", "/y", "/a"), List.copyOf(merged.buildModel().getPaths().getPathItems().keySet()));
        assertEquals("no", merged.buildModel().getPaths().getPathItem("/y").getDescription());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "paths: {/a: {}} | paths: {/a: {}} | path /a is in a.yaml and in b.yaml",
            "components: {schemas: {S: {}}} | components: {schemas: {S: {}}} | schemas S is in a.yaml and in b.yaml",
            "paths: {} | components: {schemas: {First: {}}} | schemas First is in document.yaml and in b.yaml",
            "info: {} | paths: {} | a.yaml has info",
            "paths: {} | paths: {/a: {}, /a: {}} | b.yaml: while constructing a mapping"})
    void aPartThatDoesNotFitIsNamed(String first, String second, String message) throws IOException {
        write("document", "x-parts: [a, b]\ncomponents: {schemas: {First: {}}}\n");
        write("a", first);
        write("b", second);
        MergedParts merged = new MergedParts(folder, folder);
        String actual = assertThrows(IllegalStateException.class, merged::document).getMessage();
        assertEquals(message, actual.substring(0, Math.min(message.length(), actual.length())));
    }

    @Test
    void aPartThatIsNotNamedIsAnError() throws IOException {
        write("document", "x-parts: [a]\ncomponents: {}\n");
        write("a", "paths: {}");
        write("new", "paths: {}");
        MergedParts merged = new MergedParts(folder, folder);
        assertEquals(
                "x-parts of document.yaml names [a.yaml, document.yaml], and there are [a.yaml, document.yaml, new.yaml]",
                assertThrows(IllegalStateException.class, merged::document).getMessage());
    }

    @Test
    void anotherDocumentAmongTheClassesIsAnError() throws IOException {
        Files.createFile(Files.createDirectory(folder.resolve("META-INF")).resolve("openapi.yaml"));
        MergedParts merged = new MergedParts(PARTS, folder);
        assertEquals("META-INF/openapi.yaml is in " + folder + ": run ./mvnw clean",
                assertThrows(IllegalStateException.class, merged::document).getMessage());
    }
}
