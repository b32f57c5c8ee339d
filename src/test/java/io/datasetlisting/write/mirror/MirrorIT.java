package io.datasetlisting.write.mirror;

import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpServer;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RandomWriters;
import io.datasetlisting.support.ServiceProcess;
import io.datasetlisting.support.TestProvider;
import io.vertx.core.json.JsonObject;

/** Tests that a mirror becomes equal to its origin, whatever is killed meanwhile. */
class MirrorIT extends Regions {

    private static final Duration WRITING = Duration.ofMillis(1500);

    @Test
    void mirrorsAreEqualAfterKills() throws Exception {
        long seed = RandomTests.seed();
        ServiceProcess origin = start(originDatabase);
        try (PostgresServer steadyDatabase = new PostgresServer()) {
            startMirror(steadyDatabase, origin);
            killAndCompare(origin, steadyDatabase, seed);
        }
    }

    /** The steady mirror is never killed, the other one several times. */
    private void killAndCompare(ServiceProcess origin, PostgresServer steadyDatabase, long seed) throws Exception {
        ServiceProcess mirror = startMirror(origin);
        for (int round = 0; round < 4; round++) {
            RandomWriters writers = RandomWriters.start(originDatabase, List.of(0L), seed + 100 * round);
            Patience.pause(WRITING);
            switch (round) {
                case 0 -> {
                    for (int i = 0; i < 3; i++) {
                        mirror.kill();
                        mirror = startMirror(origin);
                        mirror.url();
                    }
                }
                case 1 -> {
                    originDatabase.kill();
                    originDatabase.start();
                }
                case 2 -> {
                    mirrorDatabase.kill();
                    mirrorDatabase.start();
                }
                default -> {
                    // Nothing is killed.
                }
            }
            Patience.pause(WRITING);
            writers.end();
            awaitEqual("seed " + seed + ", round " + round);
            awaitEqual(steadyDatabase, "the steady mirror, seed " + seed + ", round " + round);
            assertEquals("0", query(mirrorDatabase, "select count(*) from wrong_ranks()"));
        }
        assertEquals(0, ServiceProcess.health(mirror.url()));
    }

    /** The feed of an admin names such datasets twice, and more of them than a page has. */
    @Test
    void aMirrorRepairsDatasetsThatTwoAudiencesHaveSeen() throws Exception {
        ServiceProcess origin = start(originDatabase);
        // Waits for the migrations.
        origin.url();
        originDatabase.execute("insert into dataset (owner_id, owner_name, workspace, category, coordinates)"
                + " select id, username, 1, '{Forest}', '{1,2}' from account cross join generate_series(1, 150) where id = 0");
        awaitRows("hash is not null and audience = -1");
        originDatabase.execute("update dataset set is_private = true, version = version + 1");
        awaitRows("hash is null and audience = -1");
        String folded = query(originDatabase, "select max(folded) from dataset_change");
        originDatabase.execute("update dataset set dataset_name = 'again', version = version + 1");
        awaitRows("folded > " + folded);
        startMirror(origin);
        awaitEqual("copy");
        spoilMirror("update dataset set dataset_name = 'broken', version = 99");
        awaitEqual("repaired");
    }

    private void awaitRows(String condition) {
        Patience.await(condition).until(() -> query(originDatabase, "select count(*) from dataset_change where "
                + condition).equals("150"));
    }

