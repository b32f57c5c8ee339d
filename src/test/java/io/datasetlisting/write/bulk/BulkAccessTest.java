package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.importAs;
import static io.datasetlisting.support.Bulk.line;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests which callers may import, and which media types an import accepts and returns. */
@QuarkusTest
class BulkAccessTest {

    private static final byte[] LINE = line(10).encode().getBytes(StandardCharsets.UTF_8);

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void emptyCatalogue() {
        catalogue.replaceWith();
    }

    @Test
    void anAdminMayImport() {
        assertEquals(Outcome.of(1, 0), importAs(Caller.admin(), LINE));
        assertEquals(Outcome.of(0, 1), importAs(Caller.account("Bea").token("admin"), LINE));
    }

    @Test
    void otherCallersMayNotImport() {
        assertRefused(401, "Authentication credentials were not provided.", Caller.anonymous(), LINE);
        assertRefused(401, "Invalid token.", Caller.anonymous().holding("of-nobody"), LINE);
        assertRefused(403, "You do not have permission to perform this action.", Caller.reader("Bea"), LINE);
        assertRefused(403, "You do not have permission to perform this action.", Caller.writer("Cy"), LINE);
        assertEquals(0, catalogue.sql("select 1 from dataset").size());
    }

    private static void assertRefused(int status, String detail, Caller caller, byte[] lines) {
        Response response = Bulk.send(caller, lines);
        assertEquals(status, response.statusCode());
        assertEquals("application/json", response.header("Content-Type"));
        assertEquals("{\"detail\":\"" + detail + "\"}", response.asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "*/*", "application/x-ndjson", "application/problem+json",
            "application/json, application/problem+json", "text/html, */*;q=0.1"})
    void theResponseIsNdjsonForEveryAcceptHeaderThatAllowsJsonOrNdjson(String accept) {
        Response response = Caller.admin().request().header("Accept", accept).contentType(Bulk.NDJSON).body(LINE)
                .post(Listing.PATH);
        assertEquals(200, response.statusCode(), response::asString);
        assertEquals(Bulk.NDJSON, response.header("Content-Type"));
        assertEquals(Outcome.of(1, 0), Outcome.of(response.asString()));
    }

    @Test
    void anAcceptHeaderWithoutJsonAndNdjsonIsRefusedAndNothingIsImported() {
        Caller.admin().request().header("Accept", "text/html").contentType(Bulk.NDJSON).body(LINE).post(Listing.PATH)
                .then().statusCode(406);
        assertEquals(0, catalogue.sql("select 1 from dataset").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-ndjson; charset=utf-8", "application/x-ndjson;charset=\"UTF-8\"",
            "Application/X-NDJSON"})
    void theContentTypeMayHaveParametersAndUpperCaseLetters(String type) {
        Response response = Caller.admin().send("POST", Listing.PATH, type, LINE);
        assertEquals(200, response.statusCode(), response::asString);
        assertEquals(Outcome.of(1, 0), Outcome.of(response.asString()));
    }

    @Test
    void anImportWithoutTheTrailingSlashIsAccepted() {
        Response response = Caller.admin().send("POST", "/api/dataset", Bulk.NDJSON, LINE);
        assertEquals(200, response.statusCode(), response::asString);
        assertEquals(Outcome.of(1, 0), Outcome.of(response.asString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void onlyPostAcceptsNdjson(String method) {
        Caller.admin().send(method, Listing.PATH, Bulk.NDJSON, LINE).then().statusCode(405);
    }
}
