package io.datasetlisting.dataset;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** ETags: what readers need not read again, and what writers do not overwrite unseen. */
@QuarkusTest
class PreconditionTest {

    private static final String ONE = Listing.PATH + "1/";
    private static final String STALE = "{\"detail\":\"Precondition failed: this is not the version that the request "
            + "is about.\"}";

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @BeforeEach
    void oneDataset() {
        catalogue.replaceWith(dataset(1, d -> {
        }));
    }

    @AfterEach
    void putTheClockBack() {
        clock.reset();
    }

    private static String tag() {
        return anonymous().get(ONE).header("ETag");
    }

    private static int read(String ifNoneMatch) {
        return anonymous().request().header("If-None-Match", ifNoneMatch).get(ONE).statusCode();
    }

    private static Response write(String method, String header, String tags) {
        return admin().request().header(header, tags).contentType(Caller.JSON).body("{\"dataset_name\":\"new\"}")
                .request(method, ONE);
    }

    @Test
    void whoKnowsItGetsNoBody() {
        String tag = tag();
        for (String known : List.of(tag, "W/" + tag, "\"x\", " + tag, "\"x\"," + tag + ",\"y\"", "*")) {
            for (String method : List.of("GET", "HEAD")) {
                Response answer = anonymous().request().header("If-None-Match", known).request(method, ONE);
                assertEquals(304, answer.statusCode(), known);
                assertEquals("", answer.asString());
                assertEquals(tag, answer.header("ETag"));
                assertEquals("Accept, Accept-Encoding", answer.header("Vary"));
            }
        }
    }

    @Test
    void whoKnowsAnotherGetsThisOne() {
        String tag = tag();
        for (String other : List.of("\"x\"", "", "nonsense", tag.replace("\"", ""), tag.substring(0, 3) + "\"")) {
            assertEquals(200, read(other), other);
        }
    }

    @Test
    void eachChangeMakesAnotherTag() {
        String tag = tag();
        String changed = admin().patch(ONE, "{\"dataset_name\":\"new\"}").header("ETag");
        assertNotEquals(tag, changed);
        assertEquals(changed, tag());
        assertEquals(200, read(tag));
        assertEquals(304, read(changed));
    }

    @Test
    void noTagOutlivesTheLinksInIt() {
        String tag = tag();
        clock.setAfterStart(Duration.ofMinutes(60));
        assertEquals(200, read(tag));
        assertNotEquals(tag, tag());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aWriterWhoHasSeenAnOlderVersionIsStopped(String method) {
        String tag = tag();
        admin().patch(ONE, "{\"is_shareable\":true}");
        String before = anonymous().get(ONE).asString();
        for (String stale : List.of(tag, "\"x\"", "W/" + tag(), "nonsense", "\"1\"", tag + ", \"x\"")) {
            Response stopped = write(method, "If-Match", stale);
            assertEquals(412, stopped.statusCode(), stale);
            assertEquals(STALE, stopped.asString());
        }
        assertEquals(before, anonymous().get(ONE).asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aWriterWhoHasSeenThisVersionIsNot(String method) {
        String tag = tag();
        // A window of links later the version is still the same.
        clock.setAfterStart(Duration.ofHours(5));
        assertEquals(method.equals("DELETE") ? 204 : 200,
                write(method, "If-Match", "\"x\", " + tag).statusCode());
    }

    @Test
    void anyVersionWillDoForAStar() {
        assertEquals(200, write("PATCH", "If-Match", "*").statusCode());
        assertEquals(412, write("PATCH", "If-None-Match", "*").statusCode());
        assertEquals(412, write("PATCH", "If-None-Match", tag()).statusCode());
        assertEquals(200, write("PATCH", "If-None-Match", "\"x\"").statusCode());
    }

    @Test
    void aListOfTagsMayTakeSeveralLines() {
        String tag = tag();
        assertEquals(304, anonymous().request().header("If-None-Match", "\"x\"", tag).get(ONE).statusCode());
        assertEquals(200, admin().request().header("If-Match", "\"x\"", tag).contentType(Caller.JSON).body("{}")
                .patch(ONE).statusCode());
    }

    @Test
    void whatIsNotThereIsA404WhateverTheTag() {
        admin().request().header("If-Match", "\"x\"").delete(Listing.PATH + "2/").then().statusCode(404);
    }

    @Test
    void ofTwentyWritersWhoSawTheSameVersionOneWrites() {
        String tag = tag();
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 20).mapToObj(i -> CompletableFuture
                .supplyAsync(() -> admin().request().header("If-Match", tag).contentType(Caller.JSON)
                        .body("{\"dataset_name\":\"" + i + "\"}").patch(ONE).statusCode()))
                .toList();
        assertEquals(1, answers.stream().filter(answer -> answer.join() == 200).count());
        assertEquals(19, answers.stream().filter(answer -> answer.join() == 412).count());
    }

    @Test
    void withoutATagTheChangesOfTwoToDifferentFieldsAreBothKept() {
        CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> admin().patch(ONE, "{\"dataset_name\":\"a\"}").then().statusCode(200)),
                CompletableFuture.runAsync(() -> admin().patch(ONE, "{\"is_shareable\":true}").then().statusCode(200)))
                .join();
        Response read = anonymous().get(ONE);
        assertEquals("a true", read.path("dataset_name") + " " + read.path("is_shareable"));
        assertEquals(2L, catalogue.sql("select version from dataset").get(0).getLong(0));
    }
}
