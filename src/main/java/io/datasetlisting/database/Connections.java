package io.datasetlisting.database;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.pgclient.PgConnection;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Takes connections from the connection pools and gives each one back. No other class takes a connection. A caller that cancels while
 * it waits for its connection cannot withdraw the request from the pool or from Hibernate; this class closes the connection that
 * arrives afterwards.
 */
public final class Connections {

    private Connections() {
    }

    /** Runs work on a connection of its own. Work that has begun runs to its end, whether or not the caller still waits. */
    public static <T> Uni<T> with(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return runToEnd(
                cancelled -> pool.withConnection(connection -> unless(cancelled, () -> work.apply(connection))));
    }

    /** The same in a transaction. */
    public static <T> Uni<T> inTransaction(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return runToEnd(
                cancelled -> pool.withTransaction(connection -> unless(cancelled, () -> work.apply(connection))));
    }

    /** The same in a session of Hibernate. */
    public static <T> Uni<T> inSession(Supplier<Uni<T>> work) {
        return runToEnd(cancelled -> Panache.withSession(() -> unless(cancelled, work)));
    }

    /** The same in a session of Hibernate and a transaction. */
    public static <T> Uni<T> inSessionTransaction(Supplier<Uni<T>> work) {
        return runToEnd(cancelled -> Panache.withTransaction(() -> unless(cancelled, work)));
    }

    /**
     * Streams the items of work on a connection of its own. The connection is closed when the stream ends or is cancelled. A cancellation
     * also cancels the running statement. The connection would otherwise keep its snapshot until PostgreSQL has sorted all rows.
     */
    public static <T> Multi<T> stream(ReplicaRouter.Server server, Function<SqlConnection, Multi<T>> work) {
        return Multi.createFrom().resourceFromUni(() -> acquire(server.pool()), work).withFinalizer(
                SqlConnection::close, (connection, failure) -> connection.close(),
                connection -> cancelStatement(connection, server.pages()).chain(connection::close));
    }

    /**
     * Cancels the running statement of a connection. The signal has reached the backend when the result arrives, so it cannot cancel a
     * later statement of the connection. A request of the protocol to cancel would arrive at any time. The connections of pages are always
     * available; in the pool of streams, many cancelled streams would wait for one another.
     */
    private static Uni<Void> cancelStatement(SqlConnection connection, SqlClient others) {
        return others.preparedQuery("select pg_cancel_backend($1)")
                .execute(Tuple.of(PgConnection.cast(connection).processId()))
                .replaceWithVoid().onFailure().recoverWithNull();
    }

    private static Uni<SqlConnection> acquire(Pool pool) {
        return Uni.createFrom().deferred(() -> {
            AtomicBoolean delivered = new AtomicBoolean();
            return Uni.createFrom()
                    .<SqlConnection>emitter(caller -> pool.getConnection().subscribe().with(connection -> {
                        caller.complete(connection);
                        if (!delivered.get()) {
                            connection.closeAndForget();
                        }
                    }, caller::fail)).invoke(() -> delivered.set(true));
        });
    }

    /** Does not pass a cancellation on: a cancellation in the middle of work would leak the connection, or its transaction. */
    private static <T> Uni<T> runToEnd(Function<BooleanSupplier, Uni<T>> work) {
        return Uni.createFrom().emitter(caller -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            caller.onTermination(() -> cancelled.set(true));
            work.apply(cancelled::get).subscribe().with(caller::complete, caller::fail);
        });
    }

    private static <T> Uni<T> unless(BooleanSupplier cancelled, Supplier<Uni<T>> work) {
        return cancelled.getAsBoolean()
                ? Uni.createFrom()
                        .failure(() -> new CancellationException("The caller no longer waits for this result."))
                : work.get();
    }
}
