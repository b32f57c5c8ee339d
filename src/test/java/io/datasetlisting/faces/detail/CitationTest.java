package io.datasetlisting.faces.detail;

import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Caller.writer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests the licence, the citation and the DOI of a dataset, for programs and for people. */
@QuarkusTest
class CitationTest {

    private static final String SCIENTIFIC = "https://stac-extensions.github.io/scientific/v1.0.0/schema.json";
    private static final JsonObject TERMS = new JsonObject().put("license", "CC-BY-4.0")
            .put("citation", "Ada & <b>Bea</b>\n@misc (2026)").put("doi", "10.5281/zenodo.42");

    @Inject
    Catalogue catalogue;

    private Caller ada;

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        ada = writer("Ada");
    }

    private long created(JsonObject fields) {
        return ada.create(fields.copy().put("dataset_name", "Reef_1 {50%}").put("captured_date", "2024-05-06T07:08:09Z")
                .put("bbox", List.of(1, 2, 3, 4)).encode());
    }

    private static JsonPath item(long id) {
        return anonymous().get("/stac/collections/datasets/items/" + id).jsonPath();
    }

    private static HtmlPage page(long id) {
        return HtmlPage.parse(anonymous().request().accept("text/html").get("/datasets/" + id + "/").asString());
    }

    @Test
    void anItemHasTheTermsOfItsOwner() {
        JsonPath item = item(created(TERMS));
        assertEquals(List.of(SCIENTIFIC), item.getList("stac_extensions"));
        assertEquals("CC-BY-4.0", item.getString("properties.license"));
        assertEquals(TERMS.getString("citation"), item.getString("properties.'sci:citation'"));
        assertEquals("10.5281/zenodo.42", item.getString("properties.'sci:doi'"));
        assertEquals("https://spdx.org/licenses/CC-BY-4.0.html",
                item.getString("links.find { it.rel == 'license' }.href"));
        assertEquals("https://doi.org/10.5281/zenodo.42", item.getString("links.find { it.rel == 'cite-as' }.href"));
    }

    @Test
    void anItemWithoutThemHasNone() {
        JsonPath item = item(created(new JsonObject().put("license", "other")));
        assertEquals(List.of(), item.getList("stac_extensions"));
        assertNull(item.get("properties.'sci:citation'"));
        assertFalse(item.getList("links.rel").contains("license"));
    }

    @Test
    void thePageSaysHowToCiteAndUseTheDataset() {
        HtmlPage page = page(created(TERMS));
        assertEquals(TERMS.getString("citation"), page.one("//h:section[@class='cite']/h:p/h:span"));
        assertEquals("Licence: CC-BY-4.0", page.one("//h:a[@rel='license']"));
        assertEquals("https://doi.org/10.5281/zenodo.42",
                page.one("//h:section[@class='cite']//h:a[starts-with(., '10.')]/@href"));
        String bibtex = page.one("//h:section[@class='cite']//h:code");
        assertTrue(bibtex.contains(
                "  author = {{Ada}},\n  title = {{Reef\\_1 \\textbraceleft{}50\\%\\textbraceright{}}},\n  year = {2024},\n"),
                bibtex);
        assertTrue(
                bibtex.contains("doi = {10.5281/zenodo.42}") && bibtex.contains("Ada \\& <b>Bea</b> {@}misc (2026)}"),
                bibtex);
    }

    @Test
    void aDatasetWithoutTermsIsCitedByItsFields() {
        long id = created(new JsonObject().put("data_captured_by", "Bea").put("institution_name", "Naxa"));
        HtmlPage page = page(id);
        String citation = page.one("//h:section[@class='cite']/h:p/h:span");
        assertTrue(citation.matches("Bea \\(2024\\): Reef_1 \\{50%}\\. Naxa\\. http://.*/datasets/" + id + "/"),
                citation);
        assertEquals("The licence is not stated. Ask the owner before you use the data.",
                page.one("//h:section[@class='cite']/h:p[1]"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            license  | MIT OR X11                        | Must be an SPDX identifier or other.
            license  | <b>                               | Must be an SPDX identifier or other.
            license  | ..                                | Must be an SPDX identifier or other.
            license  | 5                                 | Must be an SPDX identifier or other.
            doi      | 10.5281/../../x                   | Expected a DOI, such as 10.5281/zenodo.42.
            doi      | zenodo.42                         | Expected a DOI, such as 10.5281/zenodo.42.
            doi      | https://example.org/10.5281/z     | Expected a DOI, such as 10.5281/zenodo.42.
            doi      | 10.5281/a"b                       | Expected a DOI, such as 10.5281/zenodo.42.""")
    void wrongTermsAreRefused(String field, String value, String refusal) {
        Response refused = ada.post(Listing.PATH, new JsonObject().put(field, value).encode());
        assertEquals(400, refused.statusCode());
        assertEquals("{\"" + field + "\":[\"" + refusal + "\"]}", refused.asString());
    }

    @Test
    void theLinkOfADoiIsEncodedAndOtherIsNoLicence() {
        JsonPath item = item(created(new JsonObject().put("doi", "10.1002/a<1>#?é").put("license", "OTHER")));
        assertEquals("https://doi.org/10.1002/a%3C1%3E%23%3F%C3%A9",
                item.getString("links.find { it.rel == 'cite-as' }.href"));
        assertFalse(item.getList("links.rel").contains("license"));
    }

    @ParameterizedTest
    @CsvSource({"https://www.doi.org/10.5281/zenodo.42,10.5281/zenodo.42", "doi: 10.1000/A(1);b,10.1000/A(1);b",
            "10.1002/0(199901)79:1<1::AID>3.0.CO;2-#,10.1002/0(199901)79:1<1::AID>3.0.CO;2-#", "'',"})
    void aDoiIsKeptWithoutItsResolver(String given, String kept) {
        long id = created(new JsonObject().put("doi", given));
        assertEquals(kept, anonymous().get(Listing.PATH + id + '/').jsonPath().getString("doi"));
    }
}
