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
 * Folds: merges the pending changes into the ranks at intervals, so that pages have few pending changes to read. Pages
 * are exact without it. One instance folds at a time.
 */
@Singleton
class RankFolder {

    private static final Logger LOG = Logger.getLogger(RankFolder.class);

    /** Deleted pending changes that pages still step over. */
    private static final long WORTH_A_VACUUM = 2000;

    /** A pause is at least so many times as long as the fold before it. */
    private static final int PAUSES = 2;

    private final Pool pool;
    private final Vertx vertx;
    private final long interval;
    /**
     * Changes deleted since the last vacuum; used by one event loop. At the start it is high, because an instance
     * before may have been stopped before its vacuum.
     */
    private long deleted = WORTH_A_VACUUM;

    RankFolder(Pool pool, Vertx vertx, DatabaseConfig config) {
        this.pool = pool;
        this.vertx = vertx;
        interval = config.foldInterval().toMillis();
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        foldIn(interval);
    }

    private void foldIn(long delay) {
        vertx.setTimer(delay, timer -> {
            long started = System.nanoTime();
            Connections.with(pool, this::fold).onFailure().invoke(e -> LOG.debug("The fold failed", e))
                    .onItemOrFailure().invoke((done, e) -> foldIn(pause(System.nanoTime() - started)))
                    .subscribe().with(done -> {
                    }, e -> {
                        // The failure is logged above.
                    });
        });
    }

    /** An import adds pending changes all the time, and needs the database more than pages need a fold. */
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
        // The pool sets enable_sort=off for pages. With sorting, a fold takes a third of the time. A fold has no time
        // limit.
        return execute(connection, "begin isolation level repeatable read; set local enable_sort = on;"
                + " set local statement_timeout = 0")
                // The first query takes the snapshot, so the lock comes before it.
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
