package io.datasetlisting.dataset;

import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Listing.PATH;
import static io.datasetlisting.support.Listing.client;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;

@QuarkusTest
class IdSequenceTest {

    @Inject
    Catalogue catalogue;

    @Inject
    BulkRepository repository;

    @Inject
    Pool pool;

    /** Two batches at once are the rule in an import; here the one with the lower ids reaches the sequence second. */
    @Test
    @Timeout(30)
    void aBatchThatComesLateDoesNotTakeTheIdsOfAnotherBack() {
        long next = catalogue.sql("select nextval('dataset_id_seq')").get(0).getLong(0) + 1;
        catalogue.replaceWith(dataset(next, d -> {
        }));
        SqlConnection blocker = pool.getConnection().await().indefinitely();
        CompletionStage<?> higher;
        CompletionStage<?> lower;
        try {
            blocker.query("begin; alter sequence dataset_id_seq cache 1").execute().await().indefinitely();
            higher = waiting(1, () -> write(next + 2, next + 101));
            lower = waiting(2, () -> write(next + 1, next + 1));
        } finally {
            // Which ends the transaction, too.
            blocker.close().await().indefinitely();
        }
        higher.toCompletableFuture().join();
        lower.toCompletableFuture().join();

        assertEquals(List.of(), IntStream.range(0, 10).map(i -> create()).filter(status -> status != 201).boxed()
                .toList());
    }

    private CompletionStage<?> write(long first, long last) {
        return repository.write(LongStream.rangeClosed(first, last).mapToObj(id -> dataset(id, d -> {
        })).toList()).subscribeAsCompletionStage();
    }

    /** Starts something, and goes on when so many wait for a lock. */
    private CompletionStage<?> waiting(int count, Supplier<CompletionStage<?>> work) {
        CompletionStage<?> started = work.get();
        while (catalogue.sql("select 1 from pg_locks where not granted").size() < count) {
            Thread.onSpinWait();
        }
        return started;
    }

    private static int create() {
        return client().header("Authorization", "Token test-admin-token").contentType("application/json")
                .body("{\"dataset_name\":\"new\"}").post(PATH).statusCode();
    }
}
