package io.datasetlisting.dataset.raster;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Tests the rasters of datasets: their address, their assets, and the links of the page, with a real storage and GDAL. */
@QuarkusTest
@TestProfile(WithStorage.class)
class RasterTest extends RastersOfAnOwner {

    private static final String STATISTICS = """
            "band_stats":{"dsm":{},"dtm":{},"ortho":{"b1":{"min":0,"max":255,"mean":101.25,"stddev":3},\
            "b2":{"min":1,"max":2,"mean":1.5,"stddev":0},"b3":{"min":1e-3,"max":2e3,"mean":1.5,"stddev":0}},\
            "multispec_ortho":{"b1":{"min":0,"max":1,"mean":0.5,"stddev":0},\
            "b2":{"min":0,"max":1,"mean":0.5,"stddev":0},"band_descr":{"nir":2,"alpha":1}}}""";

    private long create(boolean isPrivate, String rasters) {
        return owner.create(
                "{\"coordinates\":[1,2],\"is_private\":" + isPrivate + ",\"available_rasters\":[" + rasters + "],"
                        + STATISTICS + "}");
    }

    private static String address(long id, String product) {
        return Listing.PATH + id + "/raster/" + product;
    }

    private static Response open(Caller caller, String address) {
        return caller.request().redirects().follow(false).get(address);
    }

    private static Response page(Caller caller, long id) {
        return caller.request().accept("text/html").get("/datasets/" + id + '/');
    }

    @Test
    void theAddressRedirectsToASignedLinkWhoseObjectHasRanges() {
        long id = create(true, "\"ortho\"");
        store(id, "ortho.tif", "0123456789".getBytes());
        Response answer = open(owner, address(id, "ortho"));
        answer.then().statusCode(302).header("Cache-Control", "no-store");
        given().urlEncodingEnabled(false).header("Range", "bytes=3-5").get(answer.header("Location")).then()
                .statusCode(206)
                .body(equalTo("345"));
        given().urlEncodingEnabled(false).get(answer.header("Location").replaceAll("\\?.*", "")).then().statusCode(403);
        open(Caller.anonymous(), address(id, "ortho")).then().statusCode(404);
        Response head = owner.request().redirects().follow(false).head(address(id, "ortho") + '/');
        given().urlEncodingEnabled(false).head(head.header("Location")).then().statusCode(200).header("Content-Length",
                "10");
    }

    @Test
    void aRasterThatTheDatasetDoesNotHaveOrWhosePlaceIsNotKnownIsNotFound() {
        long id = create(false, "\"ortho\",\"dtm\"");
        open(Caller.anonymous(), address(id, "ortho")).then().statusCode(302);
        for (String product : new String[]{"dsm", "dtm", "multispec_ortho", "no", "ORTHO"}) {
            Response answer = Caller.anonymous().request().urlEncodingEnabled(false).redirects().follow(false)
                    .get(address(id, product));
            answer.then().statusCode(404);
        }
    }

    @Test
    void anItemHasAnAssetForEachRasterWithItsBands() {
        long id = create(false, "\"multispec_ortho\",\"ortho\",\"dtm\",\"dsm\"");
        String item = "/stac/collections/datasets/items/" + id;
        Response answer = Caller.anonymous().get(item);
        answer.then().statusCode(200).body("stac_extensions", equalTo(
                List.of("https://stac-extensions.github.io/eo/v2.0.0/schema.json",
                        "https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json")))
                .body("assets.keySet()", equalTo(Set.of("thumbnail", "metadata", "ortho", "dsm", "multispec_ortho")))
                .body("assets.ortho.roles", hasItem("visual"))
                .body("assets.ortho.bands.name", equalTo(List.of("b1", "b2", "b3")))
                .body("assets.ortho.bands[0].statistics.mean", equalTo(101.25f))
                .body("assets.multispec_ortho.bands.name", equalTo(List.of("alpha", "nir")))
                .body("assets.multispec_ortho.bands[1].'eo:common_name'", equalTo("nir"))
                .body("assets.multispec_ortho.bands[0].'eo:common_name'", equalTo(null))
                .body("assets.dsm.bands", equalTo(null))
                .body(not(containsString("Signature")));
        // A client that sends the item back loses nothing.
        owner.request().contentType("application/geo+json").body(answer.asString()).put(item).then().statusCode(200)
                .header("Dataset-Left-Out", equalTo(null));
        Caller.anonymous().get("/stac/collections/datasets").then().body("item_assets.keySet()",
                equalTo(Set.of("thumbnail", "metadata", "ortho", "dsm", "dtm", "multispec_ortho")));
    }

