package io.datasetlisting.openapi;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.Requirement;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests with the tools of web frontends that the document of the service is valid, and that a typed client of it works. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class TypedClientTest {

    /** {@code .ci/run} installs the packages of npm in this folder. */
    private static final Path PACKAGES = Path.of("target", "clients", "node_modules").toAbsolutePath();
    private static final Path GENERATOR = Path.of("target", "clients", "openapi-generator-cli.jar").toAbsolutePath();
    private static final Path TYPES = Path.of("src", "test", "resources", "clients", "types.ts");
    private static final Path MANUAL = Path.of("docs", "api.md");
    private static final Pattern EXAMPLE = Pattern.compile("### A typed client in five lines\n.*?```ts\n(.*?)```",
            Pattern.DOTALL);

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    private Program node;

    @BeforeEach
    void writeDocument() throws IOException {
        node = Program.required("node", "Node (Debian's package nodejs)", folder);
        Requirement.require(Files.isExecutable(PACKAGES.resolve(".bin/tsc")),
                "the packages of npm that .ci/run installs in target/clients");
        Files.createSymbolicLink(folder.resolve("node_modules"), PACKAGES);
        Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
        Files.writeString(folder.resolve("openapi.json"), given().get("/q/openapi.json").asString());
    }

    private String run(String tool, String... arguments) throws IOException, InterruptedException {
        return node.run(Stream.concat(Stream.of(PACKAGES.resolve(".bin").resolve(tool).toString()),
                Stream.of(arguments)).toArray(String[]::new));
    }

    /** The addresses of the service end with a slash, and redirects answer no 2xx. */
    @Test
    void theDocumentHasNoErrorByRedocly() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("redocly.yaml"), """
                extends: [recommended]
                rules:
                  no-path-trailing-slash: off
                """);
        JsonObject found = new JsonObject(
                run("redocly", "lint", "openapi.json", "--config", "redocly.yaml", "--format", "json"));
        assertEquals(0, found.getJsonObject("totals").getInteger("errors"), found::encodePrettily);
        List<String> warnings = found.getJsonArray("problems").stream()
                .map(problem -> ((JsonObject) problem).getString("ruleId"))
                .distinct().sorted().toList();
        assertEquals(List.of("no-required-schema-properties-undefined", "operation-2xx-response"), warnings);
    }

    @Test
    void theDocumentHasNoErrorBySpectral() throws IOException, InterruptedException {
        requireTool("spectral");
        Files.writeString(folder.resolve(".spectral.json"), "{\"extends\": [\"spectral:oas\"]}");
        String errors = run("spectral", "lint", "openapi.json", "--fail-severity", "error", "--display-only-failures",
                "--format", "json");
        assertTrue(errors.startsWith("[]"), errors);
    }

    @Test
    void orvalMakesACompleteClient() throws IOException, InterruptedException {
        requireTool("orval");
        run("orval", "--input", "./openapi.json", "--output", "./orval.ts", "--client", "fetch");
        compile("orval.ts");
    }

    @Test
    void openApiGeneratorMakesClientsOfThreeLanguages() throws IOException, InterruptedException {
        Requirement.require(Files.exists(GENERATOR), "openapi-generator, which .ci/run copies to " + GENERATOR);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Program generator = new Program(java, folder);
        String validated = generator.run("-jar", GENERATOR.toString(), "validate", "-i", "openapi.json");
        assertFalse(validated.toLowerCase(Locale.ROOT).contains("error"), validated);
        for (String language : List.of("typescript-fetch", "python", "java")) {
            generator.run("-jar", GENERATOR.toString(), "generate", "-i", "openapi.json", "-g", language, "-o",
                    language);
        }
        compile("typescript-fetch/index.ts");
        Program.required("python3", "python3", folder).run("-m", "compileall", "-q", "python");
        assertTrue(Files.isRegularFile(folder.resolve("java/pom.xml")));
    }

    private static void requireTool(String tool) {
        Requirement.require(Files.isExecutable(PACKAGES.resolve(".bin").resolve(tool)),
                tool + ", which .ci/run installs in target/clients");
    }

    /** Compiles a file and what it imports, with the types of the libraries. */
    private void compile(String file) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("tsconfig.json"), """
                {"compilerOptions": {"strict": true, "target": "es2022", "lib": ["es2022", "dom"], "module": "esnext",
                  "moduleResolution": "bundler", "types": [], "noEmit": true},
                 "files": ["%s"]}
                """.formatted(file));
        run("tsc", "--project", ".");
    }

    /** The program of the manual, and what a reader expects of its types. */
    @Test
    void theTypedClientOfTheManualCompilesAndRuns() throws IOException, InterruptedException {
        catalogue.replaceWith(Catalogue.generated(20));
        Matcher example = EXAMPLE.matcher(Files.readString(MANUAL));
        assertTrue(example.find());
        String program = example.group(1);
        assertTrue(program.contains("http://localhost:8080") && program.contains("development-admin-token"), program);
        Files.writeString(folder.resolve("client.ts"), program
                .replace("http://localhost:8080", service.toString().replaceFirst("/$", ""))
                .replace("development-admin-token", Caller.admin().key())
                + "console.log(JSON.stringify([page?.results.length, found?.results, created, error, changed, late]));\n");
        Files.copy(TYPES, folder.resolve("types.ts"));
        run("openapi-typescript", "openapi.json", "--output", "datasets.ts");
        Files.writeString(folder.resolve("tsconfig.json"), """
                {"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext", "types": [], "outDir": "out"},
                 "files": ["client.ts", "types.ts"]}
                """);
        run("tsc", "--project", ".");

        JsonArray answers = new JsonArray(node.run("out/client.js"));
        JsonObject created = answers.getJsonObject(2);
        assertEquals(15, answers.getInteger(0));
        assertEquals("[]", answers.getJsonArray(1).encode());
        assertEquals("Aare", created.getString("dataset_name"));
        assertEquals(new JsonArray().add(46.94).add(7.44).add(46.96).add(7.46), created.getJsonArray("bbox"));
        assertEquals(List.of("bbox"), List.copyOf(answers.getJsonObject(3).fieldNames()));
        assertEquals("Aare, second flight", answers.getJsonObject(4).getString("dataset_name"));
        assertEquals(created.getLong("id"), answers.getJsonObject(4).getLong("id"));
        assertTrue(answers.getJsonObject(5).getString("detail").startsWith("Precondition failed"));
        Caller.admin().get("/api/dataset/" + created.getLong("id") + '/').then().statusCode(200);
    }
}
