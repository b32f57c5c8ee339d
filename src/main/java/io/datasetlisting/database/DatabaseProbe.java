package io.datasetlisting.database;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;

/** Asks the database whether it is there. */
@Singleton
class DatabaseProbe {

    private final Pool pool;

    DatabaseProbe(Pool pool) {
        this.pool = pool;
    }

    /** One line that says why the database does not answer; empty when it does. */
    Uni<Optional<String>> whyAway(Duration patience) {
        return pool.query("select 1").execute()
                .ifNoItem().after(patience).fail()
                .map(rows -> Optional.<String>empty())
                .onFailure().recoverWithItem(e -> Optional.of(reason(e, patience)));
    }

    private static String reason(Throwable e, Duration patience) {
        if (e instanceof TimeoutException) {
            return "no answer within " + patience.toMillis() + " ms";
        }
        Throwable cause = e instanceof CompletionException ? e.getCause() : e;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : onOneLine(cause.getMessage());
    }

    static String onOneLine(String message) {
        return message.strip().replaceAll("\\s+", " ");
    }
}
