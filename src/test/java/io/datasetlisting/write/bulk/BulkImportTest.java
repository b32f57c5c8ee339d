package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.body;
import static io.datasetlisting.support.Bulk.exportedIds;
import static io.datasetlisting.support.Bulk.importAll;
import static io.datasetlisting.support.Bulk.importAs;
import static io.datasetlisting.support.Bulk.line;
import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests which lines an import creates, replaces and refuses. */
@QuarkusTest
class BulkImportTest {

    private static final int MAX_LINE = 1 << 20;
    private static final String ID_OF_ANOTHER = "{\"id\":[\"Another dataset has this id.\"]}";
    private static final String UID_OF_ANOTHER = "{\"uav_uid\":[\"Another dataset has this uav_uid.\"]}";

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void threeDatasets() {
        catalogue.replaceWith(plain(3));
    }

    @Test
    void theResponseCountsCreatedReplacedAndRefusedLinesAndListsTheRefusals() {
        Response response = Bulk.send(Caller.admin(), (line(3).put("dataset_name", "new name").encode() + "\n{\n"
                + line(4).encode() + "\n" + line(5).put("workspace", -1).put("category", List.of()).encode() + "\n"
                + line(10).encode() + "\n").getBytes(StandardCharsets.UTF_8));
        assertEquals(200, response.statusCode());
        assertEquals(Bulk.NDJSON, response.header("Content-Type"));
        String answer = response.asString();
        assertTrue(
                answer.matches(
                        "\\{\"created\":2,\"replaced\":1,\"refused\":2,\"per_second\":\\d+,\"refusals\":\\[.*]}\n"),
                answer);
        assertEquals(Map.of(2, "{\"detail\":\"JSON parse error - Unexpected end-of-input: expected close marker for "
                + "Object: line 1 column 2\"}",
                4, "{\"workspace\":[\"Ensure this value is greater than or equal to 0.\"],"
                        + "\"category\":[\"This list may not be empty.\"]}"),
                Outcome.of(answer).refusals());
        assertEquals(List.of(3L, 4L, 6L, 9L, 10L), exportedIds(Caller.admin(), ""));
        Listing.list("").then().body("results[0].dataset_name", org.hamcrest.Matchers.equalTo("new name"));
    }

    @Test
    void allRefusalsAreCountedAndTheFirst100AreListed() {
        String lines = IntStream.range(0, 1_200).mapToObj(i -> i % 2 == 0 ? "[]\n" : line(10 + i).encode() + '\n')
                .collect(Collectors.joining());
        Outcome outcome = importAll(lines);
        assertEquals(600, outcome.refused());
        assertEquals(600, outcome.created());
        assertEquals(IntStream.range(0, 100).mapToObj(i -> 1 + 2 * i).toList(),
                List.copyOf(outcome.refusals().keySet()));
    }