    @Test
    void aMirrorRepairsWhatDiffersAndTakesNoWrites() throws Exception {
        ServiceProcess origin = start(originDatabase);
        Api api = new Api(origin.url().toString(), Caller.admin().key());
        for (int i = 0; i < 3; i++) {
            Api.json(201, api.call("POST", "/api/dataset/", new JsonObject().put("dataset_name", "d" + i)
                    .put("coordinates", List.of(1, 2))));
        }
        ServiceProcess mirror = startMirror(origin);
        awaitEqual("first copy");
        // At once: a repair that runs beside the second statement would give its dataset the version of the origin again.
        spoilMirror("delete from dataset where dataset_name = 'd0';"
                + " update dataset set dataset_name = 'broken', version = 99 where dataset_name = 'd1'; " + INSERT);
        awaitEqual("repaired");
        Api atMirror = new Api(mirror.url().toString(), Caller.admin().key());
        assertEquals(3, atMirror.json("/api/dataset/").getInteger("count"));
        for (String path : List.of("/api/dataset/", "/api/account/", "/api/account/0/handover/",
                "/api/account/7/erase/",
                "/api/dataset/1/erase/", "/stac/collections/datasets/items")) {
            JsonObject refused = Api.json(403, atMirror.call("POST", path, new JsonObject().put("username", "new")));
            assertTrue(refused.getString("detail").contains(origin.url().toString()), refused::encode);
        }
        assertTrue(metric(atMirror, "dataset_follow_lag_seconds") < PATIENCE.toSeconds());
        assertTrue(metric(atMirror, "dataset_follow_blocks_repaired_total") > 0);
        // The origin takes a write while the mirror is away, and forgets its position.
        mirror.kill();
        api.call("DELETE", "/api/dataset/" + query(originDatabase, "select min(id) from dataset") + "/", null);
        originDatabase.execute("update listing_epoch set id = gen_random_uuid()");
        startMirror(origin);
        awaitEqual("copied again");
        assertEquals("2", query(mirrorDatabase, "select count(*) from dataset where not is_deleted"));
    }

    /** A row of the table in operations.md: the mirror follows with a token that a subject of a provider has made. */
    @Test
    void aMirrorHasWhatTheSubjectOfItsTokenSees() throws Exception {
        TestProvider provider = new TestProvider();
        try {
            ServiceProcess origin = start(originDatabase, provider.start().entrySet().stream()
                    .map(each -> "-D" + each.getKey() + '=' + each.getValue()).toArray(String[]::new));
            Api admin = new Api(origin.url().toString(), Caller.admin().key());
            Api.json(201, admin.call("POST", "/api/dataset/", dataset("public")));
            Api.json(201, admin.call("POST", "/api/dataset/", dataset("private").put("is_private", true)));
            String bearer = TestProvider.token("subject", claims -> claims.put("realm_access",
                    new JsonObject().put("roles", List.of("dataset-admin"))));
            JsonObject token = Api.json(201, admin.with(null).call("POST", "/api/token/",
                    new JsonObject().put("right", "admin"), "Authorization", "Bearer " + bearer));
            ServiceProcess mirror = start(mirrorDatabase, "-Ddataset.follow.url=" + origin.url(),
                    "-Ddataset.follow.token=" + token.getString("key"), "-Ddataset.follow.digest-interval=PT2S");
            awaitEqual("copy");
            JsonObject link = new JsonObject().put("subject", "subject").put("user", token.getLong("user"));
            long identity = Api.json(201, admin.call("POST", "/api/identity/", link.copy().put("right", "reader")))
                    .getLong("id");
            awaitNames("public");
            Api.json(201, admin.call("POST", "/api/identity/", link.copy().put("right", "admin")));
            awaitNames("private public");

            admin.call("DELETE", "/api/identity/" + identity + '/', null);
            Patience.await("the token is refused")
                    .until(() -> admin.with(token.getString("key")).get("/api/dataset/").statusCode() == 401);
            Api.json(201, admin.call("POST", "/api/dataset/", dataset("later")));
            Api copy = new Api(mirror.url().toString(), null);
            Patience.await("the mirror is behind").until(() -> metric(copy, "dataset_follow_lag_seconds") > 4);
            assertEquals("private public", names(mirrorDatabase));
            assertEquals(1, copy.json("/api/dataset/").getInteger("count"));
            assertEquals(0, ServiceProcess.health(mirror.url()));
            Api.json(201, admin.call("POST", "/api/identity/", link.copy().put("right", "admin")));
            awaitNames("later private public");
        } finally {
            provider.stop();
        }
    }

