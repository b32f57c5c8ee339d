package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;

/**
 * Checks with a query whether the database answers. The query has a connection of its own, so it never waits for requests:
 * without an answer, the server is silent. Concurrent checks share one query.
 */
@Singleton
public class DatabaseProbe {

    private static final String READ_ONLY = "select current_setting('transaction_read_only') = 'on'";

    /** Age of a query without an answer after which the next check asks on a new connection. */
    private static final Duration MAX_AGE = Duration.ofSeconds(2);

    private Context context;
    private Supplier<Future<PgConnectOptions>> servers;
    /** Used, like the fields below, only in the context. */
    private PgConnection connection;
    private Question question;

    private record Question(long askedAt, Future<Boolean> isReadOnly) {
    }

    /**
     * @param servers
     *            the addresses of the primary in turn
     */
    public void use(Vertx vertx, Supplier<Future<PgConnectOptions>> addresses) {
        context = ((VertxInternal) vertx).createEventLoopContext();
        servers = addresses;
    }

    void onEnd(@Observes ShutdownEvent event) {
        context.runOnContext(end -> {
            if (connection != null) {
                connection.close();
            }
        });
    }

    /** One line that says why the primary does not answer within the time limit; empty if it answers. */
    public Uni<Optional<String>> problem(Duration timeout) {
        return problem(timeout, readOnly -> Optional.empty());
    }

    /** One line that says why the primary takes no writes; empty if it takes writes. */
    public Uni<Optional<String>> problemOfWrites(Duration timeout) {
        return problem(timeout, readOnly -> readOnly ? Optional.of("read-only") : Optional.empty());
    }

    private Uni<Optional<String>> problem(Duration timeout, Function<Boolean, Optional<String>> ofAnswer) {
        return Connections.readAgainIfLost(this::isReadOnly).ifNoItem().after(timeout).fail()
                .map(ofAnswer).onFailure().recoverWithItem(e -> Optional.of(e instanceof TimeoutException
                        ? "no answer within " + timeout.toMillis() + " ms"
                        : DatabaseFailure.reason(e)));
    }

    private Uni<Boolean> isReadOnly() {
        return Uni.createFrom()
                .<Boolean>emitter(caller -> context.runOnContext(start -> ask().onComplete(answer -> {
                    if (answer.succeeded()) {
                        caller.complete(answer.result());
                    } else {
                        caller.fail(answer.cause());
                    }
                })))
                .emitOn(CallerContext.later());
    }

    private Future<Boolean> ask() {
        long now = System.nanoTime();
        if (question == null || now - question.askedAt > MAX_AGE.toNanos()) {
            if (question != null && connection != null) {
                // A frozen server, or a connection that leads nowhere.
                connection.close();
                connection = null;
            }
            Question asked = new Question(now, connected()
                    .compose(open -> open.query(READ_ONLY).execute())
                    .map(rows -> rows.iterator().next().getBoolean(0)));
            question = asked;
            asked.isReadOnly.onComplete(answer -> {
                if (question == asked) {
                    question = null;
                }
                if (answer.succeeded() && answer.result() && connection != null) {
                    // Of a standby, perhaps: the next connection may lead to the primary.
                    connection.close();
                    connection = null;
                }
            });
            return asked.isReadOnly;
        }
        return question.isReadOnly;
    }

    private Future<PgConnection> connected() {
        if (connection != null) {
            return Future.succeededFuture(connection);
        }
        return servers.get().compose(server -> PgConnection.connect(context.owner(), server)).map(open -> {
            if (connection != null) {
                // Of a check that has not waited for this connection.
                connection.close();
            }
            connection = open;
            open.closeHandler(end -> {
                if (connection == open) {
                    connection = null;
                }
            });
            open.exceptionHandler(e -> open.close());
            return open;
        });
    }
}
