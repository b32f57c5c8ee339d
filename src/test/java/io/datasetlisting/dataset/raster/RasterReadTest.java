package io.datasetlisting.dataset.raster;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.StacSchemas;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests what the service reads of rasters that GDAL has made, from a real storage. */
@QuarkusTest
@TestProfile(WithStorage.class)
class RasterReadTest extends RastersOfAnOwner {

    private static final String ITEMS = "/stac/collections/datasets/items/";

    @TempDir
    Path folder;

    private long create(String fields) {
        return owner.create("{\"coordinates\":[1,2]," + fields + "}");
    }

    private static Response read(Caller caller, long id, String product) {
        return caller.request().post(path(id) + "raster/" + product);
    }

    private byte[] raster(String format, String crs, double size, String... options)
            throws IOException, InterruptedException {
        return Program.raster(folder, format, crs, size, options);
    }

    @Test
    void aCloudOptimizedGeoTiffSaysWhereAndHowFineItIs() throws IOException, InterruptedException {
        long id = create("\"available_rasters\":[\"ortho\",\"multispec_ortho\"]");
        for (String big : List.of("NO", "YES")) {
            byte[] cog = raster("COG", "EPSG:32633", 0.05, "BIGTIFF=" + big, "COMPRESS=DEFLATE");
            store(id, "ortho.tif", cog);
            read(owner, id, "ortho").then().statusCode(200).body("raster_headers.ortho.gsd", equalTo(0.05f))
                    .body("raster_headers.ortho.'proj:code'", equalTo("EPSG:32633"))
                    .body("raster_headers.ortho.'proj:shape'", contains(800, 1200))
                    .body("raster_headers.ortho.'file:size'", equalTo(cog.length))
                    .body("raster_headers.ortho.is_cog", equalTo(true));
        }
        store(id, "multispec.tif", raster("COG", "EPSG:32633", 0.25));
        read(owner, id, "multispec_ortho").then().statusCode(200);
        Response item = Caller.anonymous().get(ITEMS + id);
        item.then().body("properties.gsd", equalTo(0.05f)).body("assets.ortho.gsd", equalTo(0.05f))
                .body("assets.multispec_ortho.gsd", equalTo(0.25f))
                .body("assets.ortho.'proj:transform'", contains(0.05f, 0f, 500000f, 0f, -0.05f, 4000000f))
                .body("assets.ortho.type", equalTo("image/tiff; application=geotiff; profile=cloud-optimized"))
                .body("assets.ortho.is_cog", equalTo(null))
                .body("stac_extensions", hasItem("https://stac-extensions.github.io/projection/v2.0.0/schema.json"))
                .body("stac_extensions", hasItem("https://stac-extensions.github.io/file/v2.1.0/schema.json"));
        for (Map.Entry<String, String> language : Map
                .of("en", "5 cm/pixel", "de", "5 cm/Pixel", "es", "5 cm/píxel", "fr",
                        "5 cm/pixel", "ar", "5 سم/بكسل")
                .entrySet()) {
            HtmlPage page = HtmlPage.parse(Caller.anonymous().request().accept("text/html")
                    .header("Accept-Language", language.getKey()).get("/datasets/" + id + '/').asString());
            assertEquals(language.getValue(), page.one("//*[@class='facts numbers']/h:span[last()]").strip());
        }
        StacSchemas.check(StacSchemas.ITEM, item.asString());
        owner.request().contentType("application/geo+json").header("Prefer", "handling=strict").body(item.asString())
                .put(ITEMS + id).then().statusCode(200);
        Listing.list("").then().body("results[0].raster_headers", equalTo(null));
    }

    @Test
    void anotherGeoTiffIsCalledNone() throws IOException, InterruptedException {
        long id = create("\"rasters\":{\"dsm\":\"a/dsm.tif\"}");
        for (String[] options : new String[][]{{}, {"TILED=YES"}}) {
            store(id, "a/dsm.tif", raster("GTiff", "EPSG:2263", 3.28, options));
            read(owner, id, "dsm").then().statusCode(200).body("raster_headers.dsm.is_cog", equalTo(false))
                    .body("raster_headers.dsm.'proj:code'", equalTo("EPSG:2263"))
                    .body("raster_headers.dsm.gsd", equalTo(0.999746f));
        }
        Response item = Caller.anonymous().get(ITEMS + id);
        item.then().body("assets.dsm.type", equalTo("image/tiff; application=geotiff"));
        StacSchemas.check(StacSchemas.ITEM, item.asString());
        String page = owner.request().accept("text/html").get("/datasets/" + id + '/').asString();
        assertTrue(page.contains("Elevation model (DSM): 1200 × 800 px, 1 m/pixel, EPSG:2263, GeoTIFF"), page);
    }

