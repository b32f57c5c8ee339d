package io.datasetlisting.dataset.format;

import static io.datasetlisting.dataset.Views.FIELDS;
import static io.datasetlisting.dataset.Views.MAPPER;
import static io.datasetlisting.dataset.Views.json;
import static io.datasetlisting.dataset.Views.select;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.AnyDatasets;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Catalogue;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests the records that {@link Csv} writes. */
class CsvTest implements AnyDatasets {

    private static final Csv CSV = new Csv(MAPPER);

    @Test
    void theHeaderHasTheSelectedFieldsInTheOrderOfTheContract() {
        assertEquals("id,uav_uid,user,workspace,dataset_name,category,thumbnail_image,captured_date,is_private,"
                + "is_shareable,available_rasters,is_deleted,gcps_file,band_stats,bbox,coordinates,cant_orthomosaic,"
                + "is_dem_processing,cumulative_adjustment,latest_adjustment_status,latest_adjustment_id\r\n",
                header(FIELDS.names()));
        assertEquals("id,bbox\r\n", header(Set.of("bbox", "id")));
    }

    @Test
    void aRecordHasACellForEachField() {
        assertEquals(
                "1,00000000-0000-4000-0000-000000000001,Ada van Dyk 7,70,\"a \"\"b\"\", 🛰\",\"[\"\"Forest\"\"]\",a.jpg,"
                        + "2021-03-04T05:06:07Z,false,true,[],false,,\"{\"\"dsm\"\":{},\"\"max\"\":2.50}\","
                        + "\"[-0.1,2.0,1.0E-5,179.999999]\",\"[1.0,2.0]\",false,true,-1.5,finished,\r\n",
                lines(FIELDS.names(), d -> {
                    d.datasetName = "a \"b\", 🛰";
                    d.thumbnailKey = "a.jpg";
                    d.isShareable = true;
                    d.isDemProcessing = true;
                    d.bandStats = "{\"dsm\": {}, \"max\": 2.50}";
                    d.bbox = new double[]{-0.1, 2, 1e-5, 179.999999};
                    d.cumulativeAdjustment = -1.5;
                    d.latestAdjustmentStatus = "finished";
                }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a b", "a'b", "a;b", "a\tb", "Żółw 岩 🛰", "a=b", "{}", "null", "\ufeff",
            "\u00a0a"})
    void otherTextIsNotQuoted(String name) {
        assertEquals("1," + name + "\r\n", named(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", ",", "a\rb", "a\nb", "\n", "a\r\nb", " a", "a ", " "})
    void textWithASeparatorALineEndOrAnOuterSpaceIsQuoted(String name) {
        assertEquals("1,\"" + name + "\"\r\n", named(name));
    }

    @Test
    void quotesInsideOfTextAreDoubled() {
        assertEquals("1,\"\"\"\"\r\n", named("\""));
        assertEquals("1,\"say \"\"x\"\"\"\r\n", named("say \"x\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '→', quoteCharacter = '\0', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            =1+1→'=1+1
            =cmd!A0→'=cmd!A0
            +1→'+1
            -1→'-1
            @SUM(A1)→'@SUM(A1)
            =HYPERLINK("x","y")→"'=HYPERLINK(""x"",""y"")"
            \t=1→\t'=1
            \t1→\t1
            "=1→"'""=1"
            '=1→''=1
            a;=1+1→a;'=1+1
            a;b;-1;→a;b;'-1;
            a;;@x→a;;'@x
            a\t=1+1\t+2→a\t'=1+1\t'+2
            ;"=1"→";'""=1""\"
            ;'=1→;''=1
            a;b=1;'→a;b=1;'
            a; =1→a;' =1
            ; =1+1→;' =1+1
            |=1+1→|'=1+1
            a|  +1|b→a|'  +1|b
            || "@x→"||' ""@x"
            \t =1→\t' =1
            a b -1→a b -1
            a|b→a|b
            a,=1→"a,'=1"
            a, -1,b→"a,' -1,b"
            """)
    void textThatASpreadsheetWouldReadAsAFormulaGetsAnApostrophe(String name, String cell) {
        assertEquals("1," + cell + "\r\n", named(name));
    }

    @Test
    void textWithALineEndBeforeAFormulaGetsAnApostrophe() {
        assertEquals("1,\"\r'=1\"\r\n", named("\r=1"));
        assertEquals("1,\"a\n'=1\r\n'-2\"\r\n", named("a\n=1\r\n-2"));
    }

    /** In JSON the escape means the same character. */
    @ParameterizedTest
    @CsvSource(delimiter = '→', value = {"a;=1→a\\u003b=1", "a|=1→a\\u007c=1", "a;b|→a\\u003bb\\u007c",
            "a,=1→a\\u002c=1",
            "a, 'x, -1→a, 'x\\u002c -1", "\\\\,=1→\\\\\\u002c=1"})
    void aSeparatorInAJsonCellIsEscaped(String label, String written) {
        assertEquals("\"{\"\"band_descr\"\":{\"\"" + written + "\"\":-1,\"\"b\"\":-1}}\"\r\n",
                lines(Set.of("band_stats"), d -> d.bandStats = "{\"band_descr\": {\"" + label + "\": -1, \"b\": -1}}"));
    }

    @Test
    void numbersOfAJsonCellAreNotChanged() {
        assertEquals("\"[-0.1,-2.0,-1.0E-5,179.0]\"\r\n",
                lines(Set.of("bbox"), d -> d.bbox = new double[]{-0.1, -2, -1e-5, 179}));
    }

    @Test
    void aNegativeNumberGetsNoApostrophe() {
        assertEquals("-12.25\r\n", lines(Set.of("cumulative_adjustment"), d -> d.cumulativeAdjustment = -12.25));
        assertEquals("-1.0E-7\r\n", lines(Set.of("cumulative_adjustment"), d -> d.cumulativeAdjustment = -1e-7));
        assertEquals("-5\r\n", lines(Set.of("workspace"), d -> d.workspace = -5));
    }

    @Test
    void nullIsAnEmptyCell() {
        assertEquals("1,,false,\r\n", lines(Set.of("id", "thumbnail_image", "gcps_file", "is_private"), d -> {
        }));
    }

    @Test
    void aRecordOfOneEmptyCellIsNotAnEmptyLine() {
        assertEquals("\"\"\r\n", lines(Set.of("dataset_name"), d -> d.datasetName = ""));
    }

    @Test
    void noDatasetsWriteNoLines() {
        assertArrayEquals(new byte[0], CSV.lines(List.of()));
    }

    @Property
    void everyCellHasTheValueOfTheListing(@ForAll("pages") List<Dataset> datasets,
            @ForAll("fields") Set<String> fields) {
        assertEquals(
                datasets.stream().map(d -> fields.stream().map(field -> cell(d, field)).toList()).toList(),
                CsvReader.read(lines(fields, datasets)));
    }

    @Property
    void noTextCellStartsLikeAFormula(@ForAll("datasets") Dataset dataset) {
        String csv = lines(Set.of("user", "dataset_name", "category", "band_stats", "latest_adjustment_id"),
                List.of(dataset));
        CsvReader.read(csv).get(0).forEach(cell -> assertFalse(cell.matches("(?s)[=+@-].*"), cell));
        // A reader that splits at other separators, and reads quotes only at the start of a cell.
        for (String cell : csv.split("[;|\t\r\n]")) {
            assertFalse(cell.matches("(?s)[ \"]*[=+@-].*"), csv);
        }
    }

    @Property
    void aReaderGetsTheTextByRemovingTheApostrophes(@ForAll("spreadsheetTexts") String text) {
        String cell = CsvReader.read(named(text)).get(0).get(1);
        assertEquals(text, cell.replaceAll("(?<![^,;|\t\r\n])'(?=[ '\"]*[=+@-])", ""));
        assertFalse(cell.matches("(?s)(.*[,;|\t\r\n])?[ \"]*[=+@-].*"), cell);
    }

    @Provide
    Arbitrary<String> spreadsheetTexts() {
        return Arbitraries.strings().withChars("=+-@;|\t\r\n'\"a1, ").ofMaxLength(12);
    }

    /** The expected cell, computed from the JSON of the field. */
    private static String cell(Dataset dataset, String field) {
        try {
            String json = json(select(Set.of(field), dataset));
            String value = json.substring(field.length() + 4, json.length() - 1);
            if (!value.startsWith("\"")) {
                return value.equals("null") ? "" : escaped(value);
            }
            String text = MAPPER.readValue(value, String.class);
            return guarded(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String guarded(String text) {
        return text.replaceAll("(?<![^,;|\t\r\n])(?=[ '\"]*[=+@-])", "'");
    }

    /** A comma belongs to a text if an odd number of quotes, without those that are escaped, is before it. */
    private static String escaped(String json) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < json.length(); i++) {
            String before = json.substring(0, i).replaceAll("\\\\.", "");
            boolean inText = before.replaceAll("[^\"]", "").length() % 2 == 1;
            boolean separates = ";|".indexOf(json.charAt(i)) >= 0
                    || json.charAt(i) == ',' && inText && json.substring(i + 1).matches("(?s)[ '\"]*[=+@-].*");
            escaped.append(separates ? "\\u00" + Integer.toHexString(json.charAt(i)) : json.charAt(i));
        }
        return escaped.toString();
    }

    private static String named(String name) {
        return lines(Set.of("id", "dataset_name"), d -> d.datasetName = name);
    }

    private static String lines(Set<String> fields, Consumer<Dataset> change) {
        return lines(fields, List.of(Catalogue.dataset(1, change)));
    }

    private static String lines(Set<String> fields, List<Dataset> datasets) {
        return new String(CSV.lines(datasets.stream().map(dataset -> select(fields, dataset)).toList()), UTF_8);
    }

    private static String header(Set<String> fields) {
        return new String(CSV.header(FIELDS.select(fields)), UTF_8);
    }
}