    @Test
    void thePageHasALinkToEachRasterAndSignsOnlyThoseOfAPrivateDataset() {
        long shown = create(false, "\"ortho\",\"dsm\",\"dtm\"");
        String page = page(Caller.anonymous(), shown).asString();
        assertTrue(page.contains("href=\"../../api/dataset/" + shown + "/raster/ortho\""), page);
        assertTrue(page.contains("/raster/dsm\"") && !page.contains("/raster/dtm"), page);
        assertFalse(page.contains("ortho.tif"), page);
        long hidden = create(true, "\"ortho\"");
        String own = page(owner, hidden).asString();
        assertTrue(own.contains("/ortho.tif?AWSAccessKeyId="), own);
    }

    /** The tile server reads the raster at its public address, so that it has no access to a private one. */
    @Test
    void onlyAPublicOrthomosaicHasTiles() {
        long shown = create(false, "\"ortho\",\"dsm\"");
        String tiles = WithStorage.VIEWER
                + Listing.encoded(service + address(shown, "ortho").substring(1));
        for (Caller caller : List.of(Caller.anonymous(), owner)) {
            caller.get("/stac/collections/datasets/items/" + shown).then().statusCode(200)
                    .body("links.find { it.rel == 'xyz' }",
                            equalTo(Map.of("rel", "xyz", "href", tiles, "type", "image/png")))
                    .body("stac_extensions", equalTo(
                            List.of("https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json")));
            assertTrue(page(caller, shown).asString().contains("<code>" + tiles + "</code>"));
        }
        for (long other : List.of(create(true, "\"ortho\""), create(false, "\"dsm\""), create(false, ""))) {
            owner.get("/stac/collections/datasets/items/" + other).then().statusCode(200)
                    .body("links.rel", not(hasItem("xyz"))).body("stac_extensions", equalTo(List.of()));
            assertFalse(page(owner, other).asString().contains("titiler"));
        }
        String tag = Caller.anonymous().get("/stac/collections/datasets/items/" + shown).header("ETag");
        owner.patch(Listing.PATH + shown + '/', "{\"is_private\":true}").then().statusCode(200);
        owner.request().header("If-None-Match", tag).get("/stac/collections/datasets/items/" + shown).then()
                .statusCode(200).body("links.rel", not(hasItem("xyz")));
    }

    /** GDAL reads the header and one block of the file by ranges. */
    @Test
    void gdalOpensAPublicAndAPrivateRasterByRanges(@TempDir Path folder) throws IOException, InterruptedException {
        Program translate = Program.ofGdal("gdal_translate", folder);
        Path cog = folder.resolve("ortho.tif");
        Files.writeString(folder.resolve("small.asc"),
                "ncols 2\nnrows 2\nxllcorner 10\nyllcorner 50\ncellsize 0.5\n1 2\n3 4\n");
        translate.run("-of", "COG", "-a_srs", "EPSG:4326", "-outsize", "512", "512",
                "small.asc",
                cog.toString());
        for (boolean isPrivate : new boolean[]{false, true}) {
            long id = create(isPrivate, "\"ortho\"");
            store(id, "ortho.tif", Files.readAllBytes(cog));
            Program info = Program.ofGdal("gdalinfo", folder);
            String output = (isPrivate ? info.with("GDAL_HTTP_HEADERS", "Authorization: Token " + owner.key()) : info)
                    .run("/vsicurl/" + service + address(id, "ortho").substring(1));
            assertTrue(output.contains("Size is 512, 512") && output.contains("LAYOUT=COG"), output);
            assertEquals(!isPrivate, info.succeeds("/vsicurl/" + service + address(id, "ortho").substring(1)));
        }
    }
}
