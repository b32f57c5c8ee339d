package io.datasetlisting.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import io.datasetlisting.support.RandomWriters;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/**
 * Tests that copies of three audiences become equal to their listings, whatever is killed meanwhile. The system property
 * {@code test.kills} is the number of kills.
 */
class ChangesIT {

    private static final int POLLS = 10_000;
    /** The default of {@code dataset.changes.max-listeners}. */
    private static final int MAX_LISTENERS = 2_000;
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
        long seed = ThreadLocalRandom.current().nextLong();
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

    /** More clients wait than may: the others get 503, and pages are answered. */
    @Test
    void tenThousandLongPollsHaveABound() throws IOException {
        Api admin = api(Caller.admin().key());
        Copy copy = Copy.of(api(null), "");
        copy.follow(1000);
        try (LongPolls polls = new LongPolls(service.url(), Copy.CHANGES + "?wait=60&since=" + copy.since, POLLS)) {
            Patience.await("each long poll waits or is refused").until(() -> {
                polls.read();
                assertEquals(200, admin.get(Listing.PATH).statusCode());
                return polls.answered(503) >= POLLS - MAX_LISTENERS && polls.answered(503) + listeners(admin) == POLLS;
            });
            assertEquals(POLLS, polls.answered(503) + listeners(admin));
            assertEquals(201, admin.call("POST", Listing.PATH, DATASET, "Content-Type", Caller.JSON).statusCode());
            Patience.await("each long poll is answered").until(() -> {
                polls.read();
                return polls.answered(503) + polls.answered(200) == POLLS;
            });
            assertTrue(polls.answered(200) > 0);
        }
        assertEquals(0, listeners(admin));
    }

    private static int listeners(Api api) {
        return (int) Double.parseDouble(api.get("/q/metrics").body().lines()
                .filter(line -> line.startsWith("dataset_changes_listeners ")).findFirst().orElseThrow().split(" ")[1]);
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
