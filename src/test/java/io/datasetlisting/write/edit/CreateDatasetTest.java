package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.writer;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

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

/** Tests POST /api/dataset/ with JSON: the stored values, the defaults and the response. */
@QuarkusTest
class CreateDatasetTest {

    @Inject
    Catalogue catalogue;

    private Caller ada;

    @BeforeEach
    void emptyCatalogueAndCreateWriter() {
        catalogue.replaceWith();
        ada = writer("Ada van Dyk");
    }

    private JsonObject created(String json) {
        Response created = ada.post(Listing.PATH, json);
        assertEquals(201, created.statusCode(), created::asString);
        return new JsonObject(created.asString());
    }

    @Test
    void absentFieldsHaveDefaults() {
        JsonObject dataset = created("{}");
        String uid = dataset.getString("uav_uid");
        assertTrue(uid.matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"), uid);
        String link = dataset.getString("thumbnail_image");
        assertTrue(link.startsWith("http://localhost:9000/datasets/placeholder/thumbnail.png?AWSAccessKeyId="), link);
        dataset.put("thumbnail_image", "");
        assertEquals("{\"id\":" + dataset.getLong("id") + ",\"uav_uid\":\"" + uid + "\",\"user\":\"" + ada.user()
                + "\",\"workspace\":" + ada.workspace() + ",\"dataset_name\":\"\",\"category\":[\"Other\"],"
                + "\"thumbnail_image\":\"\",\"captured_date\":\"2026-01-02T03:04:05Z\",\"is_private\":false,"
                + "\"is_shareable\":false,\"available_rasters\":[],\"is_deleted\":false,\"gcps_file\":null,"
                + "\"band_stats\":{\"dsm\":{},\"dtm\":{},\"ortho\":{}},\"bbox\":[],\"coordinates\":[],"
                + "\"cant_orthomosaic\":false,\"is_dem_processing\":false,\"cumulative_adjustment\":0.0,"
                + "\"latest_adjustment_status\":\"\",\"latest_adjustment_id\":\"\",\"description\":null,\"tags\":[],"
                + "\"data_credits\":null,\"data_captured_by\":null,\"institution_name\":null,\"location_name\":null,"
                + "\"license\":null,\"citation\":null,\"doi\":null,\"rasters\":null,\"raster_headers\":null}",
                dataset.encode());
    }

    @Test
    void allWritableFieldsAreStored() {
        String given = """
                {"workspace":4711,"dataset_name":"Żółw 🛰","category":["Rocky","Forest"],\
                "captured_date":"2021-03-04T05:06:07Z","is_private":true,"is_shareable":true,\
                "available_rasters":["ortho","multispec_ortho"],"band_stats":{"dsm":{"b1":{"max":10.50,"min":-3,\
                "mean":1e-7,"stddev":0}},"dtm":{},"ortho":{},"multispec_ortho":{"b1":{"max":65535,"min":0,"mean":2.5,\
                "stddev":1},"band_descr":{"nir":1}}},"bbox":[-1.5,10,1.5,20],"coordinates":[1,11.25]}""";
        JsonObject dataset = created(given);
        JsonObject expected = new JsonObject(given);
        expected.forEach(field -> {
            if (!field.getKey().equals("band_stats")) {
                assertEquals(String.valueOf(field.getValue()).replaceAll("\\.0\\b", ""),
                        String.valueOf(dataset.getValue(field.getKey())).replaceAll("\\.0\\b", ""));
            }
        });
        assertTrue(dataset.encode().contains("\"max\":10.5"));
        String text = ada.get(Listing.PATH + dataset.getLong("id") + '/').asString();
        assertTrue(text.contains("\"band_stats\":{\"dsm\":{\"b1\":{\"max\":10.5,\"min\":-3.0,\"mean\":0.0000001,"
                + "\"stddev\":0.0}},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{\"b1\":{\"max\":65535.0,\"min\":0.0,"
                + "\"mean\":2.5,\"stddev\":1.0},\"band_descr\":{\"nir\":1}}}"), text);
    }

    @Test
    void theResponseEqualsALaterReadAndHasTheLocation() {
        Response created = ada.request().header("Host", "imagery.example.org").contentType(Caller.JSON)
                .body("{\"dataset_name\":\"a\",\"coordinates\":[1,2]}").post(Listing.PATH);
        long id = created.jsonPath().getLong("id");
        assertEquals(201, created.statusCode());
        assertEquals("application/json", created.header("Content-Type"));
        assertEquals("GET, POST, HEAD, OPTIONS", created.header("Allow"));
        assertEquals("Accept, Accept-Encoding", created.header("Vary"));
        assertEquals("http://imagery.example.org/api/dataset/" + id + '/', created.header("Location"));
        Response read = Caller.anonymous().get(Listing.PATH + id + '/');
        assertEquals(created.asString(), read.asString());
        assertEquals(created.header("ETag"), read.header("ETag"));
        assertTrue(read.header("ETag").matches("\"-?[0-9]+-[0-9a-z]+-[0-9a-z]+\""), read.header("ETag"));
        // Behind the fields of the listing are those that it does not show.
        assertEquals(created.asString().replaceFirst(",\"description\":null,.*", ""),
                Listing.list("").asString().replaceFirst("^.*\"results\":\\[(.*)}]}$", "$1"));
    }

    @Test
    void aCreateWithoutTheTrailingSlashIsAccepted() {
        ada.post("/api/dataset", "{}").then().statusCode(201).header("Location", endsWith("/"));
    }

    @Test
    void idsAreNotReused() {
        long first = ada.create("{}");
        ada.delete(Listing.PATH + first + '/');
        assertTrue(ada.create("{}") > first);
    }

    @Test
    void readOnlyFieldsOfACreateAreIgnored() {
        JsonObject dataset = created("""
                {"id":999999,"uav_uid":"00000000-0000-4000-0000-000000000001","user":"operator 0","owner_id":0,
                "owner_name":"operator","is_deleted":true,"thumbnail_image":"http://localhost:9000/datasets/a/b.jpg",
                "thumbnail_key":"a/b.jpg","cant_orthomosaic":true,"is_dem_processing":true,
                "cumulative_adjustment":5,"latest_adjustment_status":"x","latest_adjustment_id":"x","version":7,
                "gcps_file":"x","footprint":"((0,0),(1,1))"}""");
        assertNotEquals(999999, dataset.getLong("id"));
        assertNotEquals("00000000-0000-4000-0000-000000000001", dataset.getString("uav_uid"));
        assertEquals(ada.user(), dataset.getString("user"));
        assertTrue(dataset.getString("thumbnail_image").contains("/placeholder/"));
        for (String flag : new String[]{"is_deleted", "cant_orthomosaic", "is_dem_processing"}) {
            assertEquals(false, dataset.getBoolean(flag), flag);
        }
        assertEquals(0, dataset.getDouble("cumulative_adjustment"));
        assertEquals("", dataset.getString("latest_adjustment_status") + dataset.getString("latest_adjustment_id"));
        assertEquals(null, dataset.getValue("gcps_file"));
    }

    @Test
    void aDatasetThatAnAdminCreatesBelongsToTheAdmin() {
        Response created = admin().post(Listing.PATH, "{\"user\":\"" + ada.user() + "\",\"id\":999999}");
        created.then().statusCode(201).body("user", equalTo("operator 0"));
        assertNotEquals(999999, created.jsonPath().getLong("id"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"[1,2,3,4] | null | [2.0,3.0]", "[1,2,3,4] | [1.5,2.5] | [1.5,2.5]",
            "[1,2,3,4] | [] | [2.0,3.0]", "[1,2,3,4] | [-40,170] | [-40.0,170.0]", "[] | [1,2] | [1.0,2.0]",
            "[] | null | []", "[] | [] | []", "[-90,-180,90,180] | null | [0.0,0.0]", "[1,2,1,2] | null | [1.0,2.0]",
            "[\"1\",\" 2 \",3e0,4] | null | [2.0,3.0]", "[] | [1e-300,-5e-324] | [0.0,0.0]",
            "[] | [1e-99,1] | [1.0E-99,1.0]"})
    void absentCoordinatesAreTheCentreOfTheBbox(String bbox, String coordinates, String place) {
        assertEquals(place, created("{\"bbox\":" + bbox + ",\"coordinates\":" + coordinates + '}')
                .getJsonArray("coordinates").encode());
    }

    @Test
    void aDraftIsListedAfterItGetsALocation() {
        long id = ada.create("{\"dataset_name\":\"draft\"}");
        assertEquals(0, Listing.page("").count());
        ada.get(Listing.PATH + id + '/').then().statusCode(200).body("coordinates", equalTo(List.of()));
        ada.patch(Listing.PATH + id + '/', "{\"coordinates\":[1,2]}").then().statusCode(200);
        assertEquals(List.of(id), Listing.page("").ids());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"2021-03-04 | 2021-03-04T00:00:00Z", "2021-03-04T05:06 | 2021-03-04T05:06:00Z",
            "2021-03-04 05:06:07 | 2021-03-04T05:06:07Z", "2021-03-04T05:06:07.999999Z | 2021-03-04T05:06:07Z",
            "2021-03-04T00:30:00+01:00 | 2021-03-03T23:30:00Z", "0001-01-01 | 0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z | 9999-12-31T23:59:59Z", "2020-02-29 | 2020-02-29T00:00:00Z",
            "1582-10-10 | 1582-10-10T00:00:00Z"})
    void manyNotationsOfADateAreReadAndTheResponseHasSeconds(String given, String kept) {
        JsonObject dataset = created("{\"captured_date\":\"" + given + "\",\"coordinates\":[1,2]}");
        assertEquals(kept, dataset.getString("captured_date"));
        assertEquals(kept, Listing.list("").path("results[0].captured_date"));
        ada.get(Listing.PATH + dataset.getLong("id") + '/').then().body("captured_date", equalTo(kept));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "\"true\"", "\"T\"", "\"Yes\"", "\"y\"", "\"ON\"", "\"1\"", "1", "\" True \""})
    void theseValuesAreTrue(String value) {
        assertEquals(true, created("{\"is_private\":" + value + '}').getBoolean("is_private"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "\"false\"", "\"F\"", "\"No\"", "\"n\"", "\"Off\"", "\"0\"", "0"})
    void theseValuesAreFalse(String value) {
        assertEquals(false, created("{\"is_shareable\":" + value + '}').getBoolean("is_shareable"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {"\"  a name \" | \"a name\"", "\"\" | \"\"",
            "\"   \" | \"\"", "\"\\u00a0\\u2007a\u00a0b\\u202f\\u0085\" | \"a\u00a0b\"", "42 | \"42\"",
            "1.50 | \"1.50\"", "\"a\\tb\\nc\" | \"a\\tb\\nc\"",
            "\"\\ud83d\\udef0\" | \"🛰\"", "\"\\\"thumbnail_image\\\":\\\"\" | \"\\\"thumbnail_image\\\":\\\"\""})
    void aNameIsStoredWithoutTheSpaceAroundIt(String given, String kept) {
        Response created = ada.post(Listing.PATH, "{\"dataset_name\":" + given + '}');
        assertTrue(created.asString().contains("\"dataset_name\":" + kept + ",\"category\""), created::asString);
    }

    @Test
    void aNameMayHave255CharactersOfFourBytes() {
        assertEquals("🛰".repeat(255),
                created("{\"dataset_name\":\" " + "🛰".repeat(255) + " \"}").getString("dataset_name"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json; charset=utf-8", "APPLICATION/JSON",
            "application/json;charset=UTF-8;x=y"})
    void theMediaTypeMayHaveParameters(String type) {
        ada.send("POST", Listing.PATH, type, "{}").then().statusCode(201);
    }

    @Test
    void anEmptyBodyCreatesADatasetWithDefaults() {
        ada.request().post(Listing.PATH).then().statusCode(201);
        ada.request().contentType(Caller.JSON).post(Listing.PATH).then().statusCode(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json", "text/html, */*;q=0.1", "application/problem+json"})
    void theResponseIsJsonWhenTheAcceptHeaderAllowsJson(String accept) {
        ada.request().header("Accept", accept).contentType(Caller.JSON).body("{}").post(Listing.PATH).then()
                .statusCode(201).header("Content-Type", equalTo("application/json"));
    }

    @Test
    void anAcceptHeaderWithoutJsonIsRefusedAndNothingIsCreated() {
        ada.request().header("Accept", "text/html").contentType(Caller.JSON).body("{}").post(Listing.PATH).then()
                .statusCode(406).body("detail", equalTo("Could not satisfy the request Accept header."));
        assertEquals(0L, catalogue.sql("select count(*) from dataset").get(0).getLong(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "application/octet-stream", "image/png", "nonsense",
            "application/"})
    void otherMediaTypesAreRefusedWith415(String type) {
        Response refused = ada.send("POST", Listing.PATH, type, "{}");
        assertEquals(415, refused.statusCode());
        assertEquals("{\"detail\":\"Unsupported media type \\\"" + type + "\\\" in request.\"}", refused.asString());
    }

    /** PostgreSQL would write the zeros with thousands of digits. */
    @ParameterizedTest
    @CsvSource({"0e-20000,0.0", "0e-16383,0.0", "0e2000000000,0.0", "1.50,1.5"})
    void aStatisticIsNotStoredWithThousandsOfDigits(String sent, String stored) {
        Response answer = ada.post(Listing.PATH, "{\"band_stats\":{\"dsm\":{\"b1\":{\"max\":" + sent
                + ",\"min\":0,\"mean\":0,\"stddev\":0}}}}");
        assertEquals(201, answer.statusCode());
        assertTrue(answer.asString().contains("{\"dsm\":{\"b1\":{\"max\":" + stored + ",\"min\":0.0,"),
                answer::asString);
    }
}
