package io.datasetlisting.rank;

import java.util.concurrent.TimeUnit;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.database.Connections;
import io.datasetlisting.database.DatabaseConfig;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Folds what is noted of changes into the ranks, every now and then, so that readers have few notes to look at. Pages are
 * exact without it, and of several instances one folds at a time.
 */
@Singleton
class RankFolder {

    private static final Logger LOG = Logger.getLogger(RankFolder.class);

    /** Deleted notes that readers still step over. */
    private static final long WORTH_A_VACUUM = 2000;

    /** For each time that folding takes, so many times that nobody folds. */
    private static final int PAUSES = 2;

    private final Pool pool;
    private final Vertx vertx;
    private final long interval;
    /** On one timer's thread. At the start whatever an instance has left behind that was stopped before its vacuum. */
    private long deleted = WORTH_A_VACUUM;

    RankFolder(Pool pool, Vertx vertx, DatabaseConfig config) {
        this.pool = pool;
        this.vertx = vertx;
        interval = config.foldInterval().toMillis();
    }

    /** Behind the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        foldIn(interval);
    }

    private void foldIn(long delay) {
        vertx.setTimer(delay, timer -> {
            long started = System.nanoTime();
            Connections.with(pool, this::fold).onFailure().invoke(e -> LOG.debug("Changes not folded", e))
                    .onItemOrFailure().invoke((done, e) -> foldIn(pause(System.nanoTime() - started)))
                    .subscribe().with(done -> {
                    }, e -> {
                        // It is in the log.
                    });
        });
    }

    /** Beside an import there is no end of notes: it needs the time more than readers of that moment do. */
    private long pause(long nanos) {
        return Math.max(interval, PAUSES * TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    private Uni<Void> fold(SqlConnection connection) {
        return connection.query("select exists (select from listing_change)").execute()
                .chain(rows -> rows.iterator().next().getBoolean(0)
                        ? foldAll(connection)
                        : Uni.createFrom().voidItem())
                .chain(() -> deleted < WORTH_A_VACUUM ? Uni.createFrom().voidItem() : vacuum(connection));
    }

    private Uni<Void> foldAll(SqlConnection connection) {
        // Which the connections of the pages do without: it folds in a third of the time, and all that it takes.
        return execute(connection, "begin isolation level repeatable read; set local enable_sort = on;"
                + " set local statement_timeout = 0")
                // Before the snapshot is taken, that is by the first query.
                .chain(() -> execute(connection, "lock table dataset in access share mode"))
                .chain(() -> connection.query("select fold_listing_changes()").execute())
                .invoke(rows -> deleted += rows.iterator().next().getLong(0))
                .chain(() -> execute(connection, "commit"))
                .onFailure().call(() -> execute(connection, "rollback").onFailure().recoverWithNull());
    }

    private Uni<Void> vacuum(SqlConnection connection) {
        deleted = 0;
        return execute(connection, "vacuum listing_change");
    }

    private static Uni<Void> execute(SqlConnection connection, String sql) {
        return connection.query(sql).execute().replaceWithVoid();
    }
}
