package io.datasetlisting.write.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Metrics;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RandomWriters;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/** Tests that a service never follows an origin over datasets that only its own database has. */
class PromotionIT extends Regions {

    private static final long GAP = 1_000_000;

    private static final Pattern ADVICE = Pattern.compile("set dataset\\.follow\\.replace=([-0-9a-f]{36})");
    private static final Pattern FALLBACK = Pattern.compile("<!-- last writes -->\n\n((?: {4}.*\n|\n)+)");

    private static Api api(ServiceProcess service) {
        return new Api(service.url().toString(), Caller.admin().key());
    }

    private static long create(Api api, String name) {
        return Api.json(201, api.call("POST", "/api/dataset/", dataset(name))).getLong("id");
    }

    private static void patch(Api api, long id, String name) {
        Api.json(200, api.call("PATCH", "/api/dataset/" + id + "/", new JsonObject().put("dataset_name", name)));
    }

    /** The value of dataset.follow.replace that a refused start names. */
    private static String refusal(ServiceProcess service, String reason) throws InterruptedException {
        assertEquals(1, service.awaitExit(), service::log);
        assertFalse(service.log().contains("\tat "), service::log);
        assertTrue(service.log().contains(reason), service::log);
        Matcher advice = ADVICE.matcher(service.log());
        assertTrue(advice.find(), service::log);
        return advice.group(1);
    }

    private static void awaitReady(ServiceProcess service) {
        Patience.await("ready").atMost(PATIENCE).until(() -> ServiceProcess.health(service.url()) == 0);
    }

    private static void awaitStop(ServiceProcess mirror) {
        Patience.await("the mirror stops").atMost(PATIENCE)
                .until(() -> mirror.log().contains("This service follows no more"));
    }

