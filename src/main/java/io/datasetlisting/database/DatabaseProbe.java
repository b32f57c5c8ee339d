package io.datasetlisting.database;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;

/** Checks with a query whether the database answers. */
@Singleton
class DatabaseProbe {

    private final Pool pool;

    DatabaseProbe(Pool pool) {
        this.pool = pool;
    }

    /** One line that says why the database does not answer within the time limit; empty if it answers. */
    Uni<Optional<String>> problem(Duration timeout) {
        return Connections.readAgainIfLost(() -> pool.query("select 1").execute())
                .ifNoItem().after(timeout).fail()
                .map(rows -> Optional.<String>empty())
                .onFailure().recoverWithItem(e -> Optional.of(reason(e, timeout)));
    }

    private static String reason(Throwable e, Duration timeout) {
        if (e instanceof TimeoutException) {
            return "no answer within " + timeout.toMillis() + " ms";
        }
        Throwable cause = e instanceof CompletionException ? e.getCause() : e;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : onOneLine(cause.getMessage());
    }

    static String onOneLine(String message) {
        return message.strip().replaceAll("\\s+", " ");
    }
}
