package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.util.List;

import jakarta.inject.Inject;

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

/** Tests the preconditions If-Match and If-None-Match of a single dataset. */
@QuarkusTest
class PreconditionTest {

    private static final String DATASET = Listing.PATH + "1/";
    private static final String STALE = "{\"detail\":\"Precondition failed: this is not the version that the request "
            + "is about.\"}";

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @BeforeEach
    void createDataset() {
        catalogue.replaceWith(dataset(1));
    }

    private static String tag() {
        return anonymous().get(DATASET).header("ETag");
    }

    private static int read(String ifNoneMatch) {
        return anonymous().request().header("If-None-Match", ifNoneMatch).get(DATASET).statusCode();
    }

    private static Response write(String method, String header, String tags) {
        return admin().request().header(header, tags).contentType(Caller.JSON).body("{\"dataset_name\":\"new\"}")
                .request(method, DATASET);
    }

    @Test
    void aMatchingIfNoneMatchAnswers304WithoutABody() {
        String tag = tag();
        for (String tags : List.of(tag, "W/" + tag, "\"x\", " + tag, "\"x\"," + tag + ",\"y\"", "*")) {
            for (String method : List.of("GET", "HEAD")) {
                Response answer = anonymous().request().header("If-None-Match", tags).request(method, DATASET);
                assertEquals(304, answer.statusCode(), tags);
                assertEquals("", answer.asString());
                assertEquals(tag, answer.header("ETag"));
                assertEquals("Accept, Accept-Encoding", answer.header("Vary"));
            }
        }
    }

    @Test
    void anotherTagInIfNoneMatchAnswers200() {
        String tag = tag();
        for (String other : List.of("\"x\"", "", "nonsense", tag.replace("\"", ""), tag.substring(0, 3) + "\"")) {
            assertEquals(200, read(other), other);
        }
    }

    @Test
    void eachChangeChangesTheTag() {
        String tag = tag();
        String changed = admin().patch(DATASET, "{\"dataset_name\":\"new\"}").header("ETag");
        assertNotEquals(tag, changed);
        assertEquals(changed, tag());
        assertEquals(200, read(tag));
        assertEquals(304, read(changed));
    }

    @Test
    void theTagChangesWhenTheLinksExpire() {
        String tag = tag();
        clock.setAfterStart(Duration.ofMinutes(60));
        assertEquals(200, read(tag));
        assertNotEquals(tag, tag());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aWriteWithAnOutdatedTagIsRefused(String method) {
        String tag = tag();
        admin().patch(DATASET, "{\"is_shareable\":true}");
        String before = anonymous().get(DATASET).asString();
        for (String stale : List.of(tag, "W/" + tag, coded(tag, "-gzip"), "\"x\"", "nonsense", "\"1\"",
                tag + ", \"x\"")) {
            Response refused = write(method, "If-Match", stale);
            assertEquals(412, refused.statusCode(), stale);
            assertEquals(STALE, refused.asString());
        }
        assertEquals(before, anonymous().get(DATASET).asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aWriteWithATagOfTheCurrentVersionIsAccepted(String method) {
        String tag = tag();
        // In a later link window the version is still the same.
        clock.setAfterStart(Duration.ofHours(5));
        assertEquals(method.equals("DELETE") ? 204 : 200,
                write(method, "If-Match", "\"x\", " + tag).statusCode());
    }

    /** As a proxy passes a tag on that compresses the response. */
    private static String coded(String tag, String suffix) {
        return tag.substring(0, tag.length() - 1) + suffix + '"';
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void aTagThatACompressingProxyHasChangedNamesTheVersion(String method) {
        String tag = tag();
        List<String> changed = List.of("W/" + tag, coded(tag, "-gzip"), coded(tag, ";gzip"), coded(tag, "--gzip"),
                "W/" + coded(tag, "-br"));
        for (String each : changed) {
            assertEquals(304, read(each), each);
            assertEquals(412, write(method, "If-None-Match", each).statusCode(), each);
        }
        for (String other : List.of(coded(tag, "-x"), coded(tag, "gzip"), coded(tag, "-gzip-gzip"))) {
            assertEquals(200, read(other), other);
        }
        for (String each : method.equals("DELETE") ? changed.subList(0, 1) : changed) {
            String current = each.replace(tag.substring(1, tag.length() - 1), tag().substring(1, tag().length() - 1));
            assertEquals(method.equals("DELETE") ? 204 : 200, write(method, "If-Match", current).statusCode(), each);
        }
    }

    @Test
    void aStarMatchesEveryVersion() {
        assertEquals(200, write("PATCH", "If-Match", "*").statusCode());
        assertEquals(412, write("PATCH", "If-None-Match", "*").statusCode());
        assertEquals(412, write("PATCH", "If-None-Match", tag()).statusCode());
        assertEquals(200, write("PATCH", "If-None-Match", "\"x\"").statusCode());
    }

    @Test
    void aListOfTagsMayBeSplitIntoSeveralHeaders() {
        String tag = tag();
        assertEquals(304, anonymous().request().header("If-None-Match", "\"x\"", tag).get(DATASET).statusCode());
        assertEquals(200, admin().request().header("If-Match", "\"x\"", tag).contentType(Caller.JSON).body("{}")
                .patch(DATASET).statusCode());
    }

    @Test
    void anUnknownIdIsA404ForEveryTag() {
        admin().request().header("If-Match", "\"x\"").delete(Listing.PATH + "2/").then().statusCode(404);
    }
}