    @Test
    void aDatabaseWithDatasetsIsReplacedOnlyOnceAndOnlyByItsName() throws Exception {
        ServiceProcess owner = start(mirrorDatabase);
        create(api(owner), "a");
        Api.json(201, api(owner).call("POST", "/api/dataset/", dataset("b").put("is_private", true)));
        owner.kill();
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "c");
        String id = refusal(startMirror(origin), "This database has datasets and is no mirror");
        assertEquals("a b", names(mirrorDatabase));
        refusal(startMirror(origin, "-Ddataset.follow.replace=" + originDatabaseId()), "is no mirror");
        ServiceProcess mirror = startMirror(origin, "-Ddataset.follow.replace=" + id);
        awaitReady(mirror);
        awaitEqual("replaced");
        mirror.kill();
        ServiceProcess promoted = start(mirrorDatabase);
        create(api(promoted), "d");
        promoted.kill();
        // The key is left in the configuration.
        String next = refusal(startMirror(origin, "-Ddataset.follow.replace=" + id), "This database was promoted");
        assertNotEquals(id, next);
        assertEquals("c d", names(mirrorDatabase));
    }

    @Test
    void aStartThatFailsForItsPortReplacesNothing() throws Exception {
        ServiceProcess owner = start(mirrorDatabase);
        create(api(owner), "a");
        owner.kill();
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "b");
        String id = query(mirrorDatabase, "select id from catalogue");
        ServiceProcess mirror = startMirror(origin, "-Ddataset.follow.replace=" + id,
                "-Dquarkus.http.port=" + origin.url().getPort());
        assertEquals(1, mirror.awaitExit(), mirror::log);
        assertTrue(mirror.log().contains("The service cannot listen on"), mirror::log);
        assertEquals("a", names(mirrorDatabase));
        assertEquals(id, query(mirrorDatabase, "select id from catalogue"));
    }

    private String originDatabaseId() {
        return query(originDatabase, "select id from catalogue");
    }

    @Test
    void writesSinceAPromotionStayAndHaveNewIds() throws Exception {
        ServiceProcess origin = start(originDatabase);
        long known = create(api(origin), "known");
        Api.Account writer = api(origin).account("writer");
        long private_ = Api
                .json(201, api(origin).as(writer, "writer").call("POST", "/api/dataset/", dataset("of writer")))
                .getLong("id");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        awaitEqual("copy");
        assertEquals("0", query(mirrorDatabase, "select count(*) from mirror_promotion"));
        mirror.kill();
        // A start with another name of the operator is no write of the catalogue.
        mirror = startMirror(origin, "-Ddataset.admin-username=operator");
        awaitReady(mirror);
        assertEquals("0", query(mirrorDatabase, "select count(*) from mirror_promotion"));
        mirror.kill();
        long lost = create(api(origin), "lost");
        ServiceProcess promoted = start(mirrorDatabase);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ids.add(create(api(promoted), "own" + i));
        }
        patch(api(promoted), known, "patched");
        assertTrue(ids.stream().allMatch(id -> id >= private_ + GAP && id != lost), ids::toString);
        assertTrue(ids.get(0) <= private_ + 2 * GAP, ids::toString);
        Api.Account account = api(promoted).account("new");
        assertTrue(account.id() >= writer.id() + GAP && account.workspace() >= writer.workspace() + GAP,
                account::toString);
        promoted.kill();
        refusal(startMirror(origin), "This database was promoted and has writes of its own since");
        assertEquals("of writer own0 own1 own2 own3 own4 own5 own6 own7 patched", names(mirrorDatabase));
    }

    @Test
    void aMirrorStopsWhenAnotherInstanceOfItsDatabaseWrites() throws Exception {
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "a");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        ServiceProcess promoted = start(mirrorDatabase);
        RandomWriters load = RandomWriters.start(originDatabase, List.of(0L), RandomTests.seed());
        Patience.await("the mirror follows").until(() -> Integer.parseInt(query(mirrorDatabase,
                "select count(*) from dataset")) > 1);
        // One after another: a busy machine would refuse some of twenty at once.
        for (int i = 0; i < 20; i++) {
            create(api(promoted), "own" + i);
        }
        awaitStop(mirror);
        load.end();
        create(api(origin), "later");
        assertEquals("20", query(mirrorDatabase, "select count(*) from dataset where dataset_name like 'own%'"));
        assertEquals("0", query(mirrorDatabase, "select count(*) from dataset where dataset_name = 'later'"));
        JsonObject health = api(mirror).json("/q/health/ready");
        assertTrue(health.encode().contains("This database was promoted"), health::encode);
        assertEquals(200, api(mirror).get("/api/dataset/").statusCode());
        assertEquals(403, api(mirror).call("POST", "/api/dataset/", dataset("refused")).statusCode());
        assertEquals(1, mirror.log().split("This service follows no more", -1).length - 1, mirror::log);
    }

    /** A write that the mirror cannot see yet has already promoted the database. */
    @Test
    void aMirrorWritesNothingWhileAFirstWriteRuns() throws Exception {
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "a");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        try (Connection first = mirrorDatabase.connect(); Statement statement = first.createStatement()) {
            first.setAutoCommit(false);
            statement.execute(INSERT);
            create(api(origin), "b");
            Patience.await("the mirror meets the write").atMost(PATIENCE)
                    .until(() -> mirror.log().contains("a write of this service runs"));
            // Another first write waits neither for the first one nor for the mirror.
            mirrorDatabase.execute("set lock_timeout = '1s'; " + INSERT);
            first.commit();
        }
        awaitStop(mirror);
        assertEquals("3", query(mirrorDatabase, "select count(*) from dataset"));
        assertEquals("  a", names(mirrorDatabase));
    }

    /** A write that is rolled back promotes nothing, and statements by hand do. */
    @Test
    void theDatabaseIsPromotedByTheWriteItself() throws Exception {
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "a");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        mirrorDatabase.execute("begin; " + INSERT + "; rollback");
        create(api(origin), "b");
        awaitEqual("follows");
        mirrorDatabase.execute("update dataset set dataset_name = 'by hand' where dataset_name = 'b'");
        awaitStop(mirror);
        assertEquals("a by hand", names(mirrorDatabase));
    }

    @Test
    void anotherAddressOfTheSameOriginIsNoOtherOrigin() throws Exception {
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "a");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        mirror.kill();
        String rows = "select string_agg(xmin::text, ' ') from dataset";
        String before = query(mirrorDatabase, rows);
        ServiceProcess other = start(originDatabase);
        mirror = startMirror(other);
        assertEquals(0, ServiceProcess.health(mirror.url()));
        create(api(other), "b");
        awaitEqual("follows");
        assertTrue(query(mirrorDatabase, rows).startsWith(before));
        assertEquals(other.url().toString(), query(mirrorDatabase, "select origin from mirror_position"));
        mirror.kill();
        other.kill();
        mirror = start(mirrorDatabase, "-Ddataset.follow.url=http://127.0.0.1:9");
        assertEquals(0, ServiceProcess.health(mirror.url()));
        mirror.kill();
        try (PostgresServer anotherDatabase = new PostgresServer()) {
            ServiceProcess another = start(anotherDatabase);
            create(api(another), "c");
            refusal(startMirror(another), "This database is a mirror of another catalogue");
        }
        assertEquals("a b", names(mirrorDatabase));
        ServiceProcess itself = startMirror(originDatabase, origin);
        assertEquals(1, itself.awaitExit(), itself::log);
        assertTrue(itself.log().contains("This service follows itself"), itself::log);
    }

    @Test
    void theLagSurvivesARestart() throws Exception {
        ServiceProcess origin = start(originDatabase);
        create(api(origin), "a");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        assertTrue(lag(mirror) < PATIENCE.toSeconds());
        origin.kill();
        ServiceProcess left = mirror;
        Patience.await("behind").until(() -> lag(left) > 12);
        mirror.kill();
        mirror = startMirror(origin);
        double lag = lag(mirror);
        assertTrue(lag > 12, "lag " + lag);
        assertEquals(0, ServiceProcess.health(mirror.url()));
    }

    private static double lag(ServiceProcess mirror) {
        return Metrics.metric(api(mirror), "dataset_follow_lag_seconds");
    }

    /** The drill of the manual, with its commands: promote, write on both sides, bring in the last writes, fall back. */
    @Test
    void theLastWritesOfALostRegionAreBroughtIn(@TempDir Path folder) throws Exception {
        ServiceProcess origin = start(originDatabase);
        Api old = api(origin);
        long both = create(old, "of both");
        long late = create(old, "late");
        long gone = create(old, "gone");
        ServiceProcess mirror = startMirror(origin);
        awaitReady(mirror);
        awaitEqual("copy");
        // The mirror is cut off, and the old region goes on for a moment.
        mirror.kill();
        create(old, "last");
        patch(old, late, "late patch");
        patch(old, both, "patched in the old region");
        assertEquals(204, old.call("DELETE", "/api/dataset/" + gone + "/", null).statusCode());
        origin.kill();
        ServiceProcess promoted = start(mirrorDatabase);
        Api api = api(promoted);
        create(api, "new");
        patch(api, both, "patched in the new region");
        // The old region comes back, where no client reaches it.
        ServiceProcess back = start(originDatabase);
        Matcher commands = FALLBACK.matcher(Files.readString(Path.of("docs/operations.md")));
        assertTrue(commands.find());
        String output = run(folder, commands.group(1), Map.of("OLD", back.url().toString(), "NEW",
                promoted.url().toString(), "ADMIN", Caller.admin().key(), "NEW_DATABASE",
                "postgresql://postgres:postgres@127.0.0.1:" + mirrorDatabase.port() + "/postgres"));
        assertEquals("last late patch new patched in the new region", names(mirrorDatabase), output);
        assertEquals("1", output.lines().filter(line -> line.startsWith("changed in both regions: "))
                .findFirst().orElse("").replaceAll("\\D", ""), output);
        // The old region follows the new one, and becomes the origin again.
        back.kill();
        String id = refusal(startMirror(originDatabase, promoted), "This database has datasets and is no mirror");
        ServiceProcess follower = startMirror(originDatabase, promoted, "-Ddataset.follow.replace=" + id);
        awaitReady(follower);
        awaitEqual("the old region follows");
        promoted.kill();
        follower.kill();
        ServiceProcess again = start(originDatabase);
        create(api(again), "home");
        ServiceProcess mirrorAgain = startMirror(again, "-Ddataset.follow.replace="
                + refusal(startMirror(again), "This database was promoted"));
        awaitReady(mirrorAgain);
        awaitEqual("as before");
        assertEquals("home last late patch new patched in the new region", names(mirrorDatabase));
    }

    private static String run(Path folder, String commands, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("commands.sh"), "set -eu\n" + commands);
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString()).directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), output);
        return output;
    }
}
