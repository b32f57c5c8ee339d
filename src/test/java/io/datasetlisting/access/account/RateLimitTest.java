package io.datasetlisting.access.account;

import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.FewRequestsBehindAProxy;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Tests that the rate limit refuses only the address or the token that sends too many requests. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(FewRequestsBehindAProxy.class)
class RateLimitTest {

    private static final int PER_MINUTE = FewRequestsBehindAProxy.PER_MINUTE;

    private static Response get(String address, Caller caller, String path) {
        return caller.request().header("X-Forwarded-For", address).get(path);
    }

    /** The statuses of the requests before the first 429. Fails if no request gets 429. */
    private static Set<Integer> statusesUntilRefused(String address, Caller caller, String path) {
        Set<Integer> statuses = new HashSet<>();
        for (int i = 0; i < 5 * PER_MINUTE; i++) {
            Response answer = get(address, caller, path);
            if (answer.statusCode() == 429) {
                assertTrue(i >= PER_MINUTE, "refused after " + i);
                return statuses;
            }
            statuses.add(answer.statusCode());
        }
        throw new AssertionError("never refused");
    }

    @Test
    void guessedTokensCountAsRequests() {
        for (String key : List.of("made-up", "two words")) {
            Caller guess = Caller.anonymous().holding(key);
            String address = "192.0.2." + key.length();
            assertEquals(Set.of(401), statusesUntilRefused(address, guess, Listing.PATH));
            // A valid token gets the same response as a wrong one.
            // Requests without a token from this address are still served.
            refused(() -> {
                get(address, guess, Listing.PATH);
                return get(address, Caller.admin(), "/api/account/me/");
            });
            assertEquals(200, get(address, Caller.anonymous(), Listing.PATH).statusCode());
            assertEquals(200, get("192.0.2.99", Caller.admin(), "/api/account/me/").statusCode());
        }
    }

    @Test
    void guessedTokensOfTheProviderCountAsTheOthers() {
        String address = "192.0.2.120";
        Supplier<Response> guess = () -> Caller.anonymous().request().header("X-Forwarded-For", address)
                .header("Authorization", "Bearer e30.e30.e30").get(Listing.PATH);
        for (int i = 0; i < PER_MINUTE; i++) {
            assertEquals(401, guess.get().statusCode());
        }
        refused(guess);
        refused(() -> get(address, Caller.anonymous().holding("made-up"), Listing.PATH));
        assertEquals(200, get(address, Caller.anonymous(), Listing.PATH).statusCode());
    }

    @Test
    void unknownAddressesAndRefusalsCountAsRequests() {
        assertEquals(Set.of(404), statusesUntilRefused("192.0.2.101", Caller.anonymous(), "/api/nothing/"));
        assertEquals(Set.of(401), statusesUntilRefused("192.0.2.102", Caller.anonymous(), "/api/token/"));
        assertEquals(Set.of(403), statusesUntilRefused("192.0.2.103", Caller.reader("not an admin"), "/api/account/"));
    }

    @Test
    void theRateLimitIsCheckedBeforeTheMediaType() {
        statusesUntilRefused("192.0.2.104", Caller.anonymous(), Listing.PATH);
        refused(() -> Caller.anonymous().request().header("X-Forwarded-For", "192.0.2.104")
                .header("Content-Type", "none").get(Listing.PATH));
    }

    @Test
    void onlyTheAddressOrTokenAboveTheLimitIsRefused() {
        Caller greedy = Caller.reader("who asks all the time");
        Caller other = Caller.reader("who asks now and then");
        untilRefused(greedy);
        other.get("/api/account/me/").then().statusCode(200);
        Response refused = untilRefused(Caller.anonymous());
        int seconds = Integer.parseInt(refused.header("Retry-After"));
        // One request is admitted every three seconds.
        assertTrue(seconds >= 1 && seconds <= 4, refused.header("Retry-After"));
        assertEquals("{\"detail\":\"Request was throttled. Expected available in " + seconds
                + (seconds == 1 ? " second" : " seconds") + ".\"}", refused.asString());
        refused(() -> Caller.anonymous().request().header("Accept", "application/problem+json").get(Listing.PATH))
                .then().contentType("application/problem+json");
        other.post(Listing.PATH, "{}").then().statusCode(403);
        Listing.client().get("/q/health/live").then().statusCode(200);
        refused(() -> Caller.anonymous().request().head(Listing.PATH)).then()
                .header("Content-Length", matchesPattern("[1-9][0-9]*"));
    }

    /**
     * The response with status 429 to a client that has just been refused. The bucket gains a request every three
     * seconds, so that the first attempt may be admitted; the next one follows at once.
     */
    private static Response refused(Supplier<Response> attempt) {
        return Stream.generate(attempt).limit(5).filter(answer -> answer.statusCode() == 429).findFirst()
                .orElseThrow(() -> new AssertionError("never refused"));
    }

    /**
     * Sends requests until one is refused. Before that, the service admits the requests of a minute, and one more every
     * three seconds.
     */
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
