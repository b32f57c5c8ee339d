package io.datasetlisting.dataset.raster;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests the locations of rasters that owners name, with a real storage. */
@QuarkusTest
@TestProfile(WithStorage.class)
class NamedRastersTest extends RastersOfAnOwner {

    private static final String ADDRESS = "https://imagery.example.org/flights/a%20b/dtm.tif";
    private static final String ITEMS = "/stac/collections/datasets/items/";

    private long create(boolean isPrivate, String rasters) {
        return owner.create("{\"coordinates\":[1,2],\"is_private\":" + isPrivate + ",\"rasters\":" + rasters + "}");
    }

    private static Response open(Caller caller, long id, String product) {
        return caller.request().redirects().follow(false).get(path(id) + "raster/" + product);
    }

    @Test
    void aKeyIsBelowTheFolderOfTheDatasetAndWinsOverTheTemplate() {
        long id = create(true, "{\"ortho\":\"odm/späte $1.tif\"}");
        store(id, "ortho.tif", "template".getBytes());
        store(id, "odm/späte $1.tif", "named".getBytes());
        String link = open(owner, id, "ortho").then().statusCode(302).extract().header("Location");
        given().urlEncodingEnabled(false).get(link).then().statusCode(200).body(equalTo("named"));
        open(Caller.anonymous(), id, "ortho").then().statusCode(404);
        open(Caller.writer("Bea"), id, "ortho").then().statusCode(404);
        owner.patch(path(id), "{\"rasters\":null}").then().statusCode(200).body("rasters", equalTo(null))
                .body("available_rasters", equalTo(List.of("ortho")));
        link = open(owner, id, "ortho").header("Location");
        given().urlEncodingEnabled(false).get(link).then().statusCode(200).body(equalTo("template"));
    }

    @Test
    void anAddressOfAnAllowedHostIsWhereTheRedirectLeads() {
        long id = create(false, "{\"dtm\":\"" + ADDRESS + "\",\"dsm\":\"https://TILES.example.org:8443/d.tif\"}");
        open(Caller.anonymous(), id, "dtm").then().statusCode(302).header("Location", equalTo(ADDRESS))
                .header("Cache-Control", equalTo("no-store"));
        open(Caller.anonymous(), id, "dsm").then().header("Location", equalTo("https://TILES.example.org:8443/d.tif"));
        Caller.anonymous().get(ITEMS + id).then()
                .body("assets.keySet()", equalTo(Set.of("thumbnail", "metadata", "dsm", "dtm")))
                .body("properties.'dataset:raster_locations'.dtm", equalTo(ADDRESS))
                .body("properties.'dataset:rasters'", equalTo(List.of("dsm", "dtm")));
        String page = Caller.anonymous().request().accept("text/html").get("/datasets/" + id + '/').asString();
        assertTrue(page.contains("/raster/dtm\"") && page.contains("Terrain model (DTM): " + ADDRESS), page);
    }

