package io.datasetlisting.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests that {@link CompactJson} removes the spaces outside of strings, and nothing else. */
class CompactJsonTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {}                                | {}
            {"a": 1, "b": [1, 2.50, -3e+2]}   | {"a":1,"b":[1,2.50,-3e+2]}
            {"dsm": {}, "dtm": {}, "ortho": {"b1": {"max": 255}}} | {"dsm":{},"dtm":{},"ortho":{"b1":{"max":255}}}
            {"near infrared": " b 1 "}        | {"near infrared":" b 1 "}
            {"a": "say \\"x y\\" , z", "b": 1}  | {"a":"say \\"x y\\" , z","b":1}
            {"a": "ends in \\\\", "b": "c d"}   | {"a":"ends in \\\\","b":"c d"}
            {"a": "\\\\\\" : ", "b": 1}           | {"a":"\\\\\\" : ","b":1}
            {"ü 河": "\\u0022 : 🛰 "}           | {"ü 河":"\\u0022 : 🛰 "}
            null                              | null
            """)
    void onlySpacesOutsideOfStringsAreRemoved(String json, String compact) throws IOException {
        assertEquals(compact, compact(json));
    }

    @Test
    void theTextIsWrittenAsOneValueOfAnObject() throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = MAPPER.createGenerator(out)) {
            generator.writeStartObject();
            generator.writeFieldName("band_stats");
            CompactJson.write("{\"a\": 1}", generator);
            generator.writeNumberField("id", 2);
            generator.writeEndObject();
        }

        assertEquals("{\"band_stats\":{\"a\":1},\"id\":2}", out.toString());
    }

    /** pandas reads no response with the digits of such a number, and no fraction helps. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"min": -340282346638528860000000000000000000000} | {"min":-3.4028234663852886E38}
            [18446744073709551615, -9223372036854775808]      | [18446744073709551615,-9223372036854775808]
            [18446744073709551616, -9223372036854775809]      | [1.8446744073709551616E19,-9.223372036854775809E18]
            [100000000000000000000.5, 0.1234567890123456789]  | [1.000000000000000000005E20,0.1234567890123456789]
            {"12345678901234567890123": 1234567890123456789}  | {"12345678901234567890123":1234567890123456789}
            {"a\\"1234567890123456789012": 99999999999999999999} | {"a\\"1234567890123456789012":9.9999999999999999999E19}
            """)
    void aNumberOfMoreThan64BitsHasAnExponent(String json, String written) throws IOException {
        assertEquals(written, compact(json));
    }

    @Property
    void everyDocumentIsWrittenAsJacksonWritesIt(@ForAll("documents") JsonNode document) throws IOException {
        assertEquals(MAPPER.writeValueAsString(document), compact(spaced(document)));
    }

    @Property
    void compactJsonIsUnchanged(@ForAll("documents") JsonNode document) throws IOException {
        String compact = MAPPER.writeValueAsString(document);

        assertEquals(compact, compact(compact));
    }

    @Provide
    Arbitrary<JsonNode> documents() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        Arbitrary<String> texts = Arbitraries.strings().withChars("ab \"\\,:{}[]\n\t\0ü河").ofMaxLength(12);
        Arbitrary<JsonNode> leaves = Arbitraries.oneOf(texts.map(nodes::textNode),
                Arbitraries.integers().map(nodes::numberNode), Arbitraries.doubles().map(nodes::numberNode),
                Arbitraries.of(true, false).map(nodes::booleanNode), Arbitraries.just(nodes.nullNode()));
        return Arbitraries.recursive(() -> leaves,
                inner -> Arbitraries.oneOf(inner.list().ofMaxSize(4).map(items -> nodes.arrayNode().addAll(items)),
                        Arbitraries.maps(texts, inner).ofMaxSize(4)
                                .map(fields -> nodes.objectNode().<JsonNode>setAll(fields))),
                0, 3);
    }

    /** The document with spaces in more places than PostgreSQL writes. */
    private static String spaced(JsonNode document) throws IOException {
        DefaultIndenter spaces = new DefaultIndenter("  ", " ");
        return MAPPER.writer(new DefaultPrettyPrinter().withObjectIndenter(spaces).withArrayIndenter(spaces))
                .writeValueAsString(document);
    }

    private static String compact(String json) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = MAPPER.createGenerator(out)) {
            CompactJson.write(json, generator);
        }
        return out.toString();
    }
}
