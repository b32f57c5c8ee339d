package io.datasetlisting.format;

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
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.AnyDatasets;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Catalogue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class CsvTest implements AnyDatasets {

    private static final Csv CSV = new Csv(MAPPER);

    @Test
    void theHeaderNamesTheFieldsInTheirOrder() {
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
    void textThatNeedsNoQuotesHasNone(String name) {
        assertEquals("1," + name + "\r\n", named(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", ",", "a\rb", "a\nb", "\n", "a\r\nb", " a", "a ", " "})
    void textThatASeparatorOrALinesEndIsInOrASpaceAtAnEndIsQuoted(String name) {
        assertEquals("1,\"" + name + "\"\r\n", named(name));
    }

    @Test
    void quotesInsideOfTextAreDoubled() {
        assertEquals("1,\"\"\"\"\r\n", named("\""));
        assertEquals("1,\"say \"\"x\"\"\"\r\n", named("say \"x\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            =1+1|'=1+1
            =cmd!A0|'=cmd!A0
            +1|'+1
            -1|'-1
            @SUM(A1)|'@SUM(A1)
            =HYPERLINK("x","y")|"'=HYPERLINK(""x"",""y"")"
            \t=1|'\t=1
            """)
    void textThatASpreadsheetWouldTakeForAFormulaIsDefused(String name, String cell) {
        assertEquals("1," + cell + "\r\n", named(name));
    }

    @Test
    void aLineEndBeforeAFormulaIsDefused() {
        assertEquals("1,\"'\r=1\"\r\n", named("\r=1"));
    }

    @Test
    void aNegativeNumberIsANumberAndNoFormula() {
        assertEquals("-12.25\r\n", lines(Set.of("cumulative_adjustment"), d -> d.cumulativeAdjustment = -12.25));
        assertEquals("-1.0E-7\r\n", lines(Set.of("cumulative_adjustment"), d -> d.cumulativeAdjustment = -1e-7));
        assertEquals("-5\r\n", lines(Set.of("workspace"), d -> d.workspace = -5));
    }

    @Test
    void nullIsTheEmptyCell() {
        assertEquals("1,,false,\r\n", lines(Set.of("id", "thumbnail_image", "gcps_file", "is_private"), d -> {
        }));
    }

    @Test
    void anEmptyCellThatIsAloneIsNoEmptyLine() {
        assertEquals("\"\"\r\n", lines(Set.of("dataset_name"), d -> d.datasetName = ""));
    }

    @Test
    void noDatasetsAreNoLines() {
        assertArrayEquals(new byte[0], CSV.lines(List.of()));
    }

    @Property
    void everyCellIsWhatTheListingHas(@ForAll("pages") List<Dataset> datasets,
            @ForAll("fields") Set<String> fields) {
        assertEquals(
                datasets.stream().map(d -> fields.stream().map(field -> cell(d, field)).toList()).toList(),
                CsvReader.read(lines(fields, datasets)));
    }

    @Property
    void noCellOfTextBeginsAFormula(@ForAll("datasets") Dataset dataset) {
        String csv = lines(Set.of("user", "dataset_name", "category", "band_stats", "latest_adjustment_id"),
                List.of(dataset));
        CsvReader.read(csv).get(0).forEach(cell -> assertFalse(cell.matches("(?s)[=+@\t\r-].*"), cell));
    }

    /** Made from the JSON of the field. */
    private static String cell(Dataset dataset, String field) {
        try {
            String json = json(select(Set.of(field), dataset));
            String value = json.substring(field.length() + 4, json.length() - 1);
            if (!value.startsWith("\"")) {
                return value.equals("null") ? "" : value;
            }
            String text = MAPPER.readValue(value, String.class);
            return Stream.of("=", "+", "-", "@", "\t", "\r").anyMatch(text::startsWith) ? "'" + text : text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