    @Test
    void aFileThatIsNotThereOrIsNoGeoTiffIsRefusedWithItsReason() {
        long id = create("\"available_rasters\":[\"ortho\",\"dtm\"]");
        read(owner, id, "ortho").then().statusCode(400)
                .body("ortho", contains("There is no file at this location."));
        store(id, "ortho.tif", new byte[0]);
        read(owner, id, "ortho").then().statusCode(400).body("ortho.size()", equalTo(1));
        store(id, "ortho.tif", "<html>".getBytes(StandardCharsets.UTF_8));
        read(owner, id, "ortho").then().statusCode(400).body("ortho", contains("The file is no TIFF."));
        store(id, "ortho.tif", new byte[300_000]);
        read(owner, id, "ortho").then().statusCode(400).body("ortho", contains("The file is no TIFF."));
        for (String unknown : List.of("dtm", "dsm", "no")) {
            owner.request().urlEncodingEnabled(false).post(path(id) + "raster/" + unknown).then().statusCode(404);
        }
        owner.get(path(id)).then().body("raster_headers", equalTo(null));
    }

    @Test
    void onlyTheOwnerAndAdminsLetTheServiceReadAFile() throws IOException, InterruptedException {
        long id = create("\"available_rasters\":[\"ortho\"]");
        long hidden = create("\"available_rasters\":[\"ortho\"],\"is_private\":true");
        byte[] cog = raster("COG", "EPSG:32633", 0.05);
        store(id, "ortho.tif", cog);
        store(hidden, "ortho.tif", cog);
        Caller other = Caller.writer("Bea");
        read(other, id, "ortho").then().statusCode(403);
        read(other, hidden, "ortho").then().statusCode(404);
        read(Caller.anonymous(), id, "ortho").then().statusCode(401);
        read(owner.token("reader"), id, "ortho").then().statusCode(403);
        String tag = owner.get(path(id)).header("ETag");
        read(Caller.admin(), id, "ortho").then().statusCode(200);
        assertNotEquals(tag, owner.get(path(id)).header("ETag"));
        owner.request().header("If-Match", tag).post(path(id) + "raster/ortho").then().statusCode(412);
        read(owner, hidden, "ortho").then().statusCode(200);
        Caller.admin().get("/api/audit/").then().body("results.findAll { it.ids == [" + id + "] }.action",
                hasItem("dataset.raster"));
        Caller.anonymous().get("/stac/search?limit=100").then().body("features.id", not(hasItem("" + hidden)));
    }

    @Test
    void anotherLocationClearsWhatIsKnownAndAnExportKeepsIt() throws IOException, InterruptedException {
        long id = create("\"rasters\":{\"ortho\":\"a.tif\",\"dtm\":\"b.tif\"}");
        byte[] cog = raster("COG", "EPSG:4326", 1e-6);
        store(id, "a.tif", cog);
        store(id, "b.tif", cog);
        read(owner, id, "ortho").then().statusCode(200);
        read(owner, id, "dtm").then().statusCode(200);
        List<String> lines = Bulk.exported(Caller.admin(), "");
        catalogue.replaceWith();
        assertEquals(Bulk.Outcome.of(1, 0), Bulk.importAll(lines.get(0)));
        assertEquals(lines, Bulk.exported(Caller.admin(), ""));
        for (String wrong : List.of("{\"x\":{}}", "{\"ortho\":{}}", "[]", "{\"ortho\":{\"proj:shape\":[1,2],"
                + "\"file:size\":1,\"is_cog\":true,\"href\":\"x\"}}",
                "{\"ortho\":{\"proj:shape\":[1,2],"
                        + "\"file:size\":1,\"is_cog\":true,\"gsd\":-1}}")) {
            String line = new JsonObject(lines.get(0)).putNull("raster_headers").encode()
                    .replace("\"raster_headers\":null", "\"raster_headers\":" + wrong);
            assertTrue(Bulk.importAll(line).toString().contains("raster_headers"), wrong);
        }
        // Clients do not write them.
        Caller.admin().patch(path(id), "{\"raster_headers\":{}}").then().statusCode(200)
                .body("raster_headers.keySet()", hasItem("ortho"));
        Caller.admin().patch(path(id), "{\"rasters\":{\"ortho\":\"a.tif\",\"dtm\":\"c.tif\"}}").then()
                .body("raster_headers.keySet()", contains("ortho"));
        Caller.admin().patch(path(id), "{\"rasters\":null}").then().body("raster_headers", equalTo(null));
    }
}
