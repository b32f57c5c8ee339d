package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.writer;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests POST /api/dataset/ with forms as browsers and scripts send them. */
@QuarkusTest
class CreateFromFormTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String BOUNDARY = "kljmyvW1ndjXaOEAg4vPm6RBUqO6MC5A";
    private static final String MULTIPART = "multipart/form-data; boundary=" + BOUNDARY;

    @Inject
    Catalogue catalogue;

    private Caller ada;

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        ada = writer("Ada");
    }

    /** A body as the command-line client builds it without a library. */
    private static String multipartBody(Map<String, String> fields) {
        StringBuilder body = new StringBuilder();
        fields.forEach((name, value) -> body.append("--").append(BOUNDARY)
                .append("\r\nContent-Disposition: form-data; name=\"").append(name).append("\"\r\n\r\n").append(value)
                .append("\r\n"));
        return body.append("--").append(BOUNDARY).append("--\r\n").toString();
    }

    private JsonObject multipart(String body) {
        return created(ada.send("POST", Listing.PATH, MULTIPART, body));
    }

    private JsonObject urlencoded(String body) {
        return created(ada.send("POST", Listing.PATH, FORM, body));
    }

    private static JsonObject created(Response created) {
        assertEquals(201, created.statusCode(), created::asString);
        return new JsonObject(created.asString());
    }

    @Test
    void theFormOfTheCommandLineClientCreatesADataset() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("dataset_name", "Reef é 🛰 - 20260102030405");
        fields.put("is_private", "False");
        fields.put("is_published", "True");
        fields.put("category", "['Forest', 'Desert']");
        fields.put("tags", "['tag1', 'tag2']");
        fields.put("description", "several\r\nlines -- of = text; \"quoted\"");
        fields.put("data_captured_by", "None");
        fields.put("institution_name", "");
        fields.put("user_id", "0");
        Response answer = ada.request().header("Accept", "*/*").contentType(MULTIPART)
                .body(multipartBody(fields).getBytes(StandardCharsets.UTF_8)).post(Listing.PATH);
        JsonObject dataset = created(answer);
        assertEquals("application/json", answer.header("Content-Type"));
        assertEquals("Reef é 🛰 - 20260102030405", dataset.getString("dataset_name"));
        assertEquals(List.of("Forest", "Desert"), dataset.getJsonArray("category").getList());
        assertEquals(false, dataset.getBoolean("is_private"));
        assertEquals(ada.user(), dataset.getString("user"));
        assertEquals(List.of("tag1", "tag2"), dataset.getJsonArray("tags").getList());
        assertEquals("several\r\nlines -- of = text; \"quoted\"", dataset.getString("description"));
        assertNull(dataset.getString("data_captured_by"));
        assertNull(dataset.getString("institution_name"));
        ada.get(Listing.PATH + dataset.getLong("id") + '/').then().statusCode(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"True | true", "False | false", "1 | true", "0 | false", "None | false",
            "'' | false", "on | true"})
    void notationsOfBooleansAreRead(String given, boolean kept) {
        assertEquals(kept, multipart(multipartBody(Map.of("is_private", given))).getBoolean("is_private"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            ['Forest', 'Desert']             | ["Forest","Desert"]
            ["Forest", "Desert"]             | ["Forest","Desert"]
            ['Artificial - terrestrial']     | ["Artificial - terrestrial"]
            ('Forest', 'Desert')             | ["Forest","Desert"]
            Forest,Desert                    | ["Forest","Desert"]
            Forest , Desert                  | ["Forest","Desert"]
            Deep ocean floor                 | ["Deep ocean floor"]
            None                             | ["Other"]
            null                             | ["Other"]
            []                               | ["Other"]
            """)
    void notationsOfListsAreRead(String given, String kept) {
        assertEquals(kept, multipart(multipartBody(Map.of("category", given))).getJsonArray("category").encode());
        assertEquals(kept, urlencoded("category=" + given).getJsonArray("category").encode());
    }

    @Test
    void aRepeatedFieldIsAList() {
        assertEquals(List.of("Forest", "Desert"),
                urlencoded("category=Forest&x=1&category=Desert").getJsonArray("category").getList());
        assertEquals(List.of("Forest", "Rocky"), multipart("""
                --%1$s\r
                Content-Disposition: form-data; name="category"\r
                \r
                Forest\r
                --%1$s\r
                Content-Disposition: form-data; name="category"\r
                \r
                Rocky\r
                --%1$s--\r
                """.formatted(BOUNDARY)).getJsonArray("category").getList());
    }

    @Test
    void anEmptyRepetitionDoesNotRemoveTheOtherValues() {
        Response answer = ada.send("POST", Listing.PATH, FORM, "category=Forest&category=");
        if (answer.statusCode() != 400) {
            assertEquals(List.of("Forest"), created(answer).getJsonArray("category").getList());
        }
    }

    @Test
    void theLastValueOfARepeatedTextFieldIsUsed() {
        assertEquals("b", urlencoded("dataset_name=a&dataset_name=b").getString("dataset_name"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"bbox | [1, 2, 3, 4] | [1.0,2.0,3.0,4.0]",
            "bbox | 1,2,3,4 | [1.0,2.0,3.0,4.0]",
            "bbox | (1, 2, 3.0, '4') | [1.0,2.0,3.0,4.0]", "bbox | [] | []",
            "coordinates | [1.5, -2] | [1.5,-2.0]",
            "coordinates | 1.5 ,-2 | [1.5,-2.0]", "coordinates | [] | []", "available_rasters | [] | []",
            "available_rasters | ['ortho', 'dsm'] | [\"ortho\",\"dsm\"]", "available_rasters | '' | []",
            "bbox | None | []"})
    void listsOfNumbersAndRastersAreRead(String field, String given, String kept) {
        assertEquals(kept, multipart(multipartBody(Map.of(field, given))).getJsonArray(field).encode());
        assertEquals(kept, urlencoded(field + '=' + given).getJsonArray(field).encode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"dsm\": {\"b1\": {\"max\": 2.5, \"min\": 1, \"mean\": 1, \"stddev\": 0}}}",
            "{'dsm': {'b1': {'max': 2.5, 'min': 1, 'mean': 1, 'stddev': 0}}, 'dtm': {}}"})
    void statisticsAreReadFromTheTextOfADictionary(String given) {
        assertEquals(2.5, multipart(multipartBody(Map.of("band_stats", given))).getJsonObject("band_stats")
                .getJsonObject("dsm").getJsonObject("b1").getDouble("max"));
    }

    @Test
    void textFieldsAreDecodedAndOtherFieldsWithoutAValueHaveDefaults() {
        assertEquals("None", urlencoded("dataset_name=None").getString("dataset_name"));
        assertEquals("", urlencoded("dataset_name=").getString("dataset_name"));
        assertEquals("a b+c & 100% Zoë",
                urlencoded("dataset_name=a+b%2Bc+%26+100%25+Zo%C3%AB").getString("dataset_name"));
        assertEquals(7, urlencoded("workspace=7").getLong("workspace"));
        assertEquals(ada.workspace(), urlencoded("workspace=").getLong("workspace"));
        assertEquals("2021-03-04T00:00:00Z", urlencoded("captured_date=2021-03-04").getString("captured_date"));
        assertEquals("2026-01-02T03:04:05Z", urlencoded("captured_date=None").getString("captured_date"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"form-data; name=dataset_name", "form-data; name=dataset_name;",
            "form-data;name=\"dataset_name\"", "form-data; name=\"dataset_name\";"})
    void theNameOfAPartMayBeQuoted(String disposition) {
        assertEquals("a", multipart("--" + BOUNDARY + "\r\nContent-Disposition: " + disposition + "\r\n\r\na\r\n--"
                + BOUNDARY + "--\r\n").getString("dataset_name"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"boundary=\"b: 1\"", "boundary=\"b: 1\"; charset=utf-8",
            "charset=utf-8; boundary=\"b: 1\""})
    void theBoundaryMayBeQuoted(String parameters) {
        assertEquals("a", created(ada.send("POST", Listing.PATH, "multipart/form-data; " + parameters,
                "--b: 1\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\na\r\n--b: 1--\r\n"))
                .getString("dataset_name"));
    }

    @Test
    void otherHeadersAndFilePartsAreIgnored() {
        JsonObject dataset = multipart("""
                a preamble\r
                --%1$s\r
                content-disposition: form-data; name="dataset_name"\r
                Content-Type: text/plain; charset=utf-8\r
                \r
                a\r
                --%1$s\r
                Content-Disposition: form-data; name="category"; filename="category.txt"\r
                Content-Type: text/plain\r
                \r
                Forest\r
                --%1$s\r
                X: no disposition\r
                \r
                x\r
                --%1$s--""".formatted(BOUNDARY));
        assertEquals("a", dataset.getString("dataset_name"));
        assertEquals(List.of("Other"), dataset.getJsonArray("category").getList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--%s\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\na",
            "--%s\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\na\r\n--%s\r\n", "--%s", "nonsense",
            "--%s\r\nnonsense\r\n--%s--\r\n", "--%s\r\nnon\r\nsense\r\n\r\nx\r\n--%s--\r\n"})
    void anInvalidMultipartBodyIsRefused(String body) {
        Response answer = ada.send("POST", Listing.PATH, MULTIPART, body.replace("%s", BOUNDARY));
        if (body.isEmpty()) {
            answer.then().statusCode(201);
        } else {
            assertEquals(400, answer.statusCode(), answer::asString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data", "multipart/form-data; charset=x", "multipart/form-data; boundary="})
    void aMultipartWithoutABoundaryIsRefused(String type) {
        ada.send("POST", Listing.PATH, type, multipartBody(Map.of("dataset_name", "a"))).then().statusCode(400).body(
                "detail",
                equalTo("Multipart form parse error - Invalid boundary in multipart: None"));
    }

    @Test
    void errorsInAFormAreReportedAsInJson() {
        Response refused = ada.send("POST", Listing.PATH, FORM,
                "category=Forest&category=Zed&is_private=maybe&band_stats=x&bbox=1,2&coordinates=a,b&workspace=w");
        assertEquals(400, refused.statusCode());
        assertEquals("{\"workspace\":[\"A valid integer is required.\"],"
                + "\"category\":{\"1\":[\"\\\"Zed\\\" is not a valid choice.\"]},"
                + "\"is_private\":[\"Must be a valid boolean.\"],\"band_stats\":[\"Value must be valid JSON.\"],"
                + "\"bbox\":[\"Ensure this field has at least 4 elements.\"]}",
                refused.asString().replaceFirst(",\"coordinates\":\\{[^}]*}", ""));
    }

    /** A search for each name would block the event loop for minutes. */
    @Test
    void aFormWith150000NamesIsReadInOnePass() {
        String names = IntStream.range(0, 150_000).mapToObj(i -> Integer.toString(i, 36) + '&')
                .collect(Collectors.joining());
        ada.send("POST", Listing.PATH, FORM, names + "dataset_name=last").then().statusCode(201).body("dataset_name",
                equalTo("last"));
    }
}
