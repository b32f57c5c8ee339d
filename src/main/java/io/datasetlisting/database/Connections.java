package io.datasetlisting.database;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * The only place that takes connections out of a pool, and gives each one back. A caller that cancels while it waits for its
 * connection can not take the wish back from the pool or from Hibernate: the connection comes all the same, and is closed here.
 */
public final class Connections {

    private Connections() {
    }

    /** Runs work on a connection of its own. Work that has begun runs to its end, whether or not the caller still waits. */
    public static <T> Uni<T> with(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return toItsEnd(gone -> pool.withConnection(connection -> unless(gone, () -> work.apply(connection))));
    }

    /** The same in a transaction. */
    public static <T> Uni<T> inTransaction(Pool pool, Function<SqlConnection, Uni<T>> work) {
        return toItsEnd(gone -> pool.withTransaction(connection -> unless(gone, () -> work.apply(connection))));
    }

    /** The same in a session of Hibernate. */
    public static <T> Uni<T> inSession(Supplier<Uni<T>> work) {
        return toItsEnd(gone -> Panache.withSession(() -> unless(gone, work)));
    }

    /** The same in a session of Hibernate and a transaction. */
    public static <T> Uni<T> inSessionTransaction(Supplier<Uni<T>> work) {
        return toItsEnd(gone -> Panache.withTransaction(() -> unless(gone, work)));
    }

    /** What work on a connection of its own finds, item by item. The connection is closed when the stream ends or is cancelled. */
    public static <T> Multi<T> stream(Pool pool, Function<SqlConnection, Multi<T>> work) {
        return Multi.createFrom().resourceFromUni(() -> take(pool), work).withFinalizer(SqlConnection::close);
    }

    private static Uni<SqlConnection> take(Pool pool) {
        return Uni.createFrom().deferred(() -> {
            AtomicBoolean taken = new AtomicBoolean();
            return Uni.createFrom()
                    .<SqlConnection>emitter(taker -> pool.getConnection().subscribe().with(connection -> {
                        taker.complete(connection);
                        if (!taken.get()) {
                            connection.closeAndForget();
                        }
                    }, taker::fail)).invoke(() -> taken.set(true));
        });
    }

    /** Does not pass a cancellation on: one in the middle would leave a connection taken, or in a transaction. */
    private static <T> Uni<T> toItsEnd(Function<BooleanSupplier, Uni<T>> work) {
        return Uni.createFrom().emitter(caller -> {
            AtomicBoolean gone = new AtomicBoolean();
            caller.onTermination(() -> gone.set(true));
            work.apply(gone::get).subscribe().with(caller::complete, caller::fail);
        });
    }

    private static <T> Uni<T> unless(BooleanSupplier gone, Supplier<Uni<T>> work) {
        return gone.getAsBoolean()
                ? Uni.createFrom().failure(() -> new CancellationException("Nobody waits for this any more."))
                : work.get();
    }
}
