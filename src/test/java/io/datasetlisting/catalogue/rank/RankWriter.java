package io.datasetlisting.catalogue.rank;

import static io.datasetlisting.support.Listing.PATH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Bulk;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Sends random writes that move datasets in some ordering, and ends, repeats and kills folds as other instances do. */
public final class RankWriter {

    /** SQL states of concurrent writes: a duplicate key, a deadlock, a lock that others hold for too long, and two folds. */
    private static final Set<String> EXPECTED_FAILURES = Set.of("23505", "40P01", "55P03", "40001");

    private static final List<String> BEGINNINGS = List.of("", " ", "#", "0", "9", "a", "A", "b", "Fjær", "kar", "m",
            "Orch", "s", "z", "ZZZ", "Ω", "я", "東", "🛰");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Api admin;
    private final Pool pool;
    private final Random random;
    private final List<Long> ids;

    /**
     * @param pool
     *            of the service's database
     * @param ids
     *            of the existing datasets
     */
    public RankWriter(Api admin, Pool pool, long seed, List<Long> ids) {
        this.admin = admin;
        this.pool = pool;
        random = new Random(seed);
        this.ids = ids;
    }

    public void writeOne() {
        long id = ids.get(random.nextInt(ids.size()));
        switch (random.nextInt(4)) {
            case 0 -> expect(Set.of(201), admin.call("POST", PATH, change()
                    .put("coordinates", new JsonArray().add(1).add(2))));
            case 1 -> expect(Set.of(204, 404), admin.call("DELETE", PATH + id + '/', null));
            default -> expect(Set.of(200, 404), admin.call("PATCH", PATH + id + '/', change()));
        }
    }

    private static void expect(Set<Integer> statuses, HttpResponse<String> answer) {
        assertTrue(statuses.contains(answer.statusCode()), () -> answer.statusCode() + ": " + answer.body());
    }

    private JsonObject change() {
        return switch (random.nextInt(5)) {
            case 0 -> new JsonObject().put("is_private", random.nextBoolean());
            case 1 -> new JsonObject().put("is_shareable", random.nextBoolean());
            case 2 -> new JsonObject().put("workspace", random.nextInt(1_000));
            case 3 ->
                new JsonObject().put("captured_date", "%04d-03-04T05:06:07Z".formatted(1 + random.nextInt(9_999)));
            default -> new JsonObject().put("dataset_name", name());
        };
    }

    /** A name that other datasets often have. */
    private String name() {
        return BEGINNINGS.get(random.nextInt(BEGINNINGS.size())) + random.nextInt(20);
    }

    /** Imports public and private datasets, new ones and replacements. */
    public void importMany(int count) {
        long first = ids.get(random.nextInt(ids.size()));
        String name = name();
        Map<Long, UUID> uids = uids(first, count);
        String lines = Bulk.body(LongStream.range(first, first + count).mapToObj(id -> Bulk.line(id)
                .put("uav_uid", uids.computeIfAbsent(id, isNew -> UUID.randomUUID()).toString())
                .put("dataset_name", random.nextInt(4) > 0 ? name : name())
                .put("is_private", random.nextInt(8) == 0)
                .put("workspace", 60 + random.nextInt(20))));
        HttpResponse<String> answer = admin.call("POST", PATH, lines, "Content-Type", Bulk.NDJSON);
        assertEquals(200, answer.statusCode(), answer::body);
        Bulk.Outcome outcome = Bulk.Outcome.of(answer.body());
        // Concurrent writers have changed a uav_uid since this method read it, or have created datasets.
        assertTrue(Set.of("{\"id\":[\"Another dataset has this id.\"]}").containsAll(outcome.refusals().values()),
                outcome::toString);
        assertEquals(count, outcome.created() + outcome.replaced() + outcome.refused());
    }

    private Map<Long, UUID> uids(long first, int count) {
        Map<Long, UUID> uids = new HashMap<>();
        pool.preparedQuery("select id, uav_uid from dataset where id >= $1 and id < $2")
                .execute(Tuple.of(first, first + count)).await().atMost(PATIENCE)
                .forEach(row -> uids.put(row.getLong(0), row.getUUID(1)));
        return uids;
    }

    /** Terminates the connection of a running fold. */
    public void killTheFold() {
        executeOrIgnoreConflict("""
                select pg_terminate_backend(pid) from pg_stat_activity
                where query ~ '^select fold_(listing|part|rank)_changes' and state = 'active'""");
    }

    /** Folds as another instance does when many changes are pending. */
    public void foldABacklog() {
        long decided = await(pool.query("select decided_listing_changes()").execute()).iterator().next().getLong(0);
        String begin = "begin isolation level repeatable read; lock table dataset in access share mode; ";
        executeOrIgnoreConflict(begin + "select fold_part_changes(%d); commit".formatted(decided));
        executeOrIgnoreConflict(begin + "select fold_rank_changes(), pg_sleep(0.3); commit");
    }

    /** Rebuilds the ranks, as an operator may do while the service runs. */
    public void rebuild() {
        executeOrIgnoreConflict("call rebuild_ranks()");
    }

    private void executeOrIgnoreConflict(String statements) {
        await(pool.withConnection(connection -> connection.query(statements).execute().replaceWithVoid()
                .onFailure(e -> e instanceof PgException pg && EXPECTED_FAILURES.contains(pg.getSqlState()))
                .recoverWithUni(() -> connection.query("rollback").execute().replaceWithVoid())));
    }

    private static <T> T await(Uni<T> work) {
        return work.await().atMost(PATIENCE);
    }
}
