package io.datasetlisting.dataset.cql2;

import static io.datasetlisting.dataset.cql2.Filters.json;
import static io.datasetlisting.dataset.cql2.Filters.jsonError;
import static io.datasetlisting.dataset.cql2.Filters.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.input.StrictJson;

/** Tests that CQL2 JSON gives the same tree as CQL2 text, and its errors and limits. */
class Cql2JsonTest {

    /** Examples of the standard, and the constructs that it has in several forms. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            city='Toronto'                   | {"op": "=", "args": [{"property": "city"}, "Toronto"]}
            'Toronto' <> city                | {"op": "<>", "args": ["Toronto", {"property": "city"}]}
            depth < 4                        | {"op": ">", "args": [4, {"property": "depth"}]}
            depth > -1.50e2                  | {"op": ">", "args": [{"property": "depth"}, -1.50e2]}
            depth <= 1 and depth >= 0        | {"op": "and", "args": [{"op": "<=", "args": [{"property": "depth"}, 1]}, \
            {"op": ">=", "args": [{"property": "depth"}, 0]}]}
            updated >= date('1970-01-01')    | {"op": ">=", "args": [{"property": "updated"}, {"date": "1970-01-01"}]}
            updated = TIMESTAMP('1969-07-20T20:17:40.1234567Z') \
            | {"op": "=", "args": [{"property": "updated"}, {"timestamp": "1969-07-20T20:17:40.1234567Z"}]}
            updated = '1970-01-01'           | {"op": "=", "args": [{"property": "updated"}, "1970-01-01"]}
            geometry IS NOT NULL             | {"op": "not", "args": [{"op": "isNull", "args": [{"property": "geometry"}]}]}
            title LIKE 'Smith%'              | {"op": "like", "args": [{"property": "title"}, "Smith%"]}
            title LIKE '\\\\%\\%'            | {"op": "like", "args": [{"property": "title"}, "\\\\%\\\\%"]}
            depth BETWEEN 100.0 and 150.0    | {"op": "between", "args": [{"property": "depth"}, 100.0, 150.0]}
            depth BETWEEN 100.0 and 150.0    | {"op": "between", "args": [{"property": "depth"}, [100.0, 150.0]]}
            city IN ('Toronto','Tokyo')      | {"op": "in", "args": [{"property": "city"}, ["Toronto", "Tokyo"]]}
            category NOT IN (1,2,3,4)        | {"op": "not", "args": [{"op": "in", "args": [{"property": "category"}, \
            [1, 2, 3, 4]]}]}
            CASEI(road_class) IN (CASEI('Οδος'),CASEI('Straße')) \
            | {"op": "in", "args": [{"op": "casei", "args": [{"property": "road_class"}]}, \
            [{"op": "casei", "args": ["Οδος"]}, {"op": "casei", "args": ["Straße"]}]]}
            casei(title) like casei('a_')    | {"op": "like", "args": [{"op": "casei", "args": [{"property": "title"}]}, \
            {"op": "casei", "args": ["a_"]}]}
            S_INTERSECTS(geometry,POINT(36.319836 32.288087)) \
            | {"op": "s_intersects", "args": [{"property": "geometry"}, {"type": "Point", "coordinates": [36.319836, 32.288087]}]}
            S_INTERSECTS(geometry,POINT(1 2)) \
            | {"op": "s_intersects", "args": [{"coordinates": [1, 2, 3], "type": "Point"}, {"property": "properties.geometry"}]}
            S_INTERSECTS(geometry,BBOX(160.6,-55.95,-170,-25.89)) \
            | {"op": "s_intersects", "args": [{"property": "geometry"}, {"bbox": [160.6, -55.95, -170, -25.89]}]}
            true                             | true
            private                          | {"property": "private"}
            not (private and false)          | {"op": "not", "args": [{"op": "and", "args": [{"property": "private"}, false]}]}
            private or private or private    | {"op": "or", "args": [{"property": "private"}, {"property": "private"}, \
            {"property": "private"}]}
            (private or private) or private  | {"op": "or", "args": [{"op": "or", "args": [{"property": "private"}, \
            {"property": "private"}]}, {"property": "private"}]}
            """)
    void aFilterHasTheTreeOfItsTwin(String text, String json) {
        assertEquals(text(text), json(json));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            null                              | Expected a condition, a property or a value.
            []                                | Expected a condition, a property or a value.
            5                                 | Expected a condition.
            {}                                | Expected a member 'op', 'type' or one of [property, timestamp, date, bbox].
            {"op": "="}                       | Expected an array at /args.
            {"op": "=", "args": {}}           | Expected an array at /args.
            {"op": "=", "args": [1]}          | Expected 2 elements at /args.
            {"op": "=", "args": [1, 2]}       | A comparison without a property at /args/1.
            {"op": "=", "args": [1, 2, 3]}    | Expected 2 elements at /args.
            {"op": "and", "args": [true]}     | Expected at least 2 elements at /args.
            {"op": "and", "args": [true, 5]}  | Expected a condition at /args/1.
            {"op": "not", "args": [true, 5]}  | Expected 1 element at /args.
            {"op": "AND", "args": [true, 5]}  | Unknown operator 'AND' at /op.
            {"op": 5, "args": [true, 5]}      | Unknown operator '5' at /op.
            {"op": "t_after", "args": []}     | Unknown operator 't_after' at /op.
            {"op": "avg", "args": []}         | Unknown operator 'avg' at /op.
            {"op": "-", "args": [1, 2]}       | Unknown operator '-' at /op.
            {"op": "not", "args": [true], "not": 1}                    | Unknown member 'not'.
            {"property": "title", "case": "i"}                         | Unknown member 'case'.
            {"op": "or", "args": [true, {"property": "no"}]}           | Unknown property 'no' at /args/1/property.
            {"op": "or", "args": [true, {"property": 5}]}              | Unknown property '' at /args/1/property.
            {"op": "=", "args": [{"property": "title"}, 5]}            | Expected a text for the property 'title' at /args/1.
            {"op": "=", "args": [{"property": "title"}, null]}         | Expected a condition, a property or a value at /args/1.
            {"op": "=", "args": [{"property": "title"}, {"property": "title"}]} \
            | A property cannot be compared with a property at /args/1/property.
            {"op": "=", "args": [{"property": "updated"}, {"date": "2020-02-30"}]} \
            | Expected a date of RFC 3339 ('2020-12-31') at /args/1/date.
            {"op": "=", "args": [{"property": "updated"}, {"timestamp": 5}]} | Expected a text at /args/1/timestamp.
            {"op": "=", "args": [{"property": "title"}, "\\u0000"]} \
            | A text with a NUL character or half of a surrogate pair at /args/1.
            {"op": "=", "args": [{"property": "title"}, "\\ud800"]} \
            | A text with a NUL character or half of a surrogate pair at /args/1.
            {"op": "=", "args": [{"property": "\\ud800"}, 1]}          | Unknown property '?' at /args/0/property.
            {"op": "=", "args": [{"property": "depth"}, 1e999]}        | A number outside the range of a double at /args/1.
            {"op": "<", "args": [{"property": "depth"}, 1e-999999999]} | A number outside the range of a double at /args/1.
            {"op": "between", "args": [{"property": "depth"}, [1]]}    | Expected 2 elements at /args/1.
            {"op": "between", "args": [{"property": "depth"}, 1]}      | Expected 3 elements at /args.
            {"op": "between", "args": [{"property": "depth"}, 1, "a"]} | Expected a number for the property 'depth' at /args/2.
            {"op": "in", "args": [{"property": "depth"}, 1]}           | Expected a property and an array of values at /args.
            {"op": "in", "args": [{"property": "depth"}, []]}          | Expected at least 1 element at /args/1.
            {"op": "in", "args": [{"property": "depth"}, [1, "a"]]}    | Expected a number for the property 'depth' at /args/1/1.
            {"op": "like", "args": [{"property": "title"}, "a\\\\"]} \
            | A pattern of LIKE that ends with a single backslash at /args/1.
            {"op": "like", "args": [{"property": "title"}, {"property": "title"}]} \
            | Expected a text as the pattern of LIKE at /args/1/property.
            {"op": "isNull", "args": {"property": "title"}}            | Expected an array at /args.
            {"op": "isNull", "args": ["title"]}                        | Expected a property for IS NULL at /args/0.
            {"op": "s_intersects", "args": [{"property": "title"}, {"bbox": [0, 0, 1, 1]}]} \
            | Expected a property with geometries in S_INTERSECTS at /args/0/property.
            {"op": "s_intersects", "args": [{"property": "geometry"}, {"bbox": [0, 0, 1]}]} \
            | A box has 4 or 6 numbers at /args/1/bbox.
            {"op": "s_intersects", "args": [{"property": "geometry"}, {"bbox": [0, 0, 1, 91]}]} \
            | Degrees outside the world: longitude 1.0, latitude 91.0 at /args/1/bbox.
            {"op": "s_intersects", "args": [{"property": "geometry"}, {"type": "Point", "coordinates": [1, "2"]}]} \
            | Expected a number in the range of a double at /args/1/coordinates/1.
            """)
    void anErrorNamesItsPlace(String json, String error) {
        assertEquals("filter: " + error, jsonError(json));
    }

    @Test
    @Timeout(5)
    void deepAndLongFiltersAreRefused() {
        for (String start : new String[]{"{\"op\": \"not\", \"args\": [", "[", "{\"a\": "}) {
            String error = jsonError(start.repeat(10_000));
            assertTrue(error.startsWith("JSON parse error - Document nesting depth (601) exceeds"), error);
        }
        assertEquals("filter: More than 50 levels of nesting at " + "/args/0".repeat(50) + ".", jsonError(nots(200)));
        json(nots(Filters.LIMITS.depth()));
        assertEquals("filter: More than 500 properties and values at /args/500.",
                jsonError("{\"op\": \"and\", \"args\": [" + trues(10_000) + "]}"));
        assertEquals("filter: More than 500 properties and values at /args/1/499.",
                jsonError("{\"op\": \"in\", \"args\": [{\"property\": \"private\"}, [" + trues(10_000) + "]]}"));
        assertEquals("filter: More than 20000 characters at /args/1.",
                jsonError("{\"op\": \"=\", \"args\": [{\"property\": \"title\"}, \"" + "a".repeat(1_000_000) + "\"]}"));
    }

    private static String nots(int depth) {
        return "{\"op\": \"not\", \"args\": [".repeat(depth) + "true" + "]}".repeat(depth);
    }

    private static String trues(int count) {
        return IntStream.range(0, count).mapToObj(i -> "true").collect(Collectors.joining(","));
    }

    /** A tree that another parser made has no limit of depth. */
    @Test
    void aDeepTreeDoesNotOverflowTheStack() {
        ObjectNode root = new ObjectMapper().createObjectNode();
        ObjectNode deepest = root;
        for (int i = 0; i < 100_000; i++) {
            ArrayNode args = deepest.put("op", "not").putArray("args");
            deepest = args.addObject();
        }
        String error = Filters.error(() -> new Cql2Json(Filters.QUERYABLES, Filters.LIMITS).parse(root));
        assertTrue(error.startsWith("filter: More than 50 levels of nesting at "), error);
    }

    @Test
    void aBodyWithAFilterMayBeDeeperThanOtherJson() {
        String filter = nots(40);
        assertEquals(json(filter), new Cql2Json(Filters.QUERYABLES, Filters.LIMITS)
                .parse(StrictJson.parseDeep(filter.getBytes(StandardCharsets.UTF_8))));
        assertTrue(Filters.error(() -> StrictJson.parse(filter)).startsWith("JSON parse error"));
        // As strict as for other JSON.
        for (String malformed : new String[]{"{'op': 1}", "{\"op\": 1,}", "{} {}", "", "{\"op\": NaN}",
                "{\"a\": 01}"}) {
            assertTrue(Filters.error(() -> StrictJson.parseDeep(malformed)).startsWith("JSON parse error"), malformed);
        }
    }
}
