package io.datasetlisting.database;

import java.time.Duration;
import java.util.Optional;

import jakarta.inject.Singleton;

import io.datasetlisting.http.DatabaseFailure;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;

/** Checks with a query whether the database answers. */
@Singleton
class DatabaseProbe {

    private static final String READ_ONLY = "select current_setting('transaction_read_only') = 'on'";

    private final Pool pool;

    DatabaseProbe(Pool pool) {
        this.pool = pool;
    }

    /** One line that says why the primary does not answer within the time limit; empty if it answers. */
    Uni<Optional<String>> problem(Duration timeout) {
        return isReadOnly(timeout).map(readOnly -> Optional.<String>empty())
                .onFailure().recoverWithItem(e -> Optional.of(reason(e, timeout)));
    }

    /** One line that says why the primary takes no writes; empty if it takes writes. */
    Uni<Optional<String>> problemOfWrites(Duration timeout) {
        return isReadOnly(timeout).map(readOnly -> readOnly ? Optional.of("read-only") : Optional.<String>empty())
                .onFailure().recoverWithItem(e -> Optional.of(reason(e, timeout)));
    }

    private Uni<Boolean> isReadOnly(Duration timeout) {
        return Connections.readAgainIfLost(() -> pool.query(READ_ONLY).execute())
                .ifNoItem().after(timeout).fail()
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    private static String reason(Throwable e, Duration timeout) {
        return e instanceof TimeoutException
                ? "no answer within " + timeout.toMillis() + " ms"
                : DatabaseFailure.reason(e);
    }
}
