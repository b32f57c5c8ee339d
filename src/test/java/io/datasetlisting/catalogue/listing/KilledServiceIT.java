package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.catalogue.rank.RankComparison;
import io.datasetlisting.catalogue.rank.RankWriter;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.PlainCounts;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.ServiceProcess;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.pgclient.PgBuilder;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests that the ranks are correct after the packaged service is killed during writes and folds. */
class KilledServiceIT {

    private static final int ROUNDS = 3;
    private static final int PAGES = 10;
    /** Of each comparison, at random. */
    private static final int ORDERINGS = 8;
    private static final int IMPORTED = 1_000;
    private static final double MOST_SECONDS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static EmbeddedPostgres postgres;
    private static Vertx vertx;
    private static Pool pool;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
        Flyway.configure().dataSource(postgres.getPostgresDatabase()).load().migrate();
        vertx = Vertx.vertx();
        pool = PgBuilder.pool().with(new PoolOptions().setMaxSize(4))
                .connectingTo(new PgConnectOptions().setHost("127.0.0.1").setPort(postgres.getPort())
                        .setDatabase("postgres").setUser("postgres").setPassword("postgres"))
                .using(vertx).build();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        await(pool.close());
        await(vertx.close());
        postgres.close();
    }

    @Test
    void ranksAreCorrectAfterTheServiceIsKilled() throws Exception {
        long seed = RandomTests.seed();
        Random random = new Random(seed);
        RankComparison comparison = new RankComparison(pool, seed);
        List<Long> ids = LongStream.rangeClosed(1, 6_000).boxed().toList();
        for (int round = 0; round < ROUNDS; round++) {
            try (ServiceProcess service = start()) {
                compareCounts(service);
                RankWriter importer = new RankWriter(api(service), pool, seed + round, ids);
                importer.importMany(IMPORTED);
                CompletableFuture<Void> imports = untilKilled(() -> importer.importMany(IMPORTED));
                RankWriter writer = new RankWriter(api(service), pool, ~(seed + round), ids);
                CompletableFuture<Void> writes = untilKilled(writer::writeOne);
                await(pool.query("select pg_sleep(" + random.nextDouble() * MOST_SECONDS + ")").execute());
                service.kill();
                assertRanksAreCorrect(comparison);
                CompletableFuture.allOf(imports, writes).join();
            }
        }
        try (ServiceProcess service = start()) {
            compareCounts(service);
            awaitFolded();
            assertRanksAreCorrect(comparison);
            compareCounts(service);
        }
    }

    /** Every page would read the dead rows. */
    @Test
    void deadRowsOfPendingChangesAreRemovedAtTheNextStart() throws Exception {
        await(pool.query("""
                alter table listing_change set (autovacuum_enabled = false);
                insert into listing_change (change, id, uav_uid, owner_name, workspace, dataset_name, captured_date,
                    is_private, is_shareable, cant_orthomosaic, is_dem_processing, cumulative_adjustment,
                    latest_adjustment_status)
                select 0, id, gen_random_uuid(), '', 0, '', now(), false, false, false, false, 0, ''
                from generate_series(1, 5000) id;
                delete from listing_change""").execute());
        await("(select n_dead_tup >= 5000 from pg_stat_user_tables where relname = 'listing_change')");
        try (ServiceProcess service = start()) {
            service.url();
            await("(select n_dead_tup = 0 from pg_stat_user_tables where relname = 'listing_change')");
        } finally {
            await(pool.query("alter table listing_change reset (autovacuum_enabled)").execute());
        }
    }

    private static ServiceProcess start() throws IOException {
        return ServiceProcess.start(postgres.getPort() + "/postgres", "-Ddataset.admin-token=" + Caller.admin().key(),
                "-Ddataset.database.fold-interval=PT0.2S");
    }

    private static Api api(ServiceProcess service) {
        return new Api(service.url().toString(), Caller.admin().key());
    }

    private static void compareCounts(ServiceProcess service) throws SQLException {
        Api admin = api(service);
        PlainCounts.compare(PlainCounts.Database.of(postgres.getPort(), "postgres"), admin.with(null), admin);
    }

    private static CompletableFuture<Void> untilKilled(Runnable write) {
        return CompletableFuture.runAsync(() -> {
            try {
                while (true) {
                    write.run();
                }
            } catch (CompletionException killed) {
                assertInstanceOf(IOException.class, killed.getCause());
            }
        });
    }

    private static void assertRanksAreCorrect(RankComparison comparison) {
        assertEquals(0, await(pool.query("select * from wrong_ranks()").execute()).size());
        comparison.some(ORDERINGS, PAGES);
    }

    private static void awaitFolded() {
        await("not exists (select from listing_change)");
    }

    /** Polls the database until a condition holds. */
    private static void await(String condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!await(pool.query("select " + condition + " from pg_sleep(0.05)").execute()).iterator().next()
                .getBoolean(0)) {
            assertFalse(System.nanoTime() > deadline, () -> "the condition does not hold: " + condition);
        }
    }

    private static <T> T await(Uni<T> work) {
        return work.await().atMost(PATIENCE);
    }
}
