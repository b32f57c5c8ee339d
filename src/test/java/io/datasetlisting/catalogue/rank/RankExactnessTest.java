package io.datasetlisting.catalogue.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.mutiny.sqlclient.Pool;

/**
 * Tests that pages that are read by rank equal pages of plain SQL during writes, folds, rebuilds and killed folds.
 * {@code CombinationTest} compares pages of filters.
 */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(LowLimits.class)
class RankExactnessTest {

    private static final Logger LOG = Logger.getLogger(RankExactnessTest.class);

    private static final int DATASETS = RandomTests.times(10_000, 20_000);
    private static final int COMPARISONS = RandomTests.times(600, 5_000);
    private static final int PAGES_OF_A_SNAPSHOT = RandomTests.times(20, 60);
    private static final int ORDERINGS_OF_A_TURN = 2;
    private static final int READERS = 2;

    @Inject
    Catalogue catalogue;
    @Inject
    Pool pool;

    @TestHTTPResource("/")
    URI root;

    private final AtomicInteger comparisons = new AtomicInteger();
    private final AtomicInteger rebuilt = new AtomicInteger();
    private int turns;
    private volatile boolean failed;

    @Test
    void pagesAndCountsEqualPlainSqlDuringWrites() {
        List<Dataset> datasets = Catalogue.generated(DATASETS);
        catalogue.replaceWith(datasets);
        List<Long> ids = datasets.stream().map(dataset -> dataset.id).toList();
        Api admin = new Api(root.toString().replaceAll("/$", ""), "test-admin-token");
        long seed = RandomTests.seed();
        new RankWriter(admin, pool, seed, ids).importMany(2_000);
        long folded = folded();

        List<Runnable> tasks = new ArrayList<>();
        for (int i = 1; i <= READERS; i++) {
            RankComparison comparison = new RankComparison(pool, seed + i);
            tasks.add(() -> comparisons.addAndGet(comparison.some(ORDERINGS_OF_A_TURN, PAGES_OF_A_SNAPSHOT)));
        }
        RankWriter writer = new RankWriter(admin, pool, seed, ids);
        tasks.add(writer::writeOne);
        RankWriter other = new RankWriter(admin, pool, ~seed, ids);
        tasks.add(() -> writeOther(other));
        run(tasks);

        LOG.infof("%d comparisons, %d rebuilds, %d folds, seed %d", comparisons.get(), rebuilt.get(),
                folded() - folded, seed);
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
        catalogue.awaitThat("not exists (select from listing_change)");
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
        new RankComparison(pool, seed).all(PAGES_OF_A_SNAPSHOT);
    }

    private long folded() {
        return catalogue.sql("select sum(folded) from rank").get(0).getLong(0);
    }

    /** Sends one of the rarer writes: an import, a rebuild or an SQL statement. */
    private void writeOther(RankWriter writer) {
        turns++;
        if (turns % 6 == 0) {
            writer.importMany(100 + turns * 50 % 1_000);
        } else if (turns % 17 == 2) {
            writer.rebuild();
            rebuilt.incrementAndGet();
        } else if (turns % 5 == 1) {
            writer.foldABacklog();
        } else {
            writer.execute();
        }
        writer.rest();
        if (turns % 3 == 0) {
            writer.killTheFold();
        }
    }

    /** Repeats all tasks until enough pages are compared or a task fails. */
    private void run(List<Runnable> tasks) {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            CompletableFuture.allOf(tasks.stream().map(work -> CompletableFuture.runAsync(() -> {
                while (!over()) {
                    work.run();
                }
            }, threads).whenComplete((done, failure) -> failed |= failure != null))
                    .toArray(CompletableFuture[]::new)).join();
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean over() {
        return failed || comparisons.get() >= COMPARISONS && rebuilt.get() > 0;
    }
}
