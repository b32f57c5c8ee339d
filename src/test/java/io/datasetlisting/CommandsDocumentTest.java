package io.datasetlisting;

import static io.datasetlisting.support.Caller.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Commands;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Program;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Reads the shell commands of the documents as bash does, and runs those that only need a service. */
@QuarkusTest
class CommandsDocumentTest {

    private static final Pattern RUNS = Pattern.compile("^(curl|A=).*", Pattern.DOTALL);
    /** These need a provider, a storage, two regions or GDAL, or show a refusal. Other tests run most of them. */
    private static final Pattern NEEDS_MORE = Pattern
            .compile(
                    "id\\.example\\.org|\\$(OLD|NEW|BEARER|TOKEN)|thumbnail|raster/|2358/erase|captured_after=2020-03&");

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    @TempDir
    Path folder;

    @Test
    void eachBlockIsOneForBash() throws IOException, InterruptedException {
        List<String> wrong = new ArrayList<>();
        int blocks = 0;
        for (Path document : Commands.documents()) {
            for (String block : Commands.blocks(document)) {
                blocks++;
                if (Commands.of(block, folder).isEmpty()) {
                    wrong.add(document + ":\n" + block);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(blocks > 40, "blocks: " + blocks);
    }

    @ParameterizedTest
    @CsvSource({"README.md, 7", "docs/api.md, 14", "docs/operations.md, 9"})
    void commandsOfAServiceRun(Path document, int least) throws IOException, InterruptedException {
        catalogue.replaceWith(Catalogue.generated(300));
        Caller ada = Caller.writer("Ada");
        Caller next = Caller.writer("Eve");
        int dataset = ada.post(Listing.PATH, "{\"dataset_name\":\"x\",\"coordinates\":[1,2]}").path("id");
        int workspace = ada.get(Caller.ACCOUNTS + "me/").path("workspace");
        StringBuilder script = new StringBuilder("""
                set -eE -o pipefail
                trap 'echo "failed: $BASH_COMMAND" >&2' ERR
                curl() { command curl -fS "$@"; }
                A='Authorization: Token %s' ADMIN=%s
                """.formatted(admin().key(), admin().key()));
        int commands = 0;
        for (String block : Commands.blocks(document)) {
            for (String command : Commands.of(block, folder)) {
                if (RUNS.matcher(command).matches() && !NEEDS_MORE.matcher(command).find()) {
                    commands++;
                    script.append(command).append('\n');
                }
            }
        }
        assertTrue(commands >= least, "commands: " + commands);
        String text = script.toString().replaceAll("http://localhost:8080|https://(data|api|old|new)\\.example\\.org",
                service.toString().replaceFirst("/$", "")).replace("development-admin-token", admin().key())
                .replace("Token 0960...", "Token " + ada.key()).replace("username=ada", "username=ada-" + dataset)
                .replaceAll("\\b145\\b", Long.toString(ada.id())).replaceAll("\\b146\\b", Long.toString(next.id()))
                .replaceAll("\\b(2358|1163)\\b", Integer.toString(dataset))
                .replaceAll("\\b1454\\b", Integer.toString(workspace))
                .replaceAll("If-Match: \"[^\"]*\"", "If-Match: *");
        new Program(Program.find("bash").toPath(), folder).runWithInput("", "-c", text);
    }
}
