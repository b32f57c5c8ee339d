package io.datasetlisting.write.change;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Metrics.awaitMetric;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.Program;
import io.datasetlisting.support.Requirement;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests what clients of the feed of changes receive, while the service folds. */
@QuarkusTest
class ChangesTest {

    private static final String CHANGES = Copy.CHANGES;
    private static final String STAC = "/stac/changes";
    /** At the beginning of a token. */
    private static final int EPOCH_LENGTH = 16;
    private static final int READ_TIMEOUT = 40_000;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource(Copy.CHANGES)
    URI changes;

    private Caller owner;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(dataset(1, d -> {
            d.datasetName = "one";
            d.category = new String[]{"Desert"};
        }), dataset(2, d -> d.category = new String[]{"Forest"}), dataset(3, d -> {
            d.isPrivate = true;
            d.ownerId = 50;
            d.ownerName = "Owner";
        }));
        owner = Caller.existing(50, "Owner").token("writer");
        catalogue.fold();
    }

    private static Copy copyOf(Caller caller, String filter) {
        Copy copy = Copy.of(caller, filter);
        copy.follow(100);
        return copy;
    }

    private static JsonObject page(Caller caller, String query) {
        Response response = caller.get(CHANGES + query);
        assertEquals(200, response.statusCode(), response::asString);
        return new JsonObject(response.asString());
    }

    private static List<String> changes(JsonObject page) {
        List<String> changes = new ArrayList<>();
        JsonArray all = page.getJsonArray("changes");
        for (int i = 0; i < all.size(); i++) {
            JsonObject change = all.getJsonObject(i);
            changes.add(change.getString("change") + " "
                    + (change.getString("change").equals("put") ? change.getJsonObject("dataset") : change)
                            .getLong("id"));
        }
        return changes;
    }

    @Test
    void allDatasetsAreListedWithoutAPosition() {
        Response response = anonymous().get(CHANGES);
        response.then().statusCode(200).header("Content-Type", "application/json")
                .header("Cache-Control", containsString("must-revalidate"))
                .body("changes.dataset.id", equalTo(List.of(1, 2))).body("more", equalTo(false))
                .body("tombstones", equalTo("persistent")).body("changes[0].revision", matchesPattern("\\d+-\\d{16}"))
                .body("changes[0].dataset.thumbnail_image", matchesPattern("http://.*/api/dataset/1/thumbnail/"));
        JsonObject listed = anonymous().json(Listing.PATH + "?page_size=1").getJsonArray("results").getJsonObject(0);
        JsonObject first = new JsonObject(response.asString()).getJsonArray("changes").getJsonObject(0)
                .getJsonObject("dataset");
        assertEquals(listed.fieldNames(), first.fieldNames());
        anonymous().request().header("If-None-Match", response.header("ETag")).get(CHANGES).then().statusCode(304);
        anonymous().request().head(CHANGES).then().statusCode(200).header("ETag", response.header("ETag"));
        anonymous().request().header("Accept", "text/event-stream").head(CHANGES).then().statusCode(200)
                .header("Content-Type", "text/event-stream");
    }

    @Test
    void eachCallerSeesTheChangesOfItsAudience() {
        Copy ofAll = copyOf(anonymous(), "");
        Copy ofOwner = copyOf(owner, "");
        Copy ofAdmin = copyOf(admin(), "");
        assertEquals("[1, 2]", ofAll.revisions.keySet().toString());
        assertEquals("[1, 2, 3]", ofOwner.revisions.keySet().toString());
        assertEquals("[1, 2, 3]", ofAdmin.revisions.keySet().toString());
        // A private dataset that changes and goes leaves no trace for others.
        owner.patch(Listing.PATH + "3/", "{\"dataset_name\": \"secret\"}").then().statusCode(200);
        catalogue.fold();
        owner.delete(Listing.PATH + "3/").then().statusCode(204);
        catalogue.fold();
        assertEquals(List.of(), changes(page(anonymous(), "?since=" + ofAll.since)));
        assertEquals(List.of("gone 3"), changes(page(owner, "?since=" + ofOwner.since)));
        assertEquals(List.of("gone 3"), changes(page(admin(), "?since=" + ofAdmin.since)));
        // A public dataset that becomes private is gone for others, and changed for its owner.
        catalogue.sql("update dataset set is_private = true, version = version + 1, owner_id = " + owner.id()
                + ", owner_name = '" + owner.username() + "' where id = 1");
        catalogue.fold();
        assertEquals(List.of("gone 1"), changes(page(anonymous(), "?since=" + ofAll.since)));
        assertEquals(List.of("gone 3", "put 1"), changes(page(owner, "?since=" + ofOwner.since)));
        assertEquals(List.of("gone 3", "put 1"), changes(page(admin(), "?since=" + ofAdmin.since)));
    }

    @Test
    void aDatasetThatLeavesTheFilterIsGone() {
        Copy copy = copyOf(anonymous(), "category=Forest");
        assertEquals("[2]", copy.revisions.keySet().toString());
        admin().patch(Listing.PATH + "2/", "{\"category\": [\"Desert\"]}").then().statusCode(200);
        admin().patch(Listing.PATH + "1/", "{\"category\": [\"Forest\"]}").then().statusCode(200);
        catalogue.fold();
        copy.follow(100);
        assertEquals("[1]", copy.revisions.keySet().toString());
        // The position moves on even if nothing matches.
        String before = copy.since;
        admin().patch(Listing.PATH + "2/", "{\"dataset_name\": \"other\"}").then().statusCode(200);
        catalogue.fold();
        copy.datasets.clear();
        copy.follow(100);
        assertFalse(before.equals(copy.since));
    }

    @Test
    void aPositionBelongsToItsCallerAndFilters() {
        String since = copyOf(anonymous(), "").since;
        String sentence = "This is neither a position of this caller with these filters, nor a time such as"
                + " 2023-05-31T12:00:00Z.";
        for (String query : List.of("&category=Forest", "&in_bbox=1,2,3,4", "&block=0")) {
            anonymous().get(CHANGES + "?since=" + since + query).then().statusCode(400)
                    .body("since", hasItem(sentence));
        }
        for (Caller other : List.of(owner, admin())) {
            other.get(CHANGES + "?since=" + since).then().statusCode(400).body("since", hasItem(sentence));
        }
        anonymous().get(STAC + "?since=" + since).then().statusCode(400).body("code", equalTo("BadRequest"));
        // The order of filters does not matter, nor do parameters that are no filters.
        anonymous().get(CHANGES + "?limit=5&since=" + since).then().statusCode(200);
        String filtered = page(anonymous(), "?user=7&category=Forest").getString("next");
        page(anonymous(), "?category=Forest&since=" + filtered + "&user=7");
    }

    @Test
    void aPageOfLargeDatasetsIsShort() {
        String statistics = "{\"min\":1e-300,\"max\":1e-300,\"mean\":1e-300,\"stddev\":1e-300}";
        String bands = IntStream.rangeClosed(1, 90).mapToObj(i -> "\"b" + i + "\":" + statistics)
                .collect(Collectors.joining(","));
        for (int i = 0; i < 30; i++) {
            admin().post(Listing.PATH,
                    "{\"coordinates\":[1,2],\"band_stats\":{\"multispec_ortho\":{\"band_descr\":{}," + bands + "}}}")
                    .then().statusCode(201);
        }
        catalogue.fold();
        JsonObject page = page(anonymous(), "");
        assertTrue(page.getBoolean("more"));
        assertTrue(page.encode().length() < 3 << 20, () -> page.encode().length() + " characters");
        Copy copy = Copy.of(anonymous(), "");
        copy.awaitEqual();
        assertEquals(32, copy.revisions.size());
    }

    /** For example of a lost origin, whose mirror takes its place. */
    @Test
    void aPositionOfAnotherDatabaseIsLost() {
        byte[] foreign = Base64.getUrlDecoder().decode(copyOf(anonymous(), "").since);
        Arrays.fill(foreign, 0, EPOCH_LENGTH, (byte) 1);
        String since = Base64.getUrlEncoder().withoutPadding().encodeToString(foreign);
        for (String path : List.of(CHANGES + "?since=", CHANGES + "?format=ndjson&since=", STAC + "?since=",
                CHANGES + "digest/?cursor=")) {
            anonymous().get(path + since).then().statusCode(410);
            anonymous().request().head(path + since).then().statusCode(410);
        }
        String events = anonymous().request().header("Accept", "text/event-stream").get(CHANGES + "?since=" + since)
                .then().statusCode(200).extract().asString();
        assertTrue(events.contains("event: reset"), events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"since=x", "since=2023-13-01", "since=%00", "limit=0", "limit=1001", "limit=x", "wait=61",
            "wait=-1", "block=-1", "block=x", "category=none", "since=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "limit=99999999999999999999", "block=9007199254740993"})
    void aWrongParameterIsRefused(String query) {
        anonymous().get(CHANGES + "?" + query).then().statusCode(400)
                .body("$", hasKey(query.substring(0, query.indexOf('='))));
    }

    @Test
    void changesSinceATimeAreListed() {
        String before = Instant.now().toString();
        Copy copy = copyOf(anonymous(), "");
        admin().delete(Listing.PATH + "1/").then().statusCode(204);
        catalogue.fold();
        List<String> since = changes(page(anonymous(), "?since=" + before));
        assertTrue(since.contains("gone 1"), since::toString);
        assertEquals(List.of(), changes(page(anonymous(), "?since=9999-01-01")));
        copy.follow(10);
        assertEquals("[2]", copy.revisions.keySet().toString());
        // The tombstones of the time before the migration are not known.
        anonymous().get(CHANGES + "?since=0001-01-01").then().statusCode(410)
                .body("detail", containsString("Begin again at http"));
    }

    @Test
    void smallPagesReachTheEnd() {
        Copy copy = Copy.of(anonymous(), "");
        assertTrue(copy.step(1, 0));
        assertEquals(1, copy.revisions.size());
        copy.follow(1);
        assertEquals("[1, 2]", copy.revisions.keySet().toString());
    }

    @Test
    void aLongPollEndsWithAChange() throws Exception {
        Copy copy = copyOf(anonymous(), "");
        CompletableFuture<Void> poll = CompletableFuture.runAsync(() -> copy.step(100, 60));
        admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"polled\"}").then().statusCode(200);
        poll.get();
        assertEquals("polled", copy.datasets.get(1L).getString("dataset_name"));
        // Without a change it ends with an empty page.
        assertFalse(copy.step(100, 1));
    }

    /** A transaction of another program that stays open delays nothing. */
    @Test
    void anOpenTransactionDoesNotDelayTheFeed() {
        Copy copy = copyOf(anonymous(), "");
        catalogue.during("update dataset set version = version + 1 where id = 2", () -> {
            admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"beside\"}").then().statusCode(200);
            copy.step(100, 60);
            assertEquals("beside", copy.datasets.get(1L).getString("dataset_name"));
        });
    }

    @Test
    void theFeedHasALateCommit() {
        AtomicReference<String> answered = new AtomicReference<>();
        catalogue.during("update dataset set version = version + 1 where id = 2; select pg_sleep(0.15)", other -> {
            admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"beside\"}").then().statusCode(200);
            catalogue.fold();
            answered.set(page(anonymous(), "").getString("as_of"));
            return other.query("commit").execute();
        });
        catalogue.fold();
        assertTrue(changes(page(anonymous(), "?since=" + answered.get())).contains("put 2"));
    }

    @Test
    void linesEndWithThePosition() {
        Response response = anonymous().get(CHANGES + "?format=ndjson&limit=1");
        response.then().statusCode(200).header("Content-Type", "application/x-ndjson")
                .header("X-Accel-Buffering", "no").header("Cache-Control", "no-cache, no-transform");
        List<JsonObject> lines = response.asString().lines().map(JsonObject::new).toList();
        assertEquals(List.of(1L, 2L), lines.stream().filter(line -> line.containsKey("dataset"))
                .map(line -> line.getJsonObject("dataset").getLong("id")).toList());
        JsonObject last = lines.get(lines.size() - 1);
        assertEquals(false, last.getBoolean("more"));
        assertEquals(List.of(), changes(page(anonymous(), "?since=" + last.getString("next"))));
    }

    private BufferedReader events(String query, String lastEventId) throws IOException {
        return events(query, lastEventId, anonymous());
    }

    private BufferedReader events(String query, String lastEventId, Caller caller) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(changes + query).toURL().openConnection();
        connection.setReadTimeout(READ_TIMEOUT);
        connection.setRequestProperty("Accept", "text/event-stream");
        connection.setRequestProperty("Accept-Encoding", "gzip");
        if (caller.key() != null) {
            connection.setRequestProperty("Authorization", "Token " + caller.key());
        }
        if (lastEventId != null) {
            connection.setRequestProperty("Last-Event-ID", lastEventId);
        }
        assertEquals("text/event-stream", connection.getHeaderField("Content-Type"));
        assertEquals(null, connection.getHeaderField("Content-Encoding"));
        return new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String next(BufferedReader events, String field) throws IOException {
        String line = events.readLine();
        while (line != null && !line.startsWith(field + ": ")) {
            line = events.readLine();
        }
        return line == null ? null : line.substring(field.length() + 2);
    }

    @Test
    void eventsAreCloudEventsWithPositions() throws IOException {
        String since = copyOf(anonymous(), "").since;
        try (BufferedReader events = events("?since=" + since, null)) {
            admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"streamed\"}").then().statusCode(200);
            String id = next(events, "id");
            JsonObject event = new JsonObject(next(events, "data"));
            assertEquals("1.0", event.getString("specversion"));
            assertEquals("io.datasetlisting.dataset.put", event.getString("type"));
            assertEquals("1", event.getString("subject"));
            assertEquals("streamed", event.getJsonObject("data").getJsonObject("dataset").getString("dataset_name"));
            admin().delete(Listing.PATH + "2/").then().statusCode(204);
            event = new JsonObject(next(events, "data"));
            assertEquals("io.datasetlisting.dataset.gone", event.getString("type"));
            try (BufferedReader again = events("?wait=1", id)) {
                assertEquals("2", new JsonObject(next(again, "data")).getString("subject"));
                // A position without data follows after a second.
                assertTrue(next(again, "id").length() > 40);
            }
        }
    }

    @Test
    void anEventStreamEndsWhenItsTokenIsRevoked() throws IOException {
        Caller rita = Caller.reader("Rita");
        try (BufferedReader events = events("?wait=1", null, rita)) {
            assertTrue(next(events, "id").length() > 40);
            catalogue.sql("update api_token set revoked = true where account_id = " + rita.id());
            assertTimeoutPreemptively(Duration.ofSeconds(30), () -> readToEnd(events));
        }
    }

    private static void readToEnd(BufferedReader events) {
        try {
            while (events.readLine() != null) {
                // Changes from before the revocation, and positions.
            }
        } catch (IOException e) {
            // The stream has broken off, so that no client takes a part for the whole.
            assertFalse(e instanceof SocketTimeoutException);
        }
    }

    /** HAProxy as Debian installs it ends a request after 50 seconds without a response, and nginx after 60. */
    @Test
    void theLongestWaitIsShorterThanThatOfProxies() {
        assertTrue(ChangeParameters.LONGEST_WAIT < 50);
        anonymous().get(CHANGES + "?wait=61").then().statusCode(400);
    }

    @Test
    void aLongPollIsRefusedWhenItsTokenIsRevoked() {
        Caller rita = Caller.reader("Rita");
        String since = copyOf(rita, "").since;
        CompletableFuture<Response> poll = CompletableFuture
                .supplyAsync(() -> rita.get(CHANGES + "?wait=8&since=" + since));
        awaitMetric("dataset_changes_listeners", 1);
        catalogue.sql("update api_token set revoked = true where account_id = " + rita.id());
        Patience.await("the token is refused").until(() -> rita.get(Listing.PATH).statusCode() == 401);
        admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"after\"}").then().statusCode(200);
        poll.join().then().statusCode(401).body("detail", equalTo("Invalid token."));
    }

    @Test
    void aLostPositionOfAnEventStreamIsAReset() throws IOException {
        String since = copyOf(anonymous(), "").since;
        catalogue.sql("insert into listing_epoch (server, began) values ('another', 1)");
        try (BufferedReader events = events("", since)) {
            assertEquals("reset", next(events, "event"));
            assertTrue(next(events, "data").contains("Begin again at http"));
            assertEquals(null, next(events, "data"));
        } finally {
            catalogue.sql("delete from listing_epoch where server = 'another'");
        }
    }

    @Test
    void aPositionOfALaterTimeOfAnEarlierEpochIsLost() {
        Copy copy = copyOf(anonymous(), "");
        // Another server takes over, which has the last fold.
        catalogue.sql("insert into listing_epoch (server, began) select 'another', max(folded) from rank");
        assertEquals(List.of(), changes(page(anonymous(), "?since=" + copy.since)));
        // And one that lacks it.
        catalogue.sql("insert into listing_epoch (server, began) select 'third', max(folded) - 1 from rank");
        try {
            anonymous().get(CHANGES + "?since=" + copy.since).then().statusCode(410)
                    .body("detail", containsString("changes before this position were lost"));
            anonymous().get(CHANGES + "digest/?cursor=" + copy.since).then().statusCode(410);
            copy.follow(100);
            assertEquals(1, copy.resets);
            assertEquals("[1, 2]", copy.revisions.keySet().toString());
        } finally {
            catalogue.sql("delete from listing_epoch where server in ('another', 'third')");
        }
    }

    @Test
    void forgottenTombstonesEndPositions() {
        Copy copy = copyOf(anonymous(), "");
        admin().delete(Listing.PATH + "1/").then().statusCode(204);
        catalogue.fold();
        String after = copyOf(anonymous(), "").since;
        long floor = catalogue.sql("select folded from change_floor where audience = -1").get(0).getLong("folded");
        catalogue.sql("select forget_changes(now() + interval '1 hour')");
        try {
            // A tombstone of an owner's dataset ends positions of the owner and of admins.
            String ofOwner = copyOf(owner, "").since;
            String ofOthers = copyOf(anonymous(), "").since;
            admin().delete(Listing.PATH + "3/").then().statusCode(204);
            catalogue.fold();
            catalogue.sql("select forget_changes(now() + interval '1 hour')");
            owner.get(CHANGES + "?since=" + ofOwner).then().statusCode(410);
            anonymous().get(CHANGES + "?since=" + ofOthers).then().statusCode(200);
            anonymous().get(CHANGES + "?since=" + copy.since).then().statusCode(410)
                    .body("detail", containsString("forgotten"));
            assertEquals(List.of(), changes(page(anonymous(), "?since=" + after)));
            assertEquals(List.of("put 2"), changes(page(anonymous(), "")));
        } finally {
            catalogue.sql("delete from change_floor where audience <> -1; update change_floor set folded = " + floor);
        }
    }

    @Test
    void aChangeOfAPrivateDatasetMovesNothingThatOthersCanRead() {
        for (String filter : List.of("", "&category=Forest")) {
            Copy copy = copyOf(anonymous(), filter.replace("&", ""));
            String path = CHANGES + "?since=" + copy.since + filter;
            Response before = anonymous().get(path);
            Response next = anonymous().get(path);
            assertNotEquals(new JsonObject(before.asString()).getString("next"),
                    new JsonObject(next.asString()).getString("next"));
            catalogue.sql("update dataset set version = version + 1 where id = 3");
            assertEquals(200, copy.digest().status());
            catalogue.fold();
            assertEquals(200, copy.digest().status());
            Response after = anonymous().get(path);
            assertEquals(before.header("ETag"), after.header("ETag"));
            assertEquals(new JsonObject(before.asString()).getString("as_of"),
                    new JsonObject(after.asString()).getString("as_of"));
            anonymous().request().header("If-None-Match", before.header("ETag")).get(path).then().statusCode(304);
            copy.follow(1);
            assertEquals(List.of(), changes(page(anonymous(), "?since=" + copy.since + filter)));
        }
    }

    @Test
    void theDigestIsThatOfACopy() {
        for (String filter : List.of("", "category=Forest")) {
            for (Caller caller : List.of(anonymous(), owner, admin())) {
                Copy copy = copyOf(caller, filter);
                JsonObject digest = copy.digest().json();
                assertEquals(copy.blocks(), digest.getJsonArray("blocks"));
                assertEquals(copy.since, digest.getString("cursor"));
            }
        }
        // Between two changes of the newest fold.
        Copy half = Copy.of(anonymous(), "");
        assertTrue(half.step(1, 0));
        assertEquals(409, half.digest().status());
        Copy behind = copyOf(anonymous(), "");
        admin().patch(Listing.PATH + "1/", "{\"dataset_name\": \"later\"}").then().statusCode(200);
        catalogue.fold();
        assertEquals(409, behind.digest().status());
        anonymous().get(CHANGES + "digest/").then().statusCode(400).body("$", hasKey("cursor"));
        anonymous().get(CHANGES + "digest/?cursor=2020-01-01").then().statusCode(400).body("$", hasKey("cursor"));
        page(anonymous(), "?block=0");
        assertEquals(List.of(), changes(page(anonymous(), "?block=1")));
    }

    @Test
    void itemsHaveTheSameFeed() {
        Response response = anonymous().get(STAC);
        response.then().statusCode(200).body("changes.item.id", equalTo(List.of("1", "2")))
                .body("changes[0].item.properties", hasKey("created"))
                .body("changes[0].item.collection", equalTo("datasets"));
        String since = new JsonObject(response.asString()).getString("next");
        admin().delete(Listing.PATH + "2/").then().statusCode(204);
        catalogue.fold();
        anonymous().get(STAC + "?since=" + since).then().statusCode(200).body("changes.id", equalTo(List.of("2")))
                .body("changes.change", equalTo(List.of("gone")));
        anonymous().get(STAC + "?filter=title='one'").then().statusCode(200)
                .body("changes.item.id", equalTo(List.of("1")));
        anonymous().get(STAC + "?unknown=1").then().statusCode(400);
        anonymous().get("/stac").then().body("links.rel", hasItem("changes"));
        anonymous().get("/stac").then().body("links.find { it.rel == 'changes' }.href", not(containsString("?")));
    }

    @Test
    void aSqlStatementThatChangesManyDatasetsNamesAll() {
        Copy copy = copyOf(anonymous(), "");
        // No filter and no order compares the key.
        catalogue.sql("update dataset set thumbnail_key = 'another.jpg', version = version + 1");
        catalogue.fold();
        assertEquals(List.of("put 1", "put 2"), changes(page(anonymous(), "?since=" + copy.since)));
    }

    /** The program in the document, as it is. */
    @Test
    void theProgramOfTheDocumentKeepsACopy() throws IOException {
        Requirement.require(Program.find("python3") != null, "python3");
        String document = Files.readString(java.nio.file.Path.of("docs/api.md"));
        String program = document.replaceFirst("(?s).*```python\n(import hashlib.*?)```.*", "$1");
        assertTrue(program.lines().filter(line -> !line.isBlank()).count() <= 25);
        Process copying = new ProcessBuilder("python3", "-c", program, changes.toString().replaceFirst("/api/.*", ""))
                .redirectErrorStream(true).start();
        try (BufferedReader output = copying.inputReader()) {
            assertEquals("2 datasets, equal: True", output.readLine());
            admin().delete(Listing.PATH + "2/").then().statusCode(204);
            assertEquals("1 datasets, equal: True", output.readLine());
            owner.patch(Listing.PATH + "3/", "{\"is_private\": false}").then().statusCode(200);
            assertEquals("2 datasets, equal: True", output.readLine());
        } finally {
            copying.destroyForcibly();
        }
    }

    @Test
    void aTruncatedTableIsGone() {
        Copy copy = copyOf(anonymous(), "");
        catalogue.sql("truncate dataset");
        copy.follow(100);
        assertEquals("[]", copy.revisions.keySet().toString());
        assertEquals(0, copy.resets);
    }
}
