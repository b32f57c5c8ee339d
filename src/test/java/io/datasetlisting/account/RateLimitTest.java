package io.datasetlisting.account;

import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Who asks too often waits, and nobody else. */
@QuarkusTest
@TestProfile(RateLimitTest.Few.class)
class RateLimitTest {

    private static final int PER_MINUTE = 20;

    public static class Few implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("dataset.rate-limit.per-minute", Integer.toString(PER_MINUTE));
        }
    }

    @Test
    void anAddressOrATokenThatAsksTooOftenWaitsAlone() {
        Caller admin = Caller.admin();
        Caller other = Caller.reader("who asks now and then");
        untilRefused(admin);
        other.get("/api/account/me/").then().statusCode(200);
        Response refused = untilRefused(Caller.anonymous());
        int seconds = Integer.parseInt(refused.header("Retry-After"));
        // A twentieth of a minute for each request.
        assertTrue(seconds >= 1 && seconds <= 4, refused.header("Retry-After"));
        assertEquals("{\"detail\":\"Request was throttled. Expected available in " + seconds
                + (seconds == 1 ? " second" : " seconds") + ".\"}", refused.asString());
        Caller.anonymous().request().header("Accept", "application/problem+json").get(Listing.PATH).then()
                .statusCode(429).contentType("application/problem+json");
        other.post(Listing.PATH, "{}").then().statusCode(403);
        Listing.client().get("/q/health/live").then().statusCode(200);
        Caller.anonymous().request().head(Listing.PATH).then().statusCode(429)
                .header("Content-Length", matchesPattern("[1-9][0-9]*"));
    }

    /** Some are let through meanwhile: a minute's worth, and those that come in the time that it takes. */
    private static Response untilRefused(Caller caller) {
        for (int i = 0; i < 5 * PER_MINUTE; i++) {
            Response answer = caller.get(Listing.PATH);
            if (answer.statusCode() == 429) {
                return answer;
            }
            assertEquals(200, answer.statusCode());
        }
        throw new AssertionError("never refused");
    }
}
