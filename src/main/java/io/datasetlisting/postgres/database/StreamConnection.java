package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The connection of a stream, and the process of PostgreSQL that serves its transaction. */
public final class StreamConnection {

    private static final String BEGIN = """
            set transaction isolation level repeatable read, read only;
            select pid, xact_start from pg_stat_activity where pid = pg_backend_pid()""";
    /**
     * Behind a balancer, the statement may arrive at another server, on which another process has this number. Behind a pooler,
     * it may arrive when the process already serves another transaction.
     */
    private static final String CANCEL = """
            select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start = $2""";
    /** In a pooler, the statement waits for a server connection. Cancelled streams may hold all of them. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(1);

    private final SqlConnection connection;
    private volatile Tuple identity;

    private StreamConnection(SqlConnection connection) {
        this.connection = connection;
    }

    /**
     * Streams the items of work in a transaction that reads one snapshot, on a connection of its own. The connection is closed
     * when the stream ends or is cancelled, which also ends the transaction. A cancellation also cancels the running statement,
     * which would sort all rows otherwise. The work runs once more if its connection is lost before the first item.
     */
    public static <T> Multi<T> stream(DatabaseServer server, Function<SqlConnection, Multi<T>> work) {
        Multi<T> items = Multi.createFrom()
                .resourceFromUni(() -> server.stream().map(StreamConnection::new), stream -> stream.begin(work))
                .withFinalizer(StreamConnection::close, (stream, failure) -> stream.close(),
                        stream -> stream.cancel(server.allPages()));
        return runAgainIfLost(items, Retries.begin());
    }

    private static <T> Multi<T> runAgainIfLost(Multi<T> items, Retries retries) {
        return Multi.createFrom().deferred(() -> {
            AtomicBoolean begun = new AtomicBoolean();
            return items.invoke(() -> begun.set(true))
                    .onFailure(e -> !begun.get() && retries.mayFollowLoss(e))
                    .recoverWithMulti(e -> retries.afterLoss(e).onItem()
                            .transformToMulti(next -> runAgainIfLost(items, next)));
        });
    }

    private <T> Multi<T> begin(Function<SqlConnection, Multi<T>> work) {
        return connection.begin().chain(() -> connection.query(BEGIN).execute())
                .onItem().transformToMulti(rows -> {
                    Row row = rows.next().iterator().next();
                    identity = Tuple.of(row.getInteger(0), row.getOffsetDateTime(1));
                    return work.apply(connection);
                });
    }

    private Uni<Void> close() {
        return connection.close();
    }

    /**
     * The signal has reached the process when the result arrives, so it cannot cancel a later statement of the connection. A
     * request of the protocol to cancel would arrive at any time. The connections of pages are always available; in the pool of
     * streams, many cancelled streams would wait for one another.
     */
    private Uni<Void> cancel(StatementRunner others) {
        return identity == null
                ? close()
                : others.execute(CANCEL, identity).ifNoItem().after(CANCEL_TIMEOUT).fail()
                        .onFailure().recoverWithNull().chain(this::close);
    }
}
