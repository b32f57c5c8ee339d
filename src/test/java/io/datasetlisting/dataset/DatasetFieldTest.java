package io.datasetlisting.dataset;

import static io.datasetlisting.dataset.DatasetField.field;
import static io.datasetlisting.support.Listing.PATH;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.rule.InputRule;
import io.datasetlisting.openapi.DocumentFilter;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.json.JsonObject;

/** Tests that a field that is added only to {@link DatasetFields} is read, written, sorted, exported,
 * shown and described, in the API, in {@code /stac} and on the pages. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(DatasetFieldTest.WithEdits.class)
class DatasetFieldTest {

    public static class WithEdits implements QuarkusTestProfile {

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FieldsWithEdits.class);
        }
    }

    /** The new field uses the attribute of another field. */
    @Alternative
    @Singleton
    static class FieldsWithEdits {

        @Produces
        @Singleton
        DatasetFields fields() {
            return new DatasetFields(Stream.concat(DatasetFields.contract().stream(),
                    Stream.of(field("edits", FieldType.INTEGER, "How often the dataset was edited.")
                            .property("dataset:edits").sortable().tagOnCards("edits")
                            .attribute(d -> (long) d.cumulativeAdjustment, (d, edits) -> d.cumulativeAdjustment = edits)
                            .writable(InputRule.integer(0))))
                    .toList());
        }
    }

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fill() {
        catalogue.sql("alter table dataset add column edits bigint");
        catalogue.replaceWith();
        assertEquals(Bulk.Outcome.of(3, 0), Bulk.importAll(line(1, 10), line(2, 30), line(3, 20)));
    }

    @AfterEach
    void dropTheColumn() {
        catalogue.sql("alter table dataset drop column edits");
    }

    /** The path of a new dataset. */
    private static String created(Caller caller, String body) {
        return PATH + json(caller, body).post(PATH).jsonPath().getLong("id") + '/';
    }

    private static JsonObject line(long id, long edits) {
        return Bulk.line(id).put("edits", edits);
    }

    @Test
    void anImportWritesTheColumn() {
        assertEquals(List.of(10L, 30L, 20L),
                catalogue.sql("select edits from dataset order by id").stream().map(row -> row.getLong(0)).toList());
    }

    /** Without the filter that checks responses against the OpenAPI document, which does not have the field. */
    private static RequestSpecification as(Caller caller) {
        return caller.request().noFiltersOfType(DocumentFilter.class);
    }

    private static Response list(String query) {
        return as(Caller.anonymous()).get(PATH + query);
    }

    private static RequestSpecification json(Caller caller, String body) {
        return as(caller).contentType(Caller.JSON).body(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?fields=edits", "?workspace=70&fields=id,edits", "?category=Other"})
    void aPageHasTheField(String query) {
        list(query).then().body("results.edits", contains(10, 30, 20));
        assertTrue(list(query).asString().contains("\"edits\":10}"));
    }

    @Test
    void aPageOfOtherFieldsDoesNotHaveTheField() {
        assertEquals("{\"id\":1}", new JsonObject(list("?fields=id").asString()).getJsonArray("results")
                .getJsonObject(0).encode());
    }

    @Test
    void aSingleDatasetHasTheField() {
        list("2/").then().body("edits", equalTo(30));
    }

    @Test
    void thePageOfADatasetHasTheField() {
        String page = as(Caller.anonymous()).accept("text/html").get("/datasets/2/").asString();
        assertTrue(page.replace("\n", "").contains("<dt>Edits</dt><dd><data value=\"30\">30</data></dd>"),
                page);
    }

    @Test
    void theCardOfADatasetHasTheField() {
        String page = as(Caller.anonymous()).accept("text/html").get("/datasets/").asString();
        assertTrue(page.contains("<span class=\"edits\">30</span>"), page);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queryables", "sortables", "collections/datasets/schema"})
    void theSchemasOfStacDescribeTheField(String address) {
        as(Caller.anonymous()).get("/stac/" + address).then().body("properties.'dataset:edits'",
                equalTo(Map.of("title", "Edits", "description", "How often the dataset was edited.", "type",
                        "integer")));
    }

    @Test
    void itemsHaveTheFieldAndFiltersAndOrdersNameIt() {
        as(Caller.anonymous()).get("/stac/search?filter=%22dataset:edits%22%3E10&sortby=-dataset:edits").then()
                .body("features.id", contains("2", "3"))
                .body("features.collect { it.properties['dataset:edits'] }", contains(30, 20));
    }

    @Test
    void anExportHasTheFieldAtTheEnd() {
        List<String> lines = as(Caller.admin()).header("Accept", "application/x-ndjson").get(PATH).asString().lines()
                .toList();
        assertTrue(lines.get(1).endsWith(",\"latest_adjustment_id\":\"\",\"edits\":30}"), lines::toString);
        List<String> table = as(Caller.anonymous()).header("Accept", "text/csv").get(PATH).asString().lines()
                .toList();
        assertTrue(table.get(0).endsWith(",latest_adjustment_id,edits"), table::toString);
        assertTrue(table.get(2).endsWith(",30"), table::toString);
    }

    @Test
    void aFeatureHasTheFieldInItsProperties() {
        list("?format=geojson").then().body("features.properties.edits", contains(10, 30, 20));
    }

    @Test
    void aListingSortsByTheField() {
        list("?ordering=-edits,workspace").then().body("results.id", contains(2, 3, 1));
        assertEquals("id,edits\r\n1,10\r\n3,20\r\n2,30\r\n", as(Caller.admin()).header("Accept", "text/csv")
                .get(PATH + "?ordering=edits&fields=edits,id").asString());
    }

    @Test
    void optionsDescribeTheField() {
        Caller ada = Caller.writer("Ada");
        Map<String, Object> description = Map.of("type", "integer", "required", false, "read_only", false, "label",
                "Edits");
        as(ada).options(PATH).then().body("actions.POST.edits", equalTo(description));
        as(ada).options(created(ada, "{}")).then().body("actions.PUT.edits", equalTo(description));
    }

    @Test
    void aClientWritesTheFieldAndErrorsAreReported() {
        Caller ada = Caller.writer("Ada");
        String path = created(ada, "{\"edits\":7}");
        as(ada).get(path).then().body("edits", equalTo(7));
        json(ada, "{\"edits\":8}").patch(path).then().statusCode(200).body("edits", equalTo(8));
        assertEquals("{\"edits\":[\"Ensure this value is greater than or equal to 0.\"]}",
                json(ada, "{\"edits\":-1}").patch(path).asString());
        assertEquals(Map.of(1, "{\"edits\":[\"A valid integer is required.\"]}"),
                Bulk.importAll(Bulk.line(4).put("edits", "many")).refusals());
    }
}