    @Test
    void anAvailableRasterIsOneThatTheOwnerNames() {
        long id = create(false, "{\"dtm\":\"a.tif\"}");
        owner.patch(path(id), "{\"available_rasters\":[\"ortho\"]}").then()
                .body("available_rasters", equalTo(List.of("ortho", "dtm")));
        Listing.list("?available_rasters=dtm").then().body("count", equalTo(1))
                .body("results", everyItem(not(hasKey("rasters"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{\"ortho\":\"../1-x/ortho.tif\"} | ortho | Expected a key below",
            "{\"ortho\":\"/a.tif\"} | ortho | Expected a key",
            "{\"ortho\":\"a/%2e%2e/b.tif\",\"x\":\"a\"} | x | There is no such raster.",
            "{\"ortho\":\"https://other.example.org/a.tif\"} | ortho | no addresses of this host",
            "{\"ortho\":\"https://imagery.example.org:8443/a.tif\"} | ortho | no addresses of this host",
            "{\"ortho\":\"https://imagery.example.org.other.example/a.tif\"} | ortho | no addresses of this host",
            "{\"ortho\":\"http://imagery.example.org/a.tif\"} | ortho | Expected a key",
            "{\"ortho\":\"https://imagery.example.org/a.tif?sig=x\"} | ortho | Expected a key",
            "{\"ortho\":null} | ortho | Expected a key", "{\"ortho\":{\"a\":1}} | ortho | Expected a key"})
    void aWrongLocationIsRefusedWithItsRaster(String rasters, String product, String reason) {
        long id = create(false, "{}");
        for (Response refused : List.of(owner.patch(path(id), "{\"rasters\":" + rasters + "}"),
                owner.post(Listing.PATH, "{\"rasters\":" + rasters + "}"))) {
            refused.then().statusCode(400).body("rasters." + product, hasItem(containsString(reason)));
        }
        owner.request().contentType("application/merge-patch+json")
                .body("{\"properties\":{\"dataset:raster_locations\":" + rasters.replace("null", "1") + "}}")
                .patch(ITEMS + id).then().statusCode(400).body(containsString("properties.dataset:raster_locations"))
                .body(containsString(reason));
        owner.get(path(id)).then().body("rasters", equalTo(null));
    }

    @Test
    void aValueThatIsNoObjectIsRefused() {
        for (String wrong : List.of("[]", "1", "\"a.tif\"", "true")) {
            owner.post(Listing.PATH, "{\"rasters\":" + wrong + "}").then().statusCode(400)
                    .body("rasters[0]", startsWith("Expected a dictionary"));
        }
        owner.send("POST", Listing.PATH, "application/x-www-form-urlencoded", "rasters={").then().statusCode(400)
                .body("rasters", equalTo(List.of("Value must be valid JSON.")));
        owner.send("POST", Listing.PATH, "application/x-www-form-urlencoded", "rasters={\"ortho\":\"a.tif\"}").then()
                .statusCode(201).body("rasters.ortho", equalTo("a.tif"));
    }

    /** A key of another dataset cannot be named: each link leads into the folder of the dataset itself. */
    @Test
    void noKeyLeadsToAnObjectOfAnotherDataset() {
        long hidden = create(true, "{\"ortho\":\"secret.tif\"}");
        String key = key(hidden, "secret.tif");
        store(hidden, "secret.tif", "secret".getBytes());
        Caller other = Caller.writer("Mallory");
        long id = other.create(new JsonObject().put("coordinates", List.of(1, 2))
                .put("rasters", new JsonObject().put("ortho", key).put("dtm", S3Resource.BUCKET + '/' + key)).encode());
        for (String product : List.of("ortho", "dtm")) {
            String link = open(other, id, product).then().statusCode(302).extract().header("Location");
            assertTrue(link.contains("/thumbnails/" + id + '-'), link);
            given().urlEncodingEnabled(false).get(link).then().statusCode(404);
        }
        other.patch(path(hidden), "{\"rasters\":{}}").then().statusCode(404);
        String link = open(owner, hidden, "ortho").header("Location");
        given().urlEncodingEnabled(false).get(link).then().statusCode(200).body(equalTo("secret"));
    }

    @Test
    void anItemThatAClientSendsBackKeepsThem() {
        long id = create(false, "{\"ortho\":\"a.tif\",\"dtm\":\"" + ADDRESS + "\"}");
        Response item = Caller.anonymous().get(ITEMS + id);
        owner.request().contentType("application/geo+json").header("Prefer", "handling=strict").body(item.asString())
                .put(ITEMS + id).then().statusCode(200);
        owner.get(path(id)).then().body("rasters", equalTo(Map.of("ortho", "a.tif", "dtm", ADDRESS)));
        owner.request().contentType("application/merge-patch+json")
                .body("{\"properties\":{\"dataset:raster_locations\":{\"ortho\":null}}}").patch(ITEMS + id).then()
                .statusCode(200).body("properties.'dataset:raster_locations'", equalTo(Map.of("dtm", ADDRESS)));
        JsonObject without = new JsonObject(item.asString());
        without.getJsonObject("properties").remove("dataset:raster_locations");
        without.getJsonObject("properties").remove("dataset:rasters");
        owner.request().contentType("application/geo+json").body(without.encode()).put(ITEMS + id).then()
                .statusCode(200);
        owner.get(path(id)).then().body("rasters", equalTo(null)).body("available_rasters", equalTo(List.of()));
    }

    @Test
    void aChangeHasANewTagAndIsInTheFeedAndInTheAudit() {
        long id = create(false, "{}");
        String tag = owner.get(path(id)).header("ETag");
        Response item = Caller.anonymous().get(ITEMS + id);
        owner.patch(path(id), "{\"rasters\":{\"ortho\":\"a.tif\"}}").then().statusCode(200);
        assertNotEquals(tag, owner.get(path(id)).header("ETag"));
        assertNotEquals(item.header("ETag"), Caller.anonymous().get(ITEMS + id).header("ETag"));
        owner.request().header("If-Match", tag).contentType("application/json").body("{\"rasters\":{}}").patch(path(id))
                .then().statusCode(412);
        Caller.admin().get("/api/audit/").then().body("results.findAll { it.ids == [" + id + "] }.action",
                hasItem("dataset.change"));
        catalogue.fold();
        Caller.admin().get("/api/dataset/changes/?snapshot=true").then().statusCode(200)
                .body(containsString("\"rasters\":{\"ortho\":\"a.tif\"}"));
    }

    /** A restored backup keeps an address of a host that is not allowed here; no link to it is made. */
    @Test
    void anExportGoesInAgainAndAnImportKeepsAddressesOfOtherHosts() {
        long id = create(false, "{\"ortho\":\"a.tif\",\"dtm\":\"" + ADDRESS + "\"}");
        List<String> lines = Bulk.exported(Caller.admin(), "");
        assertTrue(lines.get(0).endsWith("\"rasters\":{\"dtm\":\"" + ADDRESS + "\",\"ortho\":\"a.tif\"}}"),
                lines.get(0));
        catalogue.replaceWith();
        assertEquals(Bulk.Outcome.of(1, 0), Bulk.importAll(String.join("\n", lines)));
        assertEquals(lines, Bulk.exported(Caller.admin(), ""));
        String other = lines.get(0).replace("imagery.example.org", "elsewhere.example.org");
        assertEquals(Bulk.Outcome.of(0, 1), Bulk.importAll(other));
        assertEquals(List.of(other), Bulk.exported(Caller.admin(), ""));
        open(Caller.anonymous(), id, "dtm").then().statusCode(404);
        Caller.anonymous().get(ITEMS + id).then().body("assets", not(hasKey("dtm"))).body("assets", hasKey("ortho"));
        // Whoever writes the dataset back changes nothing, and the address is no error.
        Caller.admin().patch(path(id), "{\"rasters\":" + new JsonObject(other).getJsonObject("rasters") + "}").then()
                .statusCode(200);
        for (String wrong : List.of("{\"ortho\":\"../a.tif\"}", "{\"x\":\"a.tif\"}", "[]")) {
            String line = new JsonObject(lines.get(0)).put("rasters", null).encode().replace("\"rasters\":null",
                    "\"rasters\":" + wrong);
            assertTrue(Bulk.importAll(line).toString().contains("rasters"), wrong);
        }
    }
}
