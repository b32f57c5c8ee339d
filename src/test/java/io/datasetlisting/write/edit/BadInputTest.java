package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.writer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RawConnection;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests invalid bodies of a create: the status is 400, nothing is stored, and no error is logged. */
@QuarkusTest
class BadInputTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data; boundary=b";
    private static final String NOT_UTF8 = "{\"detail\":\"Malformed request: the body is not UTF-8.\"}";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private Caller ada;
    private ErrorLog log;

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        ada = writer("Ada");
        log = ErrorLog.open();
    }

    @AfterEach
    void nothingIsStoredAndNothingIsLogged() {
        log.close();
        log.assertEmpty();
        assertEquals(0L, catalogue.sql("select count(*) from dataset").get(0).getLong(0));
    }

    private String refusal(String contentType, byte[] body) {
        Response refused = ada.send("POST", Listing.PATH, contentType, body);
        assertEquals(400, refused.statusCode(), refused::asString);
        assertEquals("application/json", refused.header("Content-Type"));
        return refused.asString();
    }

    private String refusal(String json) {
        return refusal(Caller.JSON, json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            "dataset_name":null         | {"dataset_name":["This field may not be null."]}
            "dataset_name":true         | {"dataset_name":["Not a valid string."]}
            "dataset_name":["a"]        | {"dataset_name":["Not a valid string."]}
            "dataset_name":{}           | {"dataset_name":["Not a valid string."]}
            "dataset_name":"a\\u0000"   | {"dataset_name":["Null characters are not allowed."]}
            "dataset_name":"\\ud83d"    | {"dataset_name":["Surrogate characters are not allowed: U+D83D."]}
            "dataset_name":"\\udef0x"   | {"dataset_name":["Surrogate characters are not allowed: U+DEF0."]}
            "dataset_name":"\\udef0\\ud83d" | {"dataset_name":["Surrogate characters are not allowed: U+DEF0."]}
            "workspace":null            | {"workspace":["This field may not be null."]}
            "workspace":"a"             | {"workspace":["A valid integer is required."]}
            "workspace":true            | {"workspace":["A valid integer is required."]}
            "workspace":[1]             | {"workspace":["A valid integer is required."]}
            "workspace":1.5             | {"workspace":["A valid integer is required."]}
            "workspace":1e400           | {"workspace":["A valid integer is required."]}
            "workspace":-1              | {"workspace":["Ensure this value is greater than or equal to 0."]}
            "workspace":9007199254740992 | {"workspace":["Ensure this value is less than or equal to 9007199254740991."]}
            "category":null             | {"category":["This field may not be null."]}
            "category":[]               | {"category":["This list may not be empty."]}
            "category":"Forest"         | {"category":["Expected a list of items but got type \\"str\\"."]}
            "category":{}               | {"category":["Expected a list of items but got type \\"dict\\"."]}
            "category":1                | {"category":["Expected a list of items but got type \\"int\\"."]}
            "category":["Zed"]          | {"category":{"0":["\\"Zed\\" is not a valid choice."]}}
            "category":["forest"]       | {"category":{"0":["\\"forest\\" is not a valid choice."]}}
            "category":["Forest","","Rocky",null,3] | {"category":{"1":["\\"\\" is not a valid choice."],\
            "3":["\\"null\\" is not a valid choice."],"4":["\\"3\\" is not a valid choice."]}}
            "category":[["Forest"],{}]  | {"category":{"0":["Not a valid string."],"1":["Not a valid string."]}}
            "captured_date":null        | {"captured_date":["This field may not be null."]}
            "is_private":null           | {"is_private":["This field may not be null."]}
            "is_private":"maybe"        | {"is_private":["Must be a valid boolean."]}
            "is_private":2              | {"is_private":["Must be a valid boolean."]}
            "is_private":[]             | {"is_private":["Must be a valid boolean."]}
            "is_shareable":""           | {"is_shareable":["Must be a valid boolean."]}
            "available_rasters":null    | {"available_rasters":["This field may not be null."]}
            "available_rasters":"ortho" | {"available_rasters":["Expected a list of items but got type \\"str\\"."]}
            "available_rasters":["x"]   | {"available_rasters":{"0":["\\"x\\" is not a valid choice."]}}
            "bbox":null                 | {"bbox":["This field may not be null."]}
            "bbox":true                 | {"bbox":["Expected a list of items but got type \\"bool\\"."]}
            "bbox":1.5                  | {"bbox":["Expected a list of items but got type \\"float\\"."]}
            "bbox":[1,2,3]              | {"bbox":["Ensure this field has at least 4 elements."]}
            "bbox":[1,2,3,4,5]          | {"bbox":["Ensure this field has no more than 4 elements."]}
            "bbox":[1,2,"x",null]       | {"bbox":{"2":["A valid number is required."],"3":["A valid number is required."]}}
            "bbox":[-91,-181,91,181]    | {"bbox":{"0":["Ensure this value is greater than or equal to -90."],\
            "1":["Ensure this value is greater than or equal to -180."],\
            "2":["Ensure this value is less than or equal to 90."],"3":["Ensure this value is less than or equal to 180."]}}
            "bbox":[3,2,1,4]            | {"bbox":["Expected [lat_a, lon_a, lat_b, lon_b] with lat_a <= lat_b and lon_a <= \
            lon_b."]}
            "bbox":[1,170,3,-170]       | {"bbox":["Expected [lat_a, lon_a, lat_b, lon_b] with lat_a <= lat_b and lon_a <= \
            lon_b."]}
            "bbox":[[1,2],[3,4],5,6]    | {"bbox":{"0":["A valid number is required."],"1":["A valid number is required."]}}
            "coordinates":"1,2"         | {"coordinates":["Expected a list of items but got type \\"str\\"."]}
            "coordinates":[1]           | {"coordinates":["Ensure this field has at least 2 elements."]}
            "coordinates":[1,2,3]       | {"coordinates":["Ensure this field has no more than 2 elements."]}
            "coordinates":[90.0000001,0] | {"coordinates":{"0":["Ensure this value is less than or equal to 90."]}}
            "coordinates":["NaN","Infinity"] | {"coordinates":{"0":["A valid number is required."],\
            "1":["A valid number is required."]}}
            "coordinates":["-inf",1e400] | {"coordinates":{"0":["A valid number is required."],\
            "1":["A valid number is required."]}}
            "coordinates":[1e-400,-1e400] | {"coordinates":{"0":["A valid number is required."],\
            "1":["A valid number is required."]}}
            "coordinates":[true,false]  | {"coordinates":{"0":["A valid number is required."],"1":["A valid number is \
            required."]}}
            "band_stats":null           | {"band_stats":["This field may not be null."]}
            "band_stats":[]             | {"band_stats":["Expected a dictionary of items but got type \\"list\\"."]}
            "band_stats":"{}"           | {"band_stats":["Expected a dictionary of items but got type \\"str\\"."]}
            "band_stats":{"dsm":{"b1":{"max":1e400,"min":1e-400,"mean":"1","stddev":null}}} | {"band_stats":{"dsm":{"b1":\
            {"max":["A valid number is required."],"min":["A valid number is required."],"mean":["A valid number is required."],\
            "stddev":["A valid number is required."]}}}}
            """)
    void anInvalidValueIsReportedForItsField(String fields, String refusal) {
        assertEquals(refusal, refusal('{' + fields + '}'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2021-02-30\"", "\"2021-13-01\"", "\"2021-00-10\"", "\"2023-02-29\"", "\"yesterday\"",
            "\"\"",
            "\"2021-03-04T24:00:00Z\"", "\"2021-03-04T05:06:60Z\"", "\"2021-03-04T05:06:07+25:00\"", "\"10000-01-01\"",
            "\"0000-12-31\"", "\"0001-01-01T00:00:00+01:00\"", "\"9999-12-31T23:59:59-01:00\"", "\"-2021-03-04\"",
            "1614834367", "true", "[]", "\"2021-003-4\"", "\"2021-03-04T05:06:07Z\\u0000\"", "\"2021-W10-4\""})
    void anInvalidDateIsRefused(String value) {
        assertEquals("{\"captured_date\":[\"Datetime has wrong format. Use one of these formats instead: "
                + "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].\"]}", refusal("{\"captured_date\":" + value + '}'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinates=[1e999999999999,0]", "bbox=[1,2,1e99999999999,4]",
            "band_stats={\"dsm\":1e999999999999}"})
    void aNumberWithAHugeExponentIsRefusedInAForm(String form) {
        refusal(FORM, form.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anInvalidBboxAndInvalidCoordinatesAreBothReported() {
        assertEquals("{\"bbox\":[\"Ensure this field has at least 4 elements.\"],"
                + "\"coordinates\":[\"Ensure this field has at least 2 elements.\"]}",
                refusal("{\"bbox\":[1],\"coordinates\":[1]}"));
    }

    @Test
    void aCreateWithAnEmptyHostHeaderIsRefused() throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            assertEquals(400, connection.write("POST /api/dataset/ HTTP/1.1\r\nHost: \r\nContent-Type: application/json"
                    + "\r\nAuthorization: Token " + ada.key() + "\r\nContent-Length: 2\r\n\r\n{}").read().status());
        }
    }

    @Test
    void aNameOf256CharactersIsRefused() {
        assertEquals("{\"dataset_name\":[\"Ensure this field has no more than 255 characters.\"]}",
                refusal("{\"dataset_name\":\"" + "🛰".repeat(256) + "\"}"));
    }

    @Test
    void allErrorsAreReportedInOneResponse() {
        assertEquals("{\"dataset_name\":[\"Not a valid string.\"],\"workspace\":[\"A valid integer is required.\"],"
                + "\"category\":{\"0\":[\"\\\"Zed\\\" is not a valid choice.\"]},"
                + "\"captured_date\":[\"This field may not be null.\"],\"is_private\":[\"Must be a valid boolean.\"],"
                + "\"is_shareable\":[\"Must be a valid boolean.\"],"
                + "\"available_rasters\":{\"1\":[\"\\\"x\\\" is not a valid choice.\"]},"
                + "\"band_stats\":{\"other\":[\"There is no such raster.\"]},"
                + "\"bbox\":[\"Expected [lat_a, lon_a, lat_b, lon_b] with lat_a <= lat_b and lon_a <= lon_b.\"],"
                + "\"coordinates\":{\"0\":[\"Ensure this value is less than or equal to 90.\"]}}", refusal("""
                        {"dataset_name":false,"workspace":"w","category":["Zed"],"captured_date":null,"is_private":"?",
                        "is_shareable":"?","available_rasters":["dsm","x"],"band_stats":{"other":{}},"bbox":[3,2,1,4],
                        "coordinates":[91,0],"unknown":"?"}"""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            []    | Invalid data. Expected a dictionary, but got list.
            "a"   | Invalid data. Expected a dictionary, but got str.
            1     | Invalid data. Expected a dictionary, but got int.
            1.5   | Invalid data. Expected a dictionary, but got float.
            false | Invalid data. Expected a dictionary, but got bool.
            null  | No data provided
            """)
    void aBodyThatIsNotAnObjectIsRefused(String json, String message) {
        assertEquals("{\"non_field_errors\":[\"" + message + "\"]}", refusal(json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"a\":}", "{'a':1}", "{\"a\":1,}", "{\"a\":1} x", "{a:1}", "nonsense",
            "{\"a\":01}", "{}{}", "// a comment\n{}", "   ",
            "{\"coordinates\":[NaN,0]}", "{\"coordinates\":[Infinity,0]}", "{\"coordinates\":[-Infinity,0]}",
            "{\"coordinates\":[1e999999999999,0]}", "{\"workspace\":1e99999999999}", "{\"dataset_name\":\"a\nb\"}",
            "{\"dataset_name\":\"\\x\"}", "{\"dataset_name\":\"a", "\u0000", "{\"a\":\"\\ud8\"}"})
    void invalidJsonIsRefusedWithAParseError(String json) {
        String refusal = refusal(json);
        assertTrue(refusal.matches("\\{\"detail\":\"JSON parse error - .+\"}"), refusal);
        assertTrue(!refusal.contains("Jackson") && !refusal.contains("Feature") && !refusal.contains("(start marker")
                && !refusal.contains("com."), refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void deepNestingIsRefusedQuickly(String open) {
        for (String before : new String[]{"", "{\"band_stats\":", "{\"unknown\":"}) {
            assertTimeout(Duration.ofMinutes(1), () -> assertEquals(
                    "{\"detail\":\"JSON parse error - Document nesting depth (33) exceeds the maximum allowed (32)\"}",
                    refusal(before + open.repeat(150_000))));
        }
    }

    @Test
    void aListOfTenThousandElementsIsRefused() {
        String list = IntStream.range(0, 10_000).mapToObj(i -> "\"Forest\"").collect(Collectors.joining(",", "[", "]"));
        assertEquals("{\"category\":[\"Ensure this field has no more than 13 elements.\"]}",
                refusal("{\"category\":" + list + '}'));
        assertEquals("{\"category\":[\"Ensure this field has no more than 13 elements.\"]}",
                refusal(FORM, ("category=" + list).getBytes(StandardCharsets.UTF_8)));
        assertEquals("{\"category\":[\"Ensure this field has no more than 13 elements.\"]}",
                refusal(FORM, "category=Forest&".repeat(10_000).getBytes(StandardCharsets.UTF_8)));
        assertEquals("{\"bbox\":[\"Ensure this field has no more than 4 elements.\"]}",
                refusal("{\"bbox\":[" + "1,".repeat(10_000) + "1]}"));
    }

    @Test
    void anErrorRepeatsOnlyTheStartOfALongValue() {
        String refusal = refusal("{\"category\":[\"" + "x".repeat(100_000) + "\"]}");
        assertTrue(refusal.length() < 200, refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "\u00c3(", "\u00e2\u0082", "\u00c0\u0080", "\u00ed\u00a0\u0080",
            "\u00f4\u0090\u0080\u0080"})
    void bytesThatAreNotUtf8AreRefusedInEveryMediaType(String bytes) {
        assertEquals(NOT_UTF8, refusal(Caller.JSON, around("{\"dataset_name\":\"", bytes, "\"}")));
        assertEquals(NOT_UTF8, refusal(FORM, around("dataset_name=", bytes, "")));
        assertEquals(NOT_UTF8, refusal(FORM, around("dataset_name=", percentEncoded(bytes), "")));
        assertEquals(NOT_UTF8, refusal(MULTIPART, around(
                "--b\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\n", bytes, "\r\n--b--\r\n")));
    }

    private static byte[] around(String before, String bytes, String after) {
        return (before + bytes + after).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String percentEncoded(String bytes) {
        return bytes.chars().mapToObj(b -> String.format("%%%02X", b)).collect(Collectors.joining());
    }

    @Test
    void aNulCharacterInAFormIsRefused() {
        String refusal = "{\"dataset_name\":[\"Null characters are not allowed.\"]}";
        assertEquals(refusal, refusal(FORM, around("dataset_name=a%00b", "", "")));
        assertEquals(refusal, refusal(MULTIPART, around(
                "--b\r\nContent-Disposition: form-data; name=\"dataset_name\"\r\n\r\na", "\0", "b\r\n--b--\r\n")));
    }

    @Test
    void surrogatesInNamesAndLabelsAreRefusedWithoutAServerError() {
        refusal("{\"category\":[\"\\ud83d\"]}");
        refusal("{\"category\":[\"" + "a".repeat(99) + "🛰\"]}");
        refusal("{\"band_stats\":{\"\\ud83d\":{}}}");
        refusal("{\"band_stats\":{\"" + "a".repeat(63) + "🛰\":{}}}");
    }
}
