package io.datasetlisting.http;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FaultsAndOrigins;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests that links begin with the configured base URL. */
@QuarkusTest
@Tag(NightlySuite.TAG)
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
    void searchEnginesReadTheAddressesBelowTheConfiguredBaseUrl() {
        catalogue.replaceWith(plain(1));
        client().get("/robots.txt").then().body(equalTo("""
                User-agent: *
                Disallow: /imagery/api/
                Disallow: /imagery/stac
                Disallow: /imagery/datasets/?
                Disallow: /imagery/datasets/changes/?
                Allow: /imagery/datasets/changes/?*format=atom
                Disallow: /imagery/datasets/grid/
                Disallow: /imagery/datasets/language/
                Disallow: /imagery/datasets/suggest/
                Disallow: /imagery/tiles/
                Disallow: /imagery/exports/
                Sitemap: https://api.example.org/imagery/sitemap.xml
                """));
        client().get("/sitemap.xml").then()
                .body(containsString("<loc>https://api.example.org/imagery/sitemap-1.xml</loc>"));
        client().get("/sitemap-1.xml").then()
                .body(containsString("<loc>https://api.example.org/imagery/datasets/3/</loc>"));
    }

    @Test
    void theRootLeadsToTheListBehindThePathPrefix() {
        given().redirects().follow(false).get("/").then().statusCode(302)
                .header("Location", "https://api.example.org/imagery/datasets/");
    }

    @ParameterizedTest
    @CsvSource({"/datasets, /imagery/datasets/", "/datasets/3, /imagery/datasets/3/", "/docs, /imagery/docs/",
            "/api/dataset?p=2, /imagery/api/dataset/?p=2"})
    void anAddressWithoutItsSlashStaysBehindThePathPrefix(String path, String location) {
        given().redirects().follow(false).get(path).then().statusCode(301).header("Location", location);
    }
}
