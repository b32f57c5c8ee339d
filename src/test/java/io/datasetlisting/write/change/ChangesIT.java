package io.datasetlisting.write.change;

import static io.datasetlisting.support.Metrics.awaitMetric;
import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.LongPolls;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RandomWriters;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/**
 * Tests that copies of three audiences become equal to their listings, whatever is killed meanwhile. The system property
 * {@code test.kills} is the number of kills.
 */
class ChangesIT {

    private static final int POLLS = 10_000;
    /** The default of {@code dataset.changes.max-listeners-per-client}: a third of what callers without a token may have. */
    private static final int LISTENERS_OF_A_CLIENT = 500;
    private static final String DATASET = "{\"category\": [\"Forest\"], \"coordinates\": [1, 2]}";
    private static final int KILLS = Integer.getInteger("test.kills", 2);
    private static final Duration WRITING = Duration.ofMillis(1500);
    private static final List<String> FILTERS = List.of("", "category=Forest", "captured_after=2020-01-02");

    private PostgresServer database;
    private ServiceProcess service;

    @BeforeEach
    void start() throws IOException {
        database = new PostgresServer();
        service = startService();
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
        database.close();
    }

    private ServiceProcess startService() throws IOException {
        return ServiceProcess.start(database.port() + "/postgres", "-Ddataset.admin-token=" + Caller.admin().key());
    }

    private Api api(String token) {
        return new Api(service.url().toString(), token);
    }

    @Test
    void copiesOfThreeAudiencesAreEqualAfterKills() throws Exception {
        long seed = RandomTests.seed();
        Api admin = api(Caller.admin().key());
        Api.Account account = admin.account("owner");
        String owner = admin.as(account, "reader").token();
        List<Audience> audiences = new ArrayList<>();
        for (String token : new String[]{null, owner, admin.token()}) {
            FILTERS.forEach(filter -> audiences.add(new Audience(token, filter, Copy.of(api(token), filter))));
        }
        List<Long> owners = List.of(0L, account.id());
        for (int kill = 0; kill < KILLS; kill++) {
            AtomicBoolean ended = new AtomicBoolean();
            CompletableFuture<Void> following = CompletableFuture.runAsync(() -> follow(audiences, ended));
            RandomWriters writers = RandomWriters.start(database, owners, seed + 100L * kill);
            Patience.pause(WRITING);
            replaceAll();
            if (kill % 2 == 0) {
                service.kill();
                service = startService();
            } else {
                database.kill();
                database.start();
                writers.end();
                writers = RandomWriters.start(database, owners, seed + 100L * kill + 50);
            }
            service.url();
            Patience.pause(WRITING);
            writers.end();
            ended.set(true);
            following.join();
            for (Audience audience : audiences) {
                assertEqual(audience, "kill " + kill + ", seed " + seed);
            }
        }
        assertTrue(query("select id::text, '' from wrong_ranks()").isEmpty());
    }

    /** One has written, one has a snapshot, one is prepared, and one is in another database. They stay open meanwhile. */
    @Test
    void openTransactionsOfOtherProgramsDelayNothing() throws SQLException, IOException {
        Api admin = api(Caller.admin().key());
        Copy copy = Copy.of(admin, "");
        copy.follow(1000);
        database.execute("create table unrelated (id int)");
        database.execute("create database other");
        database.execute("begin; insert into unrelated values (1); prepare transaction 'prepared'");
        try (Connection writing = database.connect();
                Connection reading = database.connect();
                Connection other = database.connect("other")) {
            writing.createStatement().execute("begin; insert into unrelated values (2); select txid_current()");
            reading.createStatement().execute("begin isolation level repeatable read; select count(*) from dataset");
            other.createStatement().execute("begin; create temporary table mine (id int)");
            for (int i = 1; i <= 3; i++) {
                assertEquals(201, admin.call("POST", Listing.PATH, DATASET, "Content-Type", Caller.JSON).statusCode());
                copy.step(1000, 60);
                assertEquals(i, copy.revisions.size());
            }
        } finally {
            database.execute("rollback prepared 'prepared'");
        }
    }

    /** Clients of four addresses wait more often than they may. The places of callers with a token stay free. */
    @Test
    void tenThousandLongPollsHaveABound() throws IOException {
        Api admin = api(Caller.admin().key());
        Copy copy = Copy.of(api(null), "");
        copy.follow(1000);
        List<LongPolls> clients = new ArrayList<>();
        try {
            for (int i = 1; i <= 4; i++) {
                LongPolls polls = new LongPolls(service.url(), Copy.CHANGES + "?wait=60&since=" + copy.since, POLLS / 4,
                        "127.0.0." + i, null);
                clients.add(polls);
                boolean isLast = i == 4;
                Patience.await("each long poll waits or is refused").until(() -> {
                    polls.read();
                    return polls.answered(429) + polls.answered(503) == POLLS / 4
                            - (isLast ? 0 : LISTENERS_OF_A_CLIENT);
                });
                // On a busy machine a page may meet the time limit while thousands of requests arrive. Long polls wait longer
                // than this.
                Patience.await("a page while clients wait").atMost(Duration.ofSeconds(30))
                        .until(() -> admin.get(Listing.PATH).statusCode() == 200);
                if (i != 3) {
                    // The third client takes the last place of callers without a token.
                    assertEquals(isLast ? POLLS / 4 : 0, polls.answered(503));
                }
            }
            assertEquals(3 * LISTENERS_OF_A_CLIENT, metric(admin, "dataset_changes_listeners"));
            Copy mirror = Copy.of(admin, "");
            mirror.follow(1000);
            assertEquals(200, admin.get(Copy.CHANGES + "?wait=1&since=" + mirror.since).statusCode());
            assertEquals(201, admin.call("POST", Listing.PATH, DATASET, "Content-Type", Caller.JSON).statusCode());
            Patience.await("each long poll is answered").until(() -> {
                for (LongPolls polls : clients) {
                    polls.read();
                }
                return clients.stream().mapToInt(polls -> polls.answered(200)).sum() == 3 * LISTENERS_OF_A_CLIENT;
            });
        } finally {
            for (LongPolls polls : clients) {
                polls.close();
            }
        }
        awaitMetric(admin, "dataset_changes_listeners", 0);
    }

