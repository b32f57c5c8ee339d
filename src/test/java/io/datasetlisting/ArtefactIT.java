package io.datasetlisting;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.S3Resource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * Tests the built artefact, a jar or a native executable: it starts on an empty database, migrates, lists, writes,
 * signs and streams. The build of an AOT cache uses this test as its training run.
 */
@QuarkusIntegrationTest
@WithTestResource(ArtefactIT.Database.class)
@WithTestResource(S3Resource.class)
class ArtefactIT {

    /** An empty database for the artefact. */
    public static class Database implements QuarkusTestResourceLifecycleManager {

        private EmbeddedPostgres postgres;

        @Override
        public Map<String, String> start() {
            try {
                postgres = EmbeddedPostgres.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Map<String, String> config = new HashMap<>();
            config.put("quarkus.datasource.reactive.url",
                    "postgresql://127.0.0.1:" + postgres.getPort() + "/postgres");
            config.put("quarkus.datasource.username", "postgres");
            config.put("quarkus.datasource.password", "postgres");
            config.put("dataset.sample.enabled", "true");
            config.put("dataset.admin-token", Caller.admin().key());
            config.put("dataset.storage.access-key-id", S3Resource.ACCESS_KEY_ID);
            config.put("dataset.storage.secret-access-key", S3Resource.SECRET_ACCESS_KEY);
            return config;
        }

        @Override
        public void stop() {
            try {
                postgres.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void listsInEachOrderAndFormat() {
        for (String query : List.of("", "?p=2&ordering=dataset_name", "?ordering=-captured_date&page_size=100",
                "?category=Forest,Desert&captured_after=2020-03-01", "?search=tornado", "?in_bbox=-100,30,-80,40",
                "?fields=id,dataset_name", "?format=geojson", "?format=csv", "?format=ndjson", "?p=last")) {
            assertEquals(200, Listing.list(query).statusCode(), query);
        }
        Listing.list("").then().body("count", greaterThan(200));
        Listing.list("?p=2000").then().statusCode(404);
        Listing.list("?ordering=password").then().statusCode(200);
        for (String path : List.of("/api/search_datasets", "/api/dataset_coords", "/q/openapi", "/q/health",
                "/q/metrics")) {
            Listing.client().get(path).then().statusCode(200);
        }
    }

    @Test
    void theOpenApiDocumentIsServedWithoutSwaggerUi() {
        Listing.client().get("/q/openapi?format=json").then().body("openapi", equalTo("3.1.0"));
        Listing.client().get("/q/swagger-ui/").then().statusCode(404);
    }

    /** Templates and files are found by their names, and so a package can lack them. */
    @Test
    void answersThePagesForPeople() {
        for (String path : List.of("/datasets/", "/datasets/1000/", "/docs/", "/stac?f=html")) {
            Listing.client().get(path).then().statusCode(200).contentType("text/html")
                    .header("Content-Security-Policy", containsString("script-src 'self'"));
        }
        Listing.client().get("/datasets/1000/").then().body(containsString("Nashville"));
        Listing.client().get("/datasets/?p=2000").then().statusCode(404).contentType("text/html");
        Listing.client().get("/datasets/grid/?in_bbox=-180,-90,180,90").then().statusCode(200).body("count",
                greaterThan(200));
        // The icon is too small for compression.
        Listing.client().get("/assets/icon.svg").then().statusCode(200);
        for (String name : List.of("page.js", "later.js", "page.css", "land.json", "leaflet-1.9.4.js")) {
            Listing.client().header("Accept-Encoding", "gzip").get("/assets/" + name).then().statusCode(200)
                    .header("Content-Encoding", "gzip").header("Content-Security-Policy", containsString("'none'"));
        }
        Listing.client().get("/sitemap.xml").then().statusCode(200).contentType("application/xml");
        Listing.client().get("/sitemap-1.xml").then().statusCode(200).body(containsString("/datasets/1000/"));
        Listing.client().get("/robots.txt").then().statusCode(200).body(containsString("/sitemap.xml"));
    }

    @Test
    void createsChangesAndDeletesDatasets() {
        Caller writer = Caller.writer("writer of the artefact");
        long id = writer.create("{\"dataset_name\":\"Rocks\",\"coordinates\":[47,8],\"band_stats\":{}}");
        writer.patch(Listing.PATH + id + "/", "{\"dataset_name\":\"Red rocks\"}").then().statusCode(200)
                .body("dataset_name", equalTo("Red rocks"));
        writer.post(Listing.PATH, "{\"coordinates\":[100,8]}").then().statusCode(400);
        writer.send("POST", Listing.PATH, "application/x-www-form-urlencoded", "dataset_name=Form").then()
                .statusCode(201);
        assertEquals(204, writer.delete(Listing.PATH + id + "/").statusCode());
        writer.get("/api/account/me/").then().statusCode(200).body("username", equalTo("writer of the artefact"));
    }

    @Test
    void linksOpenUploadedThumbnails() {
        long id = Caller.admin().create("{\"coordinates\":[1,2]}");
        String link = Caller.admin().request().body(Images.of("image/png", 10_000))
                .put(Listing.PATH + id + "/thumbnail/").jsonPath().getString("thumbnail_image");
        given().urlEncodingEnabled(false).get(link).then().statusCode(200).contentType("image/png");
    }

    @Test
    void anExportCanBeImported() {
        List<String> lines = Bulk.exported(Caller.admin(), "");
        Bulk.Outcome outcome = Bulk.importAll(String.join("\n", lines));
        assertEquals(0, outcome.refused(), outcome::toString);
    }

    @Test
    void errorsHaveTheShapeOfTheContract() {
        Listing.client().get("/api/nothing/").then().statusCode(404).body("detail", equalTo("Not found."));
        Caller.anonymous().post(Listing.PATH, "{}").then().statusCode(401)
                .header("WWW-Authenticate", containsString("Token"));
        Listing.client().header("Accept", "application/problem+json").get("/api/dataset/0/").then().statusCode(404)
                .contentType("application/problem+json");
    }
}
