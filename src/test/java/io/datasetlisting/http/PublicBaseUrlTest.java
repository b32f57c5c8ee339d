package io.datasetlisting.http;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FaultsAndOrigins;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests that links begin with the configured base URL. */
@QuarkusTest
@TestProfile(FaultsAndOrigins.class)
class PublicBaseUrlTest {

    @Inject
    Catalogue catalogue;

    @Test
    void aConfiguredBaseUrlOverridesTheHostHeaders() {
        catalogue.replaceWith(plain(16));
        client().header("Host", "evil.example").header("X-Forwarded-Host", "evil.example")
                .header("X-Forwarded-Proto", "ftp")
                .get("/api/dataset/?p=2").then()
                .body("previous", equalTo("https://api.example.org/imagery/api/dataset/?p=1&page_size=15"));
    }

    @Test
    void theRootLeadsToTheListBehindThePathPrefix() {
        given().redirects().follow(false).get("/").then().statusCode(302)
                .header("Location", "https://api.example.org/imagery/datasets/");
    }
}