    @Test
    void allRefusalsAreListedInTheOrderOfTheLines() {
        Outcome outcome = importAll(Stream.of("[]", otherUid(20, 3).encode(), "[]", line(21).encode(),
                line(22).put("user", "Nobody 7").encode(), "[]").collect(Collectors.joining("\n")));
        assertEquals(List.of(1, 2, 3, 5, 6), List.copyOf(outcome.refusals().keySet()));
        assertEquals(1, outcome.created());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\n", "\n\n", "\n \t\r\n\r\n", " \n"})
    void allLineEndsAreReadAndBlankLinesAreSkipped(String end) {
        String lines = line(10).encode() + end + line(11).encode() + end + line(12).encode();
        assertEquals(Outcome.of(3, 0), importAll(lines));
        assertEquals(Outcome.of(0, 3), importAll(end + lines + end));
        assertEquals(Outcome.of(0, 3), importAll("\uFEFF" + lines));
    }

    @Test
    void aByteOrderMarkIsSkippedOnlyAtTheStart() {
        Outcome outcome = importAll("\uFEFF" + line(10).encode() + "\n\uFEFF" + line(11).encode());
        assertEquals(1, outcome.created());
        assertEquals(List.of(2), List.copyOf(outcome.refusals().keySet()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", " ", "\r\n"})
    void aBodyWithoutLinesImportsNothing(String lines) {
        assertEquals(Outcome.of(0, 0), importAll(lines));
    }

    @Test
    void theLastLineWithTheSameIdWins() {
        assertEquals(Outcome.of(1, 2), importAll(named(10, "a"), named(10, "b"), named(10, "c")));
        assertEquals("c", nameOf(10));
        assertEquals(Outcome.of(0, 2), importAll(named(10, "d"), named(10, "a")));
        assertEquals("a", nameOf(10));
    }

    @Test
    void theLastLineWithTheSameIdWinsAcrossBatches() {
        for (int round = 0; round < 5; round++) {
            String name = "round " + round;
            Stream<JsonObject> between = LongStream.range(1_000, 2_300).mapToObj(Bulk::line);
            String lines = named(10, "first").encode() + '\n' + body(between.limit(650)) + named(10, "second").encode()
                    + '\n' + body(LongStream.range(1_650, 2_300).mapToObj(Bulk::line)) + named(10, name).encode();
            Outcome outcome = importAll(lines);
            assertEquals(round == 0 ? Outcome.of(1_301, 2) : Outcome.of(0, 1_303), outcome);
            assertEquals(name, nameOf(10));
        }
    }

    /** A client that filters after its import does not wait until its datasets are read from the table. */
    @Test
    void theLastLineComesWhenTheColumnsLackFewChanges() {
        for (int round = 0; round < 3; round++) {
            importAll(body(LongStream.range(1_000, 3_000).mapToObj(Bulk::line)));
            assertTrue(catalogue.sql("select count(*) <= 500 from listing_change"
                    + " where no >= (select max(pending_from) from part_fold) and not in_parts").get(0).getBoolean(0));
            catalogue.clear();
        }
    }

    @Test
    void aUavUidOfAnotherDatasetIsRefused() {
        assertEquals(Outcome.without(Map.of(1, UID_OF_ANOTHER), 0, 0), importAll(otherUid(10, 3)));
        assertEquals(Outcome.without(Map.of(2, UID_OF_ANOTHER), 1, 0), importAll(line(10), otherUid(11, 10)));
    }

    @Test
    void anIdOfAnotherDatasetIsRefusedAndThatDatasetIsUnchanged() {
        String before = allDatasetsAsText();
        assertEquals(Outcome.without(Map.of(1, ID_OF_ANOTHER), 0, 0), importAll(otherUid(3, 99)));
        assertEquals(Outcome.without(Map.of(1, ID_OF_ANOTHER), 0, 0), importAll(otherUid(6, 3)));
        assertEquals(Outcome.without(Map.of(1, ID_OF_ANOTHER), 0, 0),
                importAll(otherUid(9, 98).put("user", "Somebody Else 8").put("is_deleted", true)));
        assertEquals(before, allDatasetsAsText());
    }

    @Test
    void aLaterLineWithTheSameIdAndAnotherUavUidIsRefused() {
        assertEquals(Outcome.without(Map.of(2, ID_OF_ANOTHER, 4, ID_OF_ANOTHER), 1, 1),
                importAll(named(10, "a"), otherUid(10, 98), named(10, "c"), otherUid(10, 99)));
        assertEquals("c", nameOf(10));
    }

    @Test
    void aRefusedLineDoesNotFreeTheUavUidOfItsDataset() {
        assertEquals(Outcome.without(Map.of(1, ID_OF_ANOTHER, 2, UID_OF_ANOTHER), 0, 0),
                importAll(otherUid(3, 99), otherUid(10, 3)));
    }

    /** A batch in which the database refuses a line is split and retried, so that a line may be tried more than once. */
    @Test
    void refusalsOfBothKindsInOneBatchAreCountedOnce() {
        Map<Integer, String> refusals = Map.of(1, ID_OF_ANOTHER, 7, UID_OF_ANOTHER, 8, ID_OF_ANOTHER, 20,
                UID_OF_ANOTHER, 40, ID_OF_ANOTHER);
        List<JsonObject> lines = LongStream.range(100, 140).mapToObj(Bulk::line)
                .collect(Collectors.toCollection(ArrayList::new));
        lines.set(0, otherUid(3, 90));
        lines.set(6, otherUid(106, 3));
        lines.set(7, otherUid(6, 91));
        lines.set(19, otherUid(119, 6));
        lines.set(39, otherUid(9, 92));
        lines.set(30, line(9));
        assertEquals(Outcome.without(refusals, 34, 1), importAll(lines.toArray(JsonObject[]::new)));
        assertEquals(3 + 34, catalogue.sql("select from dataset").size());
    }

    @Test
    void linesThatSwapUavUidsAreRefusedAndTheOtherLinesAreWritten() {
        Outcome outcome = importAll(line(10), otherUid(3, 6), otherUid(6, 3), line(11));
        assertEquals(2, outcome.created());
        assertEquals(List.of(2, 3), List.copyOf(outcome.refusals().keySet()));
        assertEquals(List.of(line(3).getString("uav_uid"), line(6).getString("uav_uid")),
                catalogue.sql("select uav_uid from dataset where id in (3, 6) order by id").stream()
                        .map(row -> row.getUUID(0).toString()).toList());
    }

    @Test
    void aLineThatTheDatabaseRefusesDoesNotRefuseOtherLinesOfItsBatch() {
        String lines = body(LongStream.range(100, 700).mapToObj(id -> id % 200 == 0 ? otherUid(id, 3) : line(id)));
        Outcome outcome = importAll(lines);
        assertEquals(597, outcome.created());
        assertEquals(List.of(101, 301, 501), List.copyOf(outcome.refusals().keySet()));
    }

    @Test
    void aLineMayHaveAtMostOneMebibyte() {
        String longest = line(10).put("unknown", "").encode();
        longest = longest.replace("\"unknown\":\"", "\"unknown\":\"" + "x".repeat(MAX_LINE - longest.length()));
        assertEquals(Outcome.without(Map.of(2, "{\"detail\":\"The line is longer than 1048576 bytes.\"}"), 2, 0),
                importAll(longest + "\n " + longest + "\n" + line(11).encode()));
        assertEquals(Outcome.without(Map.of(1, "{\"detail\":\"The line is longer than 1048576 bytes.\"}"), 0, 0),
                importAll("x".repeat(5 * MAX_LINE)));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            null                    | {"non_field_errors":["No data provided"]}
            []                      | {"non_field_errors":["Invalid data. Expected a dictionary, but got list."]}
            "a"                     | {"non_field_errors":["Invalid data. Expected a dictionary, but got str."]}
            1                       | {"non_field_errors":["Invalid data. Expected a dictionary, but got int."]}
            {"a":"\u00e4\u0000"}    | {"detail":"Malformed request: the body is not UTF-8."}
            {"a":"\u00ed\u00a0\u0080"} | {"detail":"Malformed request: the body is not UTF-8."}
            """)
    void aLineThatIsNotADatasetIsRefused(String bytes, String reason) {
        byte[] good = ('\n' + line(10).encode()).getBytes(StandardCharsets.ISO_8859_1);
        byte[] bad = bytes.getBytes(StandardCharsets.ISO_8859_1);
        byte[] lines = new byte[bad.length + good.length];
        System.arraycopy(bad, 0, lines, 0, bad.length);
        System.arraycopy(good, 0, lines, bad.length, good.length);
        assertEquals(Outcome.without(Map.of(1, reason), 1, 0), importAs(Caller.admin(), lines));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{}}", "{} {}", "{'id':1}", "{\"id\":NaN}", "{\"id\":01}", "nonsense", "<xml/>",
            "{\"a\":\"\\u00\"}", "// {}", "{\"a\":1,}"})
    void invalidJsonIsRefusedWithItsLineAndNothingIsLogged(String text) {
        try (ErrorLog log = ErrorLog.open()) {
            Outcome outcome = importAll(text + '\n' + line(10).encode());
            assertEquals(1, outcome.created());
            assertTrue(outcome.refusals().get(1).startsWith("{\"detail\":\"JSON parse error - "), outcome::toString);
            log.assertEmpty();
        }
    }

    @Test
    void deepNestingInvalidTextAndInvalidNumbersAreRefusedAndNothingIsLogged() {
        try (ErrorLog log = ErrorLog.open()) {
            Outcome outcome = importAll("{\"a\":" + "[".repeat(100_000) + "}\n"
                    + line(10).put("dataset_name", "a\0").encode() + '\n'
                    + line(10).put("dataset_name", "X").encode().replace("X", "\\ud800") + '\n'
                    + line(10).put("cumulative_adjustment", 0).encode().replace("\":0", "\":1e999") + '\n'
                    + line(10).put("id", 0).encode().replace("\"id\":0", "\"id\":" + "9".repeat(2_000)) + '\n'
                    + line(10).put("captured_date", "2021-02-30").encode());
            assertEquals(0, outcome.created());
            assertEquals(List.of(1, 2, 3, 4, 5, 6), List.copyOf(outcome.refusals().keySet()));
            log.assertEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]\n{\nnonsense\n", "[]", ""})
    void aGzippedBodyWhoseLinesAreAllRefusedIsAnsweredLikeThePlainBody(String lines) throws IOException {
        Outcome plain = importAll(lines);
        Response response = sendGzipped(lines);
        assertEquals(200, response.statusCode(), response::asString);
        String[] answer = response.asString().split("\n");
        assertEquals(plain, Outcome.of(answer[answer.length - 1]));
    }

    @Test
    void aGzippedBodyIsImported() throws IOException {
        Response response = sendGzipped(body(LongStream.range(1_000, 6_000).mapToObj(Bulk::line)));
        assertEquals(200, response.statusCode(), response::asString);
        String[] answer = response.asString().split("\n");
        assertEquals(Outcome.of(5_000, 0), Outcome.of(answer[answer.length - 1]));
    }

    /** Ten kilobytes are decompressed to ten megabytes, without a batch at which an import would wait. */
    @Test
    void otherRequestsRunBesideALongCompressedImport() throws IOException {
        byte[] lines = Bulk.gzip("\n".repeat(10 << 20));
        CompletableFuture<Response> imported = CompletableFuture.supplyAsync(() -> Caller.admin().request()
                .header("Content-Encoding", "gzip").contentType(Bulk.NDJSON).body(lines)
                .post(Listing.PATH));
        int requests = 0;
        while (!imported.isDone()) {
            Caller.anonymous().get("/q/health/live").then().statusCode(200);
            requests++;
        }
        assertEquals(200, imported.join().statusCode());
        assertTrue(requests > 10, "requests beside the import: " + requests);
    }

    @Test
    void anImportEndsWhereItsGzipIsMalformedAndNamesTheReason() throws IOException {
        byte[] gzip = Bulk.gzip(body(LongStream.range(1_000, 6_000).mapToObj(Bulk::line)));
        byte[] broken = gzip.clone();
        broken[gzip.length / 2] ^= 0x55;
        try (ErrorLog log = ErrorLog.open()) {
            for (byte[] body : List.of(broken, Arrays.copyOf(gzip, gzip.length - 1), new byte[]{1, 2, 3})) {
                Response response = sendEncoded("gzip", body);
                assertEquals(200, response.statusCode(), response::asString);
                assertTrue(
                        response.asString().endsWith(",\"detail\":\"Malformed request: the body is not gzip: the import"
                                + " broke off. What is counted here is stored; run it again for the rest.\"}\n"),
                        response::asString);
            }
            log.assertEmpty();
        }
    }

    @Test
    void anotherEncodingThanGzipGets415() {
        Response response = sendEncoded("br", new byte[]{1, 2, 3});
        assertEquals(415, response.statusCode(), response::asString);
        assertEquals("{\"detail\":\"Unsupported content encoding \\\"br\\\" in request.\"}", response.asString());
    }

    private static Response sendGzipped(String lines) throws IOException {
        return sendEncoded("gzip", Bulk.gzip(lines));
    }

    private static Response sendEncoded(String encoding, byte[] body) {
        return Caller.admin().request().header("Content-Encoding", encoding).contentType(Bulk.NDJSON).body(body)
                .post(Listing.PATH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/*", "*/*;q=0.1", "*/x-ndjson"})
    void aRangeOfMediaTypesStartsNoImport(String type) {
        for (Caller caller : List.of(Caller.admin(), Caller.writer("Cy"))) {
            Response response = caller.send("POST", Listing.PATH, type, line(10).encode());
            assertEquals(415, response.statusCode(), response::asString);
            assertEquals("{\"detail\":\"Unsupported media type \\\"" + type + "\\\" in request.\"}",
                    response.asString());
        }
        assertEquals(3, catalogue.sql("select from dataset").size());
    }

    private static JsonObject named(long id, String name) {
        return line(id).put("dataset_name", name);
    }

    private static JsonObject otherUid(long id, long uidOf) {
        return line(id).put("uav_uid", line(uidOf).getString("uav_uid"));
    }

    private String allDatasetsAsText() {
        return catalogue.sql("select string_agg(dataset::text, ' ' order by id) from dataset").get(0).getString(0);
    }

    private String nameOf(long id) {
        return catalogue.sql("select dataset_name from dataset where id = " + id).get(0).getString(0);
    }
}
