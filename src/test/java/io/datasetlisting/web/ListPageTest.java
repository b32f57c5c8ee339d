package io.datasetlisting.web;

import static io.restassured.RestAssured.given;

import org.junit.jupiter.api.Test;

import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class ListPageTest {

    @Test
    void theListIsAPage() {
        System.out.println(given().accept("text/html").get("/datasets/?search=a").asString());
    }
}
