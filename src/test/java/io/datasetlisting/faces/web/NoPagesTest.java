package io.datasetlisting.faces.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.NoFoldsSmallCaches;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the service without the page for people. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class NoPagesTest {

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/nowhere", "/datasets/", "/datasets/3/", "/datasets/grid/", "/datasets/language/",
            "/docs/",
            "/docs/page.js",
            "/docs/openapi.yaml", "/assets/page.js", "/assets/icon.svg", "/robots.txt", "/sitemap.xml"})
    void theAddressesOfThePageAreNotFound(String path) {
        Caller.anonymous().request().accept("text/html, */*;q=0.1").get(path).then().statusCode(404)
                .contentType("application/json").body("detail", equalTo("Not found."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac", "/stac/conformance", "/stac/collections/datasets/items",
            "/stac/collections/datasets/items/3", "/stac/search", "/stac/queryables", "/stac/api"})
    void theCatalogueHasNoPage(String path) {
        Caller.anonymous().request().accept("text/html, */*;q=0.1").get(path).then().statusCode(200)
                .contentType(containsString("json"));
        Caller.anonymous().request().accept("text/html").get(path).then().statusCode(406);
        Caller.anonymous().get(path + "?f=html").then().statusCode(400)
                .body("detail", equalTo("There is no parameter \"f\"."));
    }

    @Test
    void noDocumentMentionsThePage() {
        Caller.anonymous().get("/stac").then().body("links.rel", not(hasItem("alternate")))
                .body("conformsTo", not(hasItem(containsString("conf/html"))));
        for (String path : List.of("/stac/collections/datasets", "/stac/search",
                "/stac/collections/datasets/items/3")) {
            String document = Caller.anonymous().get(path).then().statusCode(200).extract().asString();
            assertEquals(List.of(), List.of(document.split("\"")).stream()
                    .filter(text -> text.contains("f=html") || text.contains("/datasets/3/")
                            && !text.contains("/api/dataset/"))
                    .toList());
        }
        String description = Caller.anonymous().get("/stac/api").then().statusCode(200).extract().asString();
        assertEquals(-1, description.replace("api.html", "").indexOf("parameters/f\""), description);
    }
}
