package io.datasetlisting.http;

import static io.datasetlisting.support.Caller.anonymous;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests the addresses of the files of the pages. */
@QuarkusTest
class StaticFilesTest {

    private static final String KEPT = "public, max-age=31536000, immutable";
    private static final String REVALIDATED = "public, max-age=0, must-revalidate";
    private static final Path RESOURCES = Path.of("src", "main", "resources");
    private static final Pattern FILE = Pattern
            .compile("<(?:script|link|img)\\b[^>]*(?:src|href)=\"([^\"]+[.](?:js|css|svg|json))\"");
    private static final Pattern IMPORT = Pattern.compile("(?m)^(?:import|export)\\b[^;]*?\\bfrom '([^']+)'");

    private static Set<URI> addresses(URI base, Pattern pattern, String text) {
        Set<URI> addresses = new LinkedHashSet<>();
        pattern.matcher(text).results().forEach(match -> addresses.add(base.resolve(match.group(1))));
        return addresses;
    }

    private static String get(String path, String lifetime) {
        return anonymous().get(path).then().statusCode(200).header("Cache-Control", equalTo(lifetime)).extract()
                .asString();
    }

    /** A module that an address without version imports would be asked for again and again, or be older than the page. */
    @ParameterizedTest
    @ValueSource(strings = {"/datasets/", "/stac/collections/datasets", "/nowhere/at/all", "/stac/api.html"})
    void cachesKeepAllFilesOfAPageAndTheModulesThatTheyImport(String page) {
        String html = anonymous().request().accept("text/html").get(page).asString();
        Set<URI> files = addresses(URI.create(page), FILE, html);
        assertTrue(files.size() >= 3, html);
        for (URI file : files) {
            String text = get(file.toString(), KEPT);
            if (file.getPath().endsWith(".js")) {
                addresses(file, IMPORT, text).forEach(module -> get(module.toString(), KEPT));
            }
        }
    }

    /** The joined file has no import. Its parts import no other modules, which would be missing in it. */
    @Test
    void thePageNeedsOneModule() throws IOException {
        URI script = URI.create("/assets/page.js");
        assertEquals(Set.of(), addresses(script, IMPORT, get(script.toString(), REVALIDATED)));
        try (Stream<Path> files = list(RESOURCES.resolve("web"))) {
            List<Path> parts = files
                    .filter(file -> file.toString().endsWith(".js") && isPart("/assets/" + file.getFileName()))
                    .toList();
            assertTrue(parts.size() > 5, parts::toString);
            for (Path part : parts) {
                addresses(script, IMPORT, Files.readString(part))
                        .forEach(module -> assertTrue(isPart(module.toString()), part + " imports " + module));
            }
        }
    }

    private static boolean isPart(String module) {
        return get(module, REVALIDATED).equals("export * from './page.js';\n");
    }

    /** During an update, a page of one version may ask an instance of another version for its files. */
    @ParameterizedTest
    @CsvSource({"/assets/, page.js", "/assets/, page.css", "/assets/, land.json", "/stac/api/, page.js"})
    void anotherVersionHasTheSameFileWhichCachesRevalidate(String folder, String file) {
        String kept = get(StaticFiles.address("/", folder) + file, KEPT);
        assertEquals(kept, get(folder + "of-another-version/" + file, REVALIDATED));
        assertEquals(kept, get(folder + file, REVALIDATED));
    }

    /** Parts of 30 by 30 degrees, from the north-west: the one of the Alps, and the one of the ocean behind Cape Horn. */
    @Test
    void eachPartOfTheGroundIsAFile() {
        for (int part = 0; part < 72; part++) {
            JsonObject ground = new JsonObject(get("/assets/ground-" + part + ".json", REVALIDATED));
            assertEquals(50, ground.getInteger("scale"));
            assertEquals(part == 18, ground.getJsonArray("labels").stream()
                    .anyMatch(label -> ((JsonArray) label).getString(0).equals("Zürich")), "part " + part);
        }
        for (String other : List.of("72", "99", "100", "-1", "x", "01", "1e0", "0/0")) {
            RestAssured.given().get("/assets/ground-" + other + ".json").then().statusCode(404);
        }
    }

    @ParameterizedTest
    @CsvSource({"page.js, text/javascript; charset=utf-8", "page.css, text/css; charset=utf-8",
            "land.json, application/json", "icon.svg, image/svg+xml"})
    void aTextNamesItsCharset(String file, String type) {
        anonymous().get(StaticFiles.ASSETS + file).then().header("Content-Type", equalTo(type));
    }

    /** Comments are a quarter of the bytes of scripts, and only readers of the source need them. All lines of code stay. */
    @ParameterizedTest
    @ValueSource(strings = {"place.js", "form.js", "draw.js"})
    void browsersGetNoComments(String file) throws IOException {
        assertEquals(
                Files.readAllLines(RESOURCES.resolve("web").resolve(file)).stream().map(String::strip)
                        .filter(line -> !line.matches("(//|/\\*|\\*).*")).toList(),
                get("/assets/" + file, REVALIDATED).lines().toList());
    }

    @Test
    void eachFileHasAnAddress() throws IOException {
        try (Stream<Path> files = Stream.of("web", "docs").flatMap(folder -> list(RESOURCES.resolve(folder)))) {
            Set<String> names = new LinkedHashSet<>();
            files.forEach(file -> names.add((file.getParent().endsWith("web") ? "/assets/" : "/stac/api/")
                    + file.getFileName().toString().replace("ground.ndjson", "ground-0.json")));
            assertFalse(names.isEmpty());
            names.forEach(name -> get(name, REVALIDATED));
        }
    }

    /** The files of a folder, without the two that each page contains. */
    private static Stream<Path> list(Path folder) {
        try {
            return Files.list(folder).filter(file -> !file.getFileName().toString().startsWith("first."));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
