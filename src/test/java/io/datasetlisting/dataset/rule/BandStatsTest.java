package io.datasetlisting.dataset.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.DrfFields;

/** Tests which statistics {@link BandStats} accepts, and the errors that it reports. */
class BandStatsTest {

    private static final String BAND = "{\"max\":2.0,\"min\":1.0,\"mean\":1.5,\"stddev\":0.0}";

    private static DrfFields fields(String stats) {
        byte[] json = ("{\"band_stats\":" + stats + '}').getBytes(StandardCharsets.UTF_8);
        return DrfFields.parse(json, 0, json.length);
    }

    private static String read(String stats) {
        DrfFields fields = fields(stats);
        String read = BandStats.read(fields, "band_stats");
        fields.check();
        return read;
    }

    private static String refusal(String stats) {
        DrfFields fields = fields(stats);
        assertNull(BandStats.read(fields, "band_stats"));
        return assertThrows(ApiException.class, fields::check).reason().get("band_stats").toString();
    }

    /** Replaces B with the statistics of a valid band. */
    private static String bands(String text) {
        return text.replace("B", BAND);
    }

    /** PostgreSQL writes 300 digits for each of these numbers. */
    @Test
    void longStatisticsAreRefused() {
        String band = "{\"max\":1e-300,\"min\":1e-300,\"mean\":1e-300,\"stddev\":1e-300}";
        String bands = IntStream.rangeClosed(1, 500).mapToObj(i -> "\"b" + i + "\":" + band)
                .collect(Collectors.joining(",", "{\"multispec_ortho\":{\"band_descr\":{},", "}}"));
        assertEquals("[\"Ensure this field has no more than 131072 characters.\"]", refusal(bands));
        read(bands.replace("1e-300", "-1234567890.1234567"));
    }

