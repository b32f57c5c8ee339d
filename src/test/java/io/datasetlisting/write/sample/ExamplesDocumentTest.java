package io.datasetlisting.write.sample;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.datasetlisting.write.bulk.BulkRepository;
import io.datasetlisting.write.edit.DatasetInput;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;

/** Compares the responses in the documents with those to the sample data of dev mode. */
@QuarkusTest
class ExamplesDocumentTest {

    /** A request without headers, and the response below it. */
    private static final Pattern EXAMPLE = Pattern
            .compile("(?m)^ {4}\\$ curl -s 'http://localhost:8080(/[^']*)'\\n((?: {4}\\{.*\\n)(?: {4}(?!\\$).*\\n)*)");

    @Inject
    Catalogue catalogue;
    @Inject
    SampleConfig defaults;
    @Inject
    Pool pool;
    @Inject
    BulkRepository datasets;
    @Inject
    DatasetInput input;

    @TestHTTPResource("/")
    URI service;

    @Test
    void theExamplesShowTheDataOfDevMode() throws Throwable {
        catalogue.replaceWith();
        new SampleData(new SampleConfig() {

            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public int generated() {
                return defaults.generated();
            }

            @Override
            public long seed() {
                return defaults.seed();
            }
        }, pool, datasets, input).onStart(null);
        int examples = 0;
        for (String document : List.of("README.md", "docs/api.md")) {
            for (MatchResult example : EXAMPLE.matcher(Files.readString(Path.of(document))).results().toList()) {
                examples++;
                Pattern expected = expected(example.group(2));
                // Words and parts are folded after the write.
                Patience.await(document + ": " + example.group(1)).untilAsserted(() -> {
                    String answer = given().urlEncodingEnabled(false).get(example.group(1)).asString()
                            .replace(service.toString(), "http://localhost:8080/").replaceAll("\\s", "");
                    assertTrue(expected.matcher(answer).matches(), answer);
                });
            }
        }
        assertTrue(examples >= 9, examples + " examples");
    }

    /** The documents break lines, leave parts out with three dots, and have the time of another day. */
    private static Pattern expected(String written) {
        String line = written.replaceAll("\\s", "").replaceAll("\"timeStamp\":\"[^\"]*\"", "\"timeStamp\":\"...\"");
        return Pattern.compile(Arrays.stream(line.split("\\Q...\\E", -1)).map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    }
}