    private void awaitNames(String names) {
        Patience.await(names).atMost(PATIENCE).until(() -> names(mirrorDatabase).equals(names));
    }

    /** As the manual says: without the address of the origin, the mirror takes writes. */
    @Test
    void aMirrorReplacesALostOrigin() throws Exception {
        ServiceProcess origin = start(originDatabase);
        Api api = new Api(origin.url().toString(), Caller.admin().key());
        JsonObject dataset = new JsonObject().put("dataset_name", "of the origin").put("coordinates", List.of(1, 2));
        Api.json(201, api.call("POST", "/api/dataset/", dataset));
        ServiceProcess mirror = startMirror(origin);
        awaitEqual("copy");
        Copy copy = Copy.of(api, "");
        copy.awaitEqual();
        origin.kill();
        mirror.kill();
        // The copy is complete without the origin.
        mirror = startMirror(origin);
        assertEquals(0, ServiceProcess.health(mirror.url()));
        mirror.kill();
        ServiceProcess promoted = start(mirrorDatabase);
        Api replacement = new Api(promoted.url().toString(), Caller.admin().key());
        Api.json(201, replacement.call("POST", "/api/dataset/", dataset.put("dataset_name", "of the mirror")));
        // Its clients begin again.
        copy.moveTo(replacement);
        Patience.await("both datasets").until(() -> {
            copy.awaitEqual();
            return copy.revisions.size() == 2;
        });
        assertEquals(1, copy.resets);
        // The former origin has a dataset that its own origin does not have.
        originDatabase.execute(INSERT);
        ServiceProcess former = start(originDatabase, "-Ddataset.follow.url=" + promoted.url(),
                "-Ddataset.follow.token=" + Caller.admin().key(),
                "-Ddataset.follow.replace=" + query(originDatabase, "select id from catalogue"));
        Patience.await("ready").atMost(PATIENCE).until(() -> ServiceProcess.health(former.url()) == 0);
        assertEquals(query(mirrorDatabase, STATE), query(originDatabase, STATE));
    }

    /** An origin that sends the mirror elsewhere, answers without an end, or knows no position. */
    @Test
    void aMirrorIsSafeFromItsOrigin() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        AtomicInteger redirected = new AtomicInteger();
        AtomicReference<String> mode = new AtomicReference<>("redirect");
        HttpServer origin = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        origin.setExecutor(Executors.newCachedThreadPool());
        origin.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                switch (mode.get()) {
                    case "redirect" -> {
                        exchange.getResponseHeaders().add("Location", "/elsewhere");
                        exchange.sendResponseHeaders(302, -1);
                    }
                    case "endless" -> {
                        exchange.sendResponseHeaders(200, 0);
                        byte[] part = "[".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
                        for (int i = 0; i < 1000; i++) {
                            exchange.getResponseBody().write(part);
                        }
                    }
                    default -> exchange.sendResponseHeaders(410, -1);
                }
            }
        });
        origin.createContext("/elsewhere", exchange -> {
            redirected.incrementAndGet();
            exchange.close();
        });
        origin.start();
        ServiceProcess mirror = start(mirrorDatabase,
                "-Ddataset.follow.url=http://127.0.0.1:" + origin.getAddress().getPort());
        Api api = new Api(mirror.url().toString(), Caller.admin().key());
        for (String next : List.of("redirect", "endless", "gone")) {
            mode.set(next);
            int before = requests.get();
            Patience.await(next).atMost(PATIENCE).until(() -> requests.get() > before + 1);
            assertEquals(200, api.get("/q/health/live").statusCode());
        }
        assertEquals(0, redirected.get());
        assertTrue(requests.get() < 30, requests::toString);
        assertFalse(mirror.log().contains("OutOfMemoryError"), mirror::log);
        origin.stop(0);
    }
}