    @Test
    void anAccountHasABoundWhateverItsAddressesAre() throws IOException {
        Api admin = api(Caller.admin().key());
        Api.Account account = admin.account("ada");
        Api ada = admin.as(account, "reader");
        Copy copy = Copy.of(ada, "");
        copy.follow(1000);
        String path = Copy.CHANGES + "?wait=60&since=" + copy.since;
        try (LongPolls first = new LongPolls(service.url(), path, LISTENERS_OF_A_CLIENT - 100, "127.0.0.1",
                ada.token());
                LongPolls second = new LongPolls(service.url(), path, 200, "127.0.0.2", ada.token())) {
            Patience.await("a hundred are refused").until(() -> {
                first.read();
                second.read();
                return first.answered(429) + second.answered(429) == 100
                        && metric(admin, "dataset_changes_listeners") == LISTENERS_OF_A_CLIENT;
            });
            assertEquals(429, ada.get(path).statusCode());
            Copy other = Copy.of(admin, "");
            other.follow(1000);
            assertEquals(200, admin.get(Copy.CHANGES + "?wait=1&since=" + other.since).statusCode());
        }
        awaitMetric(admin, "dataset_changes_listeners", 0);
    }

    /** Without it a stop takes the whole shutdown timeout, and clients lose their answer. */
    @Test
    void aStopAnswersClientsThatWait() throws Exception {
        Api admin = api(Caller.admin().key());
        Copy copy = Copy.of(admin, "");
        copy.follow(1000);
        HttpClient client = HttpClient.newHttpClient();
        URI feed = service.url().resolve(Copy.CHANGES + "?wait=60&since=" + copy.since);
        HttpRequest.Builder request = HttpRequest.newBuilder(feed).header("Authorization",
                "Token " + Caller.admin().key());
        CompletableFuture<HttpResponse<String>> poll = client.sendAsync(request.build(),
                HttpResponse.BodyHandlers.ofString());
        CompletableFuture<HttpResponse<String>> events = client
                .sendAsync(request.copy().header("Accept", "text/event-stream").build(),
                        HttpResponse.BodyHandlers.ofString());
        awaitMetric(admin, "dataset_changes_listeners", 2);
        long start = System.nanoTime();
        service.stop();
        assertEquals(200, poll.get(15, TimeUnit.SECONDS).statusCode());
        JsonObject nothing = new JsonObject(poll.get().body());
        assertTrue(nothing.getJsonArray("changes").isEmpty());
        assertTrue(nothing.getString("next").length() > 1);
        assertEquals("close", poll.get().headers().firstValue("Connection").orElse(""));
        assertTrue(events.get(15, TimeUnit.SECONDS).body().endsWith("retry: 2000\n\n"), events.get()::body);
        assertEquals(143, service.awaitExit(), service::log);
        // The shutdown timeout has 20 s.
        assertTrue(Duration.ofNanos(System.nanoTime() - start).toSeconds() < 18);
    }

    /** A copy of a filter, as one caller sees it. */
    private record Audience(String token, String filter, Copy copy) {
    }

    /** Reads small pages in turn. A service that is away is asked again. */
    private void follow(List<Audience> audiences, AtomicBoolean ended) {
        while (!ended.get()) {
            audiences.forEach(audience -> {
                audience.copy.moveTo(api(audience.token));
                audience.copy.step(1 + ThreadLocalRandom.current().nextInt(100), 0);
            });
        }
    }

    /** Imports what an export contains. Writers change the same datasets, so that the import may refuse some lines. */
    private void replaceAll() {
        Api admin = api(Caller.admin().key());
        String lines = admin.get(Listing.PATH + "?format=ndjson").body();
        HttpResponse<String> imported = admin.call("POST", Listing.PATH, lines, "Content-Type", Bulk.NDJSON);
        assertEquals(200, imported.statusCode(), imported::body);
    }

    private void assertEqual(Audience audience, String name) {
        audience.copy.moveTo(api(audience.token));
        audience.copy.awaitEqual();
        Map<Long, String> listed = new TreeMap<>();
        Map<Long, String> revisions = query("""
                select id, version || '-' || (extract(epoch from updated_at) * 1000000)::bigint from dataset
                where not is_deleted and coordinates is not null""");
        api(audience.token).get(Listing.PATH + "?format=ndjson&" + audience.filter).body().lines()
                .map(line -> new JsonObject(line).getLong("id"))
                // The export of an admin has deleted datasets, too.
                .filter(revisions::containsKey).forEach(id -> listed.put(id, revisions.get(id)));
        assertEquals(listed, audience.copy.revisions, name + ": " + audience.filter);
    }

    private Map<Long, String> query(String sql) {
        Map<Long, String> result = new TreeMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                result.put(rows.getLong(1), rows.getString(2));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return result;
    }
}
