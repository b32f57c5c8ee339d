package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.ItemPage.path;
import static io.datasetlisting.support.Listing.encoded;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Sends searches that are malformed, too large or made to harm. Each gets a clear error of the client, or a page. */
@QuarkusTest
class HostileSearchTest {

    private static final String SEARCH = "/stac/search";
    private static final int MEBIBYTE = 1 << 20;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    private ErrorLog log;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(300));
        log = ErrorLog.open();
    }

    @AfterEach
    void nothingIsLogged() {
        log.close();
        log.assertEmpty();
        assertEquals(5, new JsonObject(get("limit=5").asString()).getJsonArray("features").size());
    }

    private static Response get(String query) {
        return Caller.anonymous().get(SEARCH + '?' + query);
    }

    private static Response post(String body) {
        return Caller.anonymous().post(SEARCH, body);
    }

    /** Checks an error in the shape of OGC's exceptions, without details of the implementation. */
    private static String refused(int status, Response response) {
        String text = response.asString();
        assertEquals(status, response.statusCode(), text);
        assertEquals("application/json", response.contentType());
        JsonObject error = new JsonObject(text);
        assertEquals(Set.of("code", "description", "detail"), error.fieldNames(), text);
        assertEquals(error.getString("detail"), error.getString("description"));
        assertFalse(text.matches("(?s).*(Exception|\\bat [a-z]+\\.|datasetlisting|jackson|org\\.|java\\.|PG|SQL).*"),
                text);
        assertTrue(text.length() < 2_000, () -> text.length() + " characters");
        return error.getString("detail");
    }

    /** Checks each case, and names those that fail. */
    private static void each(ThrowingConsumer<String> check, String... cases) {
        assertAll(Stream.of(cases).map(each -> () -> assertAll(each, () -> check.accept(each))));
    }

    private static void refusedFor(String parameter, Response response) {
        String detail = refused(400, response);
        assertTrue(detail.startsWith(parameter + ": "), detail);
    }

    @Test
    void aMalformedQueryIsRefused() {
        each(query -> {
            String safe = query.replace("{", "%7B").replace("}", "%7D").replace("[", "%5B").replace("]", "%5D")
                    .replace("\u0661", "%D9%A1").replace(" ", "%20");
            String names = Stream.of(query.split("&")).map(each -> Pattern.quote(each.replaceFirst("=.*", "")))
                    .collect(Collectors.joining("|"));
            String detail = refused(400, get(safe));
            assertTrue(detail.matches("(?s)(" + names + "): .*|There is no parameter.*"), detail);
        }, "limit=0", "limit=-1", "limit=1e9", "limit=", "limit=x", "limit=1.5", "limit=0x10",
                "limit=%00", "limit=1%00", "limit=%D9%A1", "limit=1,2", "limit=NaN", "limit=Infinity", "bbox=",
                "bbox=1,2,3", "bbox=1,2,3,4,5", "bbox=1,2,3,4,5,6,7", "bbox=NaN,0,1,1", "bbox=0,0,Infinity,1",
                "bbox=0,0,1e400,1", "bbox=-1e400,0,1,1", "bbox=0,0,1,1e-400", "bbox=0,0,1,", "bbox=,,,", "bbox=a,b,c,d",
                "bbox=0,1,0,0", "bbox=0,0,181,1", "bbox=-180.0000001,0,1,1", "bbox=0,-91,1,1", "bbox=0,0,1,90.0000001",
                "bbox=0,0,5,1,1,4", "bbox=0%2C0%2C1%2C1%00", "bbox=[0,0,1,1]", "bbox=0,0,1,1e999999999",
                "bbox=0,0,1,1e-999999999", "bbox=0,0,1,1e99999999999999999999", "bbox=0;0;1;1", "datetime=",
                "datetime=..", "datetime=/", "datetime=../..", "datetime=/..", "datetime=../", "datetime=2020-01-01",
                "datetime=2020-01-01T00:00:00", "datetime=2020-01-01T00:00:00%2B0100",
                "datetime=2020-13-01T00:00:00Z", "datetime=2020-02-30T00:00:00Z", "datetime=2020-01-01T24:00:00Z",
                "datetime=2020-01-01T00:00:61Z", "datetime=2020-01-01T00:00:00.Z", "datetime=2020-01-01T00:00:00,5Z",
                "datetime=2021-01-01T00:00:00Z/2020-01-01T00:00:00Z",
                "datetime=2003-06-01T00:00:00.0000002Z/2003-06-01T00:00:00.0000001Z", "datetime=10000-01-01T00:00:00Z",
                "datetime=2020-01-01T00:00:00Z/2021-01-01T00:00:00Z/2022-01-01T00:00:00Z", "datetime=now",
                "datetime=%00", "datetime=2020-01-01T00:00:00Z%00", "datetime=-2020-01-01T00:00:00Z",
                "datetime=2020-01-01T00:00:00%2B99:99", "intersects=x", "intersects=[]", "intersects=1",
                "intersects={%22type%22:1}", "intersects={%22type%22:%22Point%22}",
                "intersects={%22type%22:%22Point%22,%22coordinates%22:[1,91]}",
                "intersects={%22type%22:%22Point%22,%22coordinates%22:[]}",
                "intersects={%22type%22:%22Point%22,%22coordinates%22:[1,2],%22coordinates%22:{}}",
                "filter=%00", "filter='", "filter=(", "filter=)", "filter=id", "filter=id=1",
                "filter=title=title", "filter=title=1", "filter=title=", "filter=x=1",
                "filter=id='%00'", "filter=%22", "filter=id%20in%20()", "filter=a.b.c=1", "filter=select%201",
                "filter=true;drop%20table%20dataset", "filter=true--", "filter=true%20and",
                "filter=title%20like%20'%25%5C'",
                "filter=casei(id)", "filter=S_INTERSECTS(geometry,POINT%20EMPTY)",
                "filter=S_INTERSECTS(geometry,POINT(1e400%202))", "filter=S_INTERSECTS(geometry,POINT(200%202))",
                "filter=dataset:workspace=1e400", "filter=dataset:workspace=" + "\u0661",
                "filter=[]&filter-lang=cql2-json", "filter=%22&filter-lang=cql2-json", "filter=1&filter-lang=cql2-json",
                "filter={%22op%22:%22and%22,%22args%22:[]}&filter-lang=cql2-json",
                "filter={%22op%22:%22not%22,%22args%22:{}}&filter-lang=cql2-json",
                "filter={%22op%22:null,%22args%22:[]}&filter-lang=cql2-json",
                "filter=true&filter-lang=cql", "filter=true&filter-lang=", "filter=true&filter-crs=EPSG:4326",
                "filter-crs=", "sortby=nothing", "sortby=,", "sortby=id,,id", "sortby=--id", "sortby=-", "sortby=%2B",
                "sortby=geometry", "sortby=dataset:category", "sortby=id%00", "sortby=id%20desc", "sortby=properties.",
                "sortby=properties.properties.id", "sortby=id;select", "token=x", "token=", "token=%00", "token=====",
                "ids=1&ids=2", "limit=1&limit=1", "limit=1&limit=2&limit=3", "unknown=1", "p=2", "f=xml", "f=",
                "f=json&f=html", "format=csv",
                "%00=1", "LIMIT=1", "limit%00=1", "=1", "bbox[]=1", "bbox=0,0,1,1&intersects=x");
    }

    /** Lone surrogates, NUL and bytes that are not UTF-8 are found in no dataset, or refused. */
    @Test
    void anOddQueryIsAnswered() {
        each(query -> {
            Response response = get(query);
            assertEquals(200, response.statusCode(), response.asString());
        }, "ids=%00", "ids=%FF", "ids=", "ids=,", "ids=%ED%A0%80", "collections=%00", "collections=",
                "intersects=", "intersects=%7B%7D", "filter=", "filter=%20&filter-lang=cql2-json",
                "filter=%7B%7D&filter-lang=cql2-json",
                "fields=%00", "fields=%FF,-%FF", "fields=-", "fields=,,", "fields=.", "fields=..", "fields=properties.",
                "fields=id.x", "fields=-id,-type,-properties,-geometry,-links,-assets", "fields=geometry.coordinates",
                "sortby=", "sortby=id,id,id", "sortby=id,-id", "limit=1000000000", "limit=%2B5",
                "limit=99999999999999999999999999999999999999", "filter=title='%ED%A0%80'", "filter=title='%FF'",
                "filter=title='%EF%BF%BF'", "filter=null&filter-lang=cql2-json", "bbox=180,0,-180,0",
                "bbox=-180,-90,180,90",
                "bbox=0,0,-0,0", "datetime=0000-01-01T00:00:00Z/..", "datetime=9999-12-31T23:59:60Z",
                "datetime=2020-01-01T00:00:00." + "9999999999999999999999999999999999999999" + "Z/..");
    }

    /** Values of all JSON types for each member; {@code null} is no member. */
    @Test
    void aMemberOfAWrongTypeIsRefused() {
        Map<String, String> values = Map.of("true", "boolean", "1", "number", "-1.5", "number", "\"x\"", "text", "[]",
                "array", "{}", "object", "[[]]", "array", "[1,{}]", "array", "[null]", "array", "{\"a\":null}",
                "object");
        Set<String> accepted = Set.of("limit 1", "ids []", "collections []", "fields {}", "sortby []", "filter true",
                "filter {}", "intersects {}", "q []", "q \"x\"");
        for (String member : SearchBody.SEARCH_PARAMETERS) {
            for (String value : values.keySet()) {
                Response response = post("{\"" + member + "\":" + value + "}");
                if (accepted.contains(member + ' ' + value)) {
                    assertEquals(200, response.statusCode(), () -> member + value + response.asString());
                } else {
                    refusedFor(member, response);
                }
            }
            assertEquals(200, post("{\"" + member + "\":null}").statusCode(), member);
        }
    }

    @Test
    void aMalformedBodyIsRefused() {
        each(body -> {
            refused(400, post(body));
        }, "[]", "1", "null", "\"x\"", "true", "{", "}", "{\"limit\":1", "{\"limit\":1}}",
                "{\"limit\":1} x",
                "{limit:1}", "{'limit':1}", "{\"limit\":01}", "{\"limit\":+1}", "{\"limit\":1,}", "{\"limit\":NaN}",
                "{\"limit\":1e400}", "{\"limit\":1e999999999}", "{\"limit\":1e-999999999}", "{\"limit\":1.5}",
                "{\"limit\":0}",
                "{\"limit\":-9223372036854775809}", "{\"limit\":\"10\"}", "{\"limit\":[10]}", "{\"\":1}",
                "{\"\\u0000\":1}",
                "{\"\\ud800\":1}", "{\"unknown\":null}", "{\"query\":{}}", "{\"bbox\":[0,0,1,1e400]}",
                "{\"bbox\":[0,0,1,\"1\"]}",
                "{\"bbox\":[0,0,1,null]}", "{\"bbox\":[0,0,1,1e-400,1]}", "{\"bbox\":[0,0,1,[1]]}",
                "{\"bbox\":\"0,0,1,1\"}",
                "{\"bbox\":{\"0\":0,\"1\":0,\"2\":1,\"3\":1}}", "{\"ids\":\"1\"}", "{\"ids\":[1]}",
                "{\"ids\":{\"a\":\"1\"}}",
                "{\"collections\":[null]}", "{\"sortby\":[{}]}", "{\"sortby\":[\"id\"]}",
                "{\"sortby\":{\"field\":\"id\"}}",
                "{\"sortby\":[{\"field\":\"id\",\"direction\":\"up\"}]}",
                "{\"sortby\":[{\"field\":\"id\",\"direction\":null}]}",
                "{\"sortby\":[{\"field\":[\"id\"]}]}", "{\"sortby\":[{\"field\":\"\\u0000\"}]}",
                "{\"fields\":[\"id\"]}",
                "{\"fields\":{\"include\":\"id\"}}", "{\"fields\":{\"include\":[1]}}", "{\"fields\":{\"x\":[]}}",
                "{\"fields\":{\"include\":{}}}", "{\"filter-lang\":\"cql2-text\",\"filter\":{\"op\":\"=\"}}",
                "{\"limit\":1,\"limit\":1}",
                "{\"filter\":\"true\"}",
                "{\"filter\":{\"op\":[\"and\"],\"args\":[]}}",
                "{\"filter\":{\"op\":\"=\",\"args\":[{\"property\":\"title\"},"
                        + "\"\\u0000\"]}}",
                "{\"filter\":{\"op\":\"=\",\"args\":[{\"property\":\"title\"},\"\\ud800\"]}}",
                "{\"filter\":{\"op\":\"=\",\"args\":[{\"property\":\"\\ud800\"},\"x\"]}}",
                "{\"filter\":{\"op\":\"=\",\"args\":[{\"property\":{}},\"x\"]}}",
                "{\"filter\":{\"op\":\"=\",\"args\":[{\"property\":\"title\",\"x\":1},\"x\"]}}",
                "{\"filter\":{\"op\":\"in\",\"args\":[{\"property\":\"title\"},{}]}}",
                "{\"filter\":{\"op\":\"in\",\"args\":[{\"property\":\"title\"},[]]}}",
                "{\"filter\":{\"op\":\"between\",\"args\":[{\"property\":\"title\"},[1,2,3]]}}",
                "{\"filter\":{\"op\":\"like\",\"args\":[{\"property\":\"title\"},1]}}",
                "{\"filter\":{\"op\":\"s_intersects\",\"args\":[{\"property\":\"geometry\"},{\"bbox\":[0,0,1]}]}}",
                "{\"filter\":{\"op\":\"s_intersects\",\"args\":[{\"property\":\"geometry\"},{\"type\":\"Point\"}]}}",
                "{\"filter\":{\"op\":\"s_intersects\",\"args\":[{\"property\":\"title\"},{\"type\":\"Point\",\"coordinates\":[1,"
                        + "1]}]}}",
                "{\"token\":\"\"}", "{\"token\":\"AAAA\"}", "{\"token\":\"\\u0000\"}", "{\"datetime\":\"x\"}",
                "{\"datetime\":[\"2020-01-01T00:00:00Z\"]}", "{\"datetime\":\"\\ud800\"}");
    }

    @Test
    void aMalformedGeometryIsRefused() {
        each(geometry -> {
            refusedFor("intersects", post("{\"intersects\":" + geometry + "}"));
            refusedFor("intersects", get("intersects=" + encoded(geometry)));
            refusedFor("filter",
                    post("{\"filter\":{\"op\":\"s_intersects\",\"args\":[{\"property\":\"geometry\"}," + geometry
                            + "]}}"));
        }, "{\"type\":\"Point\",\"coordinates\":[1]}",
                "{\"type\":\"Point\",\"coordinates\":[1,\"2\"]}",
                "{\"type\":\"Point\",\"coordinates\":[1,2,3,4,5,6,7]}", "{\"type\":\"Point\",\"coordinates\":[181,2]}",
                "{\"type\":\"Point\",\"coordinates\":[1e400,2]}", "{\"type\":\"Point\",\"coordinates\":[null,2]}",
                "{\"type\":\"point\",\"coordinates\":[1,2]}", "{\"type\":\"Feature\",\"geometry\":null}",
                "{\"type\":null}",
                "{\"type\":\"FeatureCollection\",\"features\":[]}", "{\"type\":\"LineString\",\"coordinates\":[[1,2]]}",
                "{\"type\":\"LineString\",\"coordinates\":[[1,2],[1,2]]}",
                "{\"type\":\"MultiPoint\",\"coordinates\":[]}",
                "{\"type\":\"MultiPoint\",\"coordinates\":[[]]}", "{\"type\":\"Polygon\",\"coordinates\":[]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[0,1]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[1,0],[0,1]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[3,8],[6,0],[-1,5],[7,5],[0,0]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[0,0],[0,0],[0,0]]]}",
                // JTS fails on numbers whose products are 0.
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1.5E-323,1E-323],[0,4.9E-324],[1.5E-323,4.9E-324],[0,1E-323],[0,"
                        + "0]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[1E-323,2E-323],[1E-323,1.5E-323],[1E-323,2E-323],[1.5E-323,1E-323],"
                        + "[2E-323,0],"
                        + "[2E-323,1.5E-323],[0,4.9E-324],[4.9E-324,1E-323],[1E-323,0],[1.5E-323,0],[1E-323,2E-323]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1.5E-323,1E-323],[0,4.9E-324],[1.5E-323,4.9E-324],[0,1E-323],"
                        + "[1.5E-323,1E-323],[0,0]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,2],[1,1],[0,0]]]}",
                "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]],[[5,5],[6,5],[6,6],[5,5]]]}",
                "{\"type\":\"GeometryCollection\",\"geometries\":[]}",
                "{\"type\":\"GeometryCollection\",\"geometries\":{}}",
                "{\"type\":\"GeometryCollection\"}", "{\"type\":\"GeometryCollection\",\"geometries\":[null]}",
                "{\"type\":\"GeometryCollection\",\"geometries\":[1]}",
                "{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:3857\"}}}");
    }

    private static String repeat(String text, int count, String separator) {
        return Stream.generate(() -> text).limit(count).collect(Collectors.joining(separator));
    }

    @Test
    void whatIsTooLargeIsRefused() {
        refusedFor("ids", post("{\"ids\":[" + repeat("\"1\"", 10_000, ",") + "]}"));
        refused(414, get("ids=" + repeat("1", 9_000, ",")));
        refusedFor("ids", get("ids=" + repeat("1", 5_000, ",")));
        refusedFor("collections", post("{\"collections\":[" + repeat("\"x\"", 10_000, ",") + "]}"));
        refusedFor("fields", post("{\"fields\":{\"include\":[" + repeat("\"title\"", 10_000, ",") + "]}}"));
        refused(400, post("{\"bbox\":[" + repeat("1", 100_000, ",") + "]}"));
        refused(400, post("{\"limit\":" + "9".repeat(2_000) + "}"));
        refused(400, post("{\"bbox\":[0,0,1,1" + "0".repeat(100_000) + "]}"));
        refused(400, post("{\"bbox\":[0,0,1,0." + "1".repeat(100_000) + "]}"));
        refused(400, post("{\"" + "x".repeat(100_000) + "\":1}"));
        refused(400, post("{\"datetime\":\"" + "/".repeat(200_000) + "\"}"));
        refused(400, post("{\"datetime\":\"" + "2".repeat(200_000) + "\"}"));
        refused(400, post("{\"sortby\":[{\"field\":\"" + "x".repeat(100_000) + "\"}]}"));
        refused(400, post("{\"token\":\"" + "A".repeat(200_000) + "\"}"));
        refusedFor("filter", post("{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "x".repeat(200_000) + "\"}"));
        refusedFor("filter", post("{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "(".repeat(10_000) + "\"}"));
        refusedFor("filter", post("{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "NOT ".repeat(4_000) + "true\"}"));
        refusedFor("filter", post("{\"filter-lang\":\"cql2-text\",\"filter\":\"id=" + "-".repeat(10_000) + "1\"}"));
        refusedFor("filter", post("{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "casei(".repeat(2_000) + "\"}"));
        refusedFor("filter", get("filter=" + "(".repeat(10_000)));
        refused(414, get("filter=" + "x".repeat(18_000)));
        String not = "{\"op\":\"not\",\"args\":[";
        refused(400, post("{\"filter\":" + not.repeat(10_000) + "true" + "]}".repeat(10_000) + "}"));
        refused(400, post("{\"filter\":" + not.repeat(101) + "true" + "]}".repeat(101) + "}"));
        refused(400, post("{\"filter\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}"));
        refused(400, post("[".repeat(200_000)));
        refusedFor("filter", post("{\"filter\":{\"op\":\"in\",\"args\":[{\"property\":\"id\"},["
                + repeat("\"1\"", 10_000, ",") + "]]}}"));
        refusedFor("filter",
                post("{\"filter\":{\"op\":\"or\",\"args\":["
                        + repeat("{\"op\":\"isNull\",\"args\":[{\"property\":\"id\"}]}",
                                4_000, ",")
                        + "]}}"));
        refused(400, post("{\"intersects\":" + "{\"type\":\"GeometryCollection\",\"geometries\":[".repeat(1_000)
                + "{\"type\":\"Point\",\"coordinates\":[1,2]}" + "]}".repeat(1_000) + "}"));
        refusedFor("intersects", post("{\"intersects\":{\"type\":\"MultiPoint\",\"coordinates\":["
                + repeat("[1,2]", 10_000, ",") + "]}}"));
        refused(413, post("{\"intersects\":{\"type\":\"MultiPoint\",\"coordinates\":[" + repeat("[1,2]", 1_000_000, ",")
                + "]}}"));
        refused(413, post("{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "x".repeat(MEBIBYTE) + "\"}"));
    }

    /** Constants fold, so that these cost little. */
    @Test
    void whatIsLargeIsAnswered() {
        String not = "{\"op\":\"not\",\"args\":[";
        for (String body : List.of("{\"sortby\":[" + repeat("{\"field\":\"title\"}", 10_000, ",") + "]}",
                "{\"ids\":[" + repeat("\"1\"", 1_000, ",") + "]}",
                "{\"filter\":" + not.repeat(99) + "true" + "]}".repeat(99) + "}",
                "{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "(".repeat(99) + "true" + ")".repeat(99) + "\"}",
                "{\"filter-lang\":\"cql2-text\",\"filter\":\"" + "not ".repeat(99) + "true\"}",
                "{\"filter\":{\"op\":\"or\",\"args\":["
                        + repeat("{\"op\":\"isNull\",\"args\":[{\"property\":\"id\"}]}", 900, ",")
                        + "]}}",
                "{\"filter\":{\"op\":\"or\",\"args\":["
                        + repeat("{\"op\":\"like\",\"args\":[{\"property\":\"dataset:category\"},\"%a%\"]}", 50, ",")
                        + "]}}",
                "{\"filter\":{\"op\":\"like\",\"args\":[{\"op\":\"casei\",\"args\":[{\"property\":\"title\"}]},"
                        + "{\"op\":\"casei\",\"args\":[\"" + "%a".repeat(8_000) + "%\"]}]}}",
                "{\"filter\":{\"op\":\"=\",\"args\":[{\"op\":\"casei\",\"args\":[{\"property\":\"title\"}]},"
                        + "{\"op\":\"casei\",\"args\":[\"" + "ß".repeat(16_000) + "\"]}]}}")) {
            Response response = post(body);
            assertEquals(200, response.statusCode(), () -> response.asString() + " for " + body.substring(0, 100));
        }
        assertEquals(200, get("sortby=" + repeat("title", 2_500, ",")).statusCode());
        assertEquals(200, get("limit=" + "9".repeat(100)).statusCode());
    }

    @ParameterizedTest
    @CsvSource({"text/plain, 415", "application/x-www-form-urlencoded, 415", "application/geo+json, 415",
            "multipart/form-data; boundary=x, 415", "x, 415", "application/json; charset=utf-16, 200",
            "APPLICATION/JSON, 200", "application/json;;;=, 200"})
    void onlyJsonIsRead(String type, int status) {
        Response response = Caller.anonymous().send("POST", SEARCH, type, "{\"limit\":5}");
        if (status == 200) {
            assertEquals(200, response.statusCode(), response.asString());
        } else {
            refused(status, response);
        }
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        for (byte[] bytes : List.of(new byte[]{(byte) 0xff}, new byte[]{0},
                "{\"limit\":1}".getBytes(StandardCharsets.UTF_16),
                "{\"filter\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1), new byte[]{'{', '}', 0},
                new byte[]{'{', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', ':', '1', '}'})) {
            refused(400, Caller.anonymous().send("POST", SEARCH, "application/json", bytes));
        }
    }

    @Test
    void compressedBodiesAreLimited() throws IOException {
        refused(413, gzip(Bulk.gzip(" ".repeat(50 * MEBIBYTE))));
        refused(400, gzip("no gzip".getBytes(StandardCharsets.UTF_8)));
        byte[] whole = Bulk.gzip("{\"limit\":5}");
        assertEquals(200, gzip(whole).statusCode());
        refused(400, gzip(Arrays.copyOf(whole, whole.length - 9)));
        refused(400, gzip(Bulk.gzip(Bulk.gzip("{}"))));
        refused(415, Caller.anonymous().request().contentType("application/json").header("Content-Encoding", "br")
                .body("{}").post(SEARCH));
    }

    private static Response gzip(byte[] body) {
        return Caller.anonymous().request().contentType("application/json").header("Content-Encoding", "gzip")
                .body(body).post(SEARCH);
    }

    @Test
    void otherMethodsAndAddressesAreRefused() {
        for (String path : List.of(SEARCH, "/stac/collections/datasets/items", "/stac/collections/datasets/items/1")) {
            for (String method : List.of("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "POST")) {
                if (!method.equals("POST") || !path.equals(SEARCH)) {
                    refused(path.equals(SEARCH) ? 405 : 401, Caller.anonymous().request().request(method, path));
                }
            }
            Response options = Caller.anonymous().request().options(path);
            assertEquals(200, options.statusCode(), options.asString());
            assertEquals(path.equals(SEARCH) ? "GET, POST, HEAD, OPTIONS" : "GET, HEAD, OPTIONS",
                    options.header("Allow"));
        }
        for (String id : List.of("0", "-1", "x", "1.0", "01", "+1", "%00", "%2B1", "1%20", "99999999999999999999",
                "%F0%9F",
                "9".repeat(5_000), "1;x", "..%2F1", "1%2F2", "null")) {
            Response response = Caller.anonymous().get("/stac/collections/datasets/items/" + id);
            assertTrue(Set.of(400, 404).contains(response.statusCode()), () -> id + response.asString());
            refused(response.statusCode(), response);
        }
        refused(400, Caller.anonymous().get("/stac/collections/datasets/items/1?limit=1"));
        for (String parameter : List.of("ids=1", "intersects=%7B%7D")) {
            refused(400, Caller.anonymous().get("/stac/collections/datasets/items?" + parameter));
        }
        refused(400, Caller.anonymous().post(SEARCH + "?limit=1", "{}"));
        for (String query : List.of("limit=0", "x=1")) {
            Response head = Caller.anonymous().request().head(SEARCH + '?' + query);
            assertEquals(400, head.statusCode());
            assertEquals("", head.asString());
        }
        assertEquals(200, Caller.anonymous().request().post(SEARCH).statusCode());
    }

    @Test
    void bytesThatNoClientSendsAreAnswered() {
        each(query -> {
            try (RawConnection connection = new RawConnection(service)) {
                Answer answer = connection.write("GET /stac/search?" + query + " HTTP/1.1\r\nHost: a\r\n\r\n").read();
                assertEquals(200, answer.status(), answer::body);
                for (Object link : new JsonObject(answer.body()).getJsonArray("links")) {
                    String href = ((JsonObject) link).getString("href");
                    assertTrue(href.matches("[!-~]+"), href);
                }
            }
        }, "ids=é{}|^`\"<>\\", "ids=\u0001\u007f\u0085", "ids=%zz", "ids=%", "ids=%4",
                "ids=\u00ff\u00fe",
                "filter=title='\u00c3\u00a9'", "filter=title%20<>%20'{}'", "fields=é,\"", "&&&limit=1&&", "limit=1&");
    }

    private static String token(Caller caller, String query) {
        return path(caller.json(SEARCH + "?limit=2" + query), "next").replaceFirst(".*[?&]token=([^&]+).*", "$1");
    }

    @Test
    void aTokenIsOfOneSearchAndOneCaller() {
        String token = token(Caller.anonymous(), "");
        assertEquals(200, get("token=" + token).statusCode());
        assertEquals(200, get("limit=7&token=" + token).statusCode());
        assertEquals(200, post("{\"token\":\"" + token + "\"}").statusCode());
        for (String other : List.of("sortby=title", "sortby=-id", "filter=true", "bbox=-180,-90,180,90", "ids=1,2,3",
                "datetime=../2030-01-01T00:00:00Z", "collections=datasets,x", "fields=title")) {
            Response response = get("token=" + token + '&' + other);
            if (!other.startsWith("collections")) {
                refusedFor("token", response);
            }
        }
        Caller ada = Caller.account("Ada").token("reader");
        Caller bea = Caller.account("Bea").token("reader");
        String hers = token(ada, "");
        for (Caller caller : List.of(Caller.admin(), bea, Caller.anonymous())) {
            refusedFor("token", caller.get(SEARCH + "?token=" + hers));
        }
        refusedFor("token", ada.get(SEARCH + "?token=" + token));
        assertEquals(200, ada.get(SEARCH + "?token=" + hers).statusCode());
    }

    @Test
    void aChangedTokenIsRefused() {
        String token = token(Caller.anonymous(), "&sortby=title");
        byte[] bytes = Base64.getUrlDecoder().decode(token);
        Function<byte[], String> encoded = Base64.getUrlEncoder().withoutPadding()::encodeToString;
        List<String> changed = new ArrayList<>(IntStream.range(0, bytes.length).mapToObj(i -> {
            byte[] flipped = bytes.clone();
            flipped[i] ^= (byte) (1 << i % 8);
            return encoded.apply(flipped);
        }).toList());
        IntStream.range(0, bytes.length).forEach(i -> changed.add(encoded.apply(Arrays.copyOf(bytes, i))));
        changed.addAll(List.of(token + "A", token + token, 'A' + token, token.toUpperCase(Locale.ROOT),
                "A", "A".repeat(64),
                encoded.apply(new byte[16]), encoded.apply(new byte[17]),
                encoded.apply("[true,1,1]".getBytes(StandardCharsets.UTF_8)),
                encoded(token + "\n"), encoded(token + " "), encoded("é" + token), token + "%00"));
        for (String other : changed) {
            Response response = get("sortby=title&token=" + other);
            refusedFor("token", response);
        }
        assertEquals(200, get("sortby=title&token=" + token).statusCode());
    }

    /** Damages valid searches at random places. */
    @Test
    void aDamagedSearchIsAnsweredOrRefused() {
        Random random = new Random(RandomTests.seed(22));
        List<String> valid = List.of(
                """
                {"limit":5,"bbox":[-10,-10.5,10,1e1],"datetime":"2010-01-01T00:00:00Z/..","ids":["1","2"],\
                "collections":["datasets"],\
                "sortby":[{"field":"properties.title","direction":"desc"}],"fields":{"include":["title"],"exclude":["links"]}}""",
                """
                        {"intersects":{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,0]]]},"filter-lang":"cql2-text",\
                        "filter":"title like 'a%' and not (dataset:workspace between 1 and 5) or casei(title) = casei('x')"}""",
                """
                        {"filter":{"op":"and","args":[{"op":"s_intersects","args":[{"property":"geometry"},{"bbox":[0,0,1,1]}]},\
                        {"op":"in","args":[{"property":"id"},["1"]]},{"op":"<","args":[{"property":"datetime"},\
                        {"timestamp":"2020-01-01T00:00:00Z"}]}]}}""",
                "{\"filter-lang\":\"cql2-text\",\"filter\":\"S_INTERSECTS(geometry,POLYGON Z((0 0 0,1 0 0,1 1 0,0 0 0)))"
                        + " or \\\"title\\\" is not null and datetime > TIMESTAMP('2020-01-01T00:00:00.5+01:00')\"}");
        byte[] bad = "{}[]()\"'\\,:0-9eE+.%_ \0\u00ff<>=nulltruez1212012345aeiou".getBytes(StandardCharsets.ISO_8859_1);
        int answered = 0;
        for (int i = 0; i < RandomTests.times(200, 1_500); i++) {
            byte[] body = valid.get(i % valid.size()).getBytes(StandardCharsets.UTF_8);
            for (int change = random.nextInt(2); change >= 0; change--) {
                int at = random.nextInt(body.length);
                body = switch (random.nextInt(8)) {
                    case 0 -> Arrays.copyOf(body, at);
                    case 1 -> join(body, at, body, random.nextInt(body.length));
                    default -> {
                        body[at] = bad[random.nextInt(bad.length)];
                        yield body;
                    }
                };
                body = body.length == 0 ? new byte[]{'{'} : body;
            }
            Response response = Caller.anonymous().send("POST", SEARCH, "application/json", body);
            if (response.statusCode() == 200) {
                answered++;
            } else {
                refused(400, response);
            }
        }
        assertTrue(answered > RandomTests.times(4, 30), answered + " of the damaged searches are still valid");
    }

    private static byte[] join(byte[] first, int to, byte[] second, int from) {
        byte[] joined = Arrays.copyOf(first, to + second.length - from);
        System.arraycopy(second, from, joined, to, second.length - from);
        return joined;
    }
}