    @Test
    void absentRastersAreAddedWithoutStatistics() {
        assertEquals(BandStats.NONE, read("{}"));
        assertEquals("{\"dsm\":{},\"dtm\":{\"b1\":" + BAND + "},\"ortho\":{}}", read(bands("{\"dtm\":{\"b1\":B}}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"dsm\":{\"b1\":B},\"dtm\":{},\"ortho\":{}}",
            "{\"dsm\":{},\"dtm\":{},\"ortho\":{\"b1\":B,\"b2\":B,\"b3\":B}}",
            "{\"dsm\":{},\"dtm\":{},\"ortho\":{\"b1\":B,\"b2\":B,\"b3\":B,\"b4\":B}}",
            "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{}}",
            "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"b1\":B,\"band_descr\":{}}}",
            "{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"b2\":B,\"b1\":B,\"band_descr\":{\"red\":1,\"nir\":2,"
                    + "\"a label\":2}}}"})
    void validStatisticsAreUnchanged(String stats) {
        assertEquals(bands(stats), read(bands(stats)));
    }

    @ParameterizedTest
    @CsvSource({"255.0,255.0", "255,255.0", "0.10,0.1", "1e2,100.0", "-0.0,0.0",
            "0.12345678901234567890,0.12345678901234568",
            "-10000000000000000000001,-10000000000000000000000.0", "1e-300,1E-300", "65535.25,65535.25"})
    void numbersAreTheShortestDigitsOfTheirDoubles(String sent, String stored) {
        assertEquals("{\"dsm\":{\"b1\":" + BAND.replace("1.5", stored) + "},\"dtm\":{},\"ortho\":{}}",
                read("{\"dsm\":{\"b1\":" + BAND.replace("1.5", sent) + "}}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"other":{}}                     | {"other":["There is no such raster."]}
            {"band_descr":{}}                | {"band_descr":["There is no such raster."]}
            {"dsm":null}                     | {"dsm":["Expected a dictionary of items but got type \\"NoneType\\"."]}
            {"dsm":[],"dtm":1}               | {"dsm":["Expected a dictionary of items but got type \\"list\\"."],\
            "dtm":["Expected a dictionary of items but got type \\"int\\"."]}
            {"dsm":{"b2":B}}                 | {"dsm":{"b2":["Bands are named b1 to b1 here."]}}
            {"dsm":{"b1":B,"b2":B}}          | {"dsm":{"non_field_errors":["Expected the band b1 alone."]}}
            {"dtm":{"band_descr":{}}}        | {"dtm":{"band_descr":["Bands are named b1 to b1 here."]}}
            {"ortho":{"b1":B}}               | {"ortho":{"non_field_errors":["Expected the bands b1 to b3 or b1 to b4."]}}
            {"ortho":{"b1":B,"b2":B,"b4":B}} | {"ortho":{"b4":["Bands are named b1 to b3 here."]}}
            {"ortho":{"b1":B,"b2":B,"B3":B}} | {"ortho":{"B3":["Bands are named b1 to b3 here."]}}
            {"ortho":{"b1":B,"b2":B,"b03":B}} | {"ortho":{"b03":["Bands are named b1 to b3 here."]}}
            {"dsm":{"b1":1}}                 | {"dsm":{"b1":["Expected a dictionary of items but got type \\"int\\"."]}}
            {"dsm":{"b1":{"max":1,"min":1,"mean":1}}} | {"dsm":{"b1":{"stddev":["This field is required."]}}}
            {"dsm":{"b1":{"max":"1","min":true,"mean":null,"stddev":[]}}} | {"dsm":{"b1":\
            {"max":["A valid number is required."],"min":["A valid number is required."],\
            "mean":["A valid number is required."],"stddev":["A valid number is required."]}}}
            {"dsm":{"b1":{"max":1e309,"min":-1e309,"mean":1e-400,"stddev":1}}} | {"dsm":{"b1":\
            {"max":["A valid number is required."],"min":["A valid number is required."],\
            "mean":["A valid number is required."]}}}
            {"dsm":{"b1":{"max":1,"min":1,"mean":1,"stddev":1,"median":1}}} | {"dsm":{"b1":{"median":["There is no such \
            statistic."]}}}
            {"multispec_ortho":{"b1":B}}     | {"multispec_ortho":{"band_descr":["This field is required."]}}
            {"multispec_ortho":{"band_descr":{}}} | {"multispec_ortho":{"non_field_errors":["Expected 1 to 500 bands."]}}
            {"multispec_ortho":{"b1":B,"band_descr":[]}} | {"multispec_ortho":{"band_descr":\
            ["Expected a dictionary of items but got type \\"list\\"."]}}
            {"multispec_ortho":{"b1":B,"band_descr":{"red":2,"nir":0,"blue":"1","green":1.0,"":1}}} | {"multispec_ortho":\
            {"band_descr":{"red":["Expected the number of a band, 1 to 1."],"nir":["Expected the number of a band, 1 to 1."],\
            "blue":["Expected the number of a band, 1 to 1."],"green":["Expected the number of a band, 1 to 1."],\
            "":["A label has 1 to 64 characters."]}}}
            """)
    void anErrorIsReportedAtItsPlace(String stats, String refusal) {
        String withBands = stats.replaceAll(":B\\b", ":" + BAND);
        assertEquals(refusal, refusal(withBands));
    }

    @Test
    void aRasterHasAtMost500Bands() {
        assertTrue(read(multispectral(500)).contains("\"b500\""));
        assertEquals("{\"multispec_ortho\":{\"non_field_errors\":[\"Expected 1 to 500 bands.\"]}}",
                refusal(multispectral(501)));
        assertEquals("{\"multispec_ortho\":{\"non_field_errors\":[\"Expected 1 to 500 bands.\"]}}",
                refusal(multispectral(3_000)));
    }

    private static String multispectral(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "\"b" + i + "\":" + BAND)
                .collect(Collectors.joining(",", "{\"multispec_ortho\":{", ",\"band_descr\":{}}}"));
    }

    @Test
    void thousandsOfErrorsMakeAShortResponse() {
        String many = IntStream.range(0, 20_000).mapToObj(i -> "\"key" + i + "\":0")
                .collect(Collectors.joining(",", "{", "}"));
        for (String stats : new String[]{many, "{\"dsm\":" + many + '}', "{\"dsm\":{\"b1\":" + many + "}}",
                "{\"multispec_ortho\":{\"b1\":" + BAND + ",\"band_descr\":" + many + "}}"}) {
            assertTrue(refusal(stats).length() < 50_000);
        }
    }

    @Test
    void aLabelHas1To64Characters() {
        String stats = "{\"multispec_ortho\":{\"b1\":" + BAND + ",\"band_descr\":{\"%s\":1}}}";
        read(stats.formatted("a".repeat(64)));
        for (String label : new String[]{"a".repeat(65), " ", "a\\u0000", "\\ud83d"}) {
            assertTrue(refusal(stats.formatted(label)).contains("A label has 1 to 64 characters."), label);
        }
    }
}
