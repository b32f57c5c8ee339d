package io.datasetlisting.postgres.database;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

import jakarta.persistence.PersistenceException;

import io.smallrye.mutiny.CompositeException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;

/**
 * Tells from an exception what kind of failure of the database caused it: the only place that knows SQLSTATEs, except that of a
 * name that is taken.
 */
public final class DatabaseFailure {

    /** Serialization failure, deadlock. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");
    /** A terminated backend, a crash of the server, a server that is being started or stopped. */
    private static final Set<String> SHUTDOWNS = Set.of("57P01", "57P02", "57P03");
    private static final Set<String> TEMPORARY = Set.of("08", "28", "3D", "53", "57");
    private static final String CANCELLED = "57014";
    private static final String LOCK_TIMEOUT = "55P03";
    private static final String SEQUENCE_EXHAUSTED = "2200H";
    private static final String READ_ONLY = "25006";

    private DatabaseFailure() {
    }

    /**
     * Whether a retry by the client may succeed: no connection, a conflict, a lock, no resources (53), a cancelled statement or a
     * stop (57), a read-only primary as at a switchover, a database that gets another name (3D), a password that changes (28).
     */
    public static boolean isTemporary(Throwable e) {
        return isConnectionLost(e) || isConflict(e) || isLockTimeout(e) || isReadOnly(e)
                || hasCause(e, cause -> cause instanceof IOException
                        || TEMPORARY.stream().anyMatch(sqlState(cause)::startsWith));
    }

    /** Whether the connection was open and is lost. Nothing is known about a statement that was in flight. */
    public static boolean isConnectionLost(Throwable e) {
        return hasCause(e, cause -> cause instanceof ClosedConnectionException || isReset(cause) || isClosed(cause)
                || SHUTDOWNS.contains(sqlState(cause)) || sqlState(cause).startsWith("08"));
    }

    private static boolean isReset(Throwable e) {
        return e instanceof IOException && !(e instanceof ConnectException) && !(e instanceof UnknownHostException);
    }

    /** Whether the connection was closed before the statement was sent. */
    public static boolean isUnsent(Throwable e) {
        return hasCause(e, DatabaseFailure::isClosed);
    }

    /** Two exceptions of the client have no type of their own. */
    private static boolean isClosed(Throwable e) {
        String message = e.getMessage();
        return e instanceof ClosedChannelException
                || message != null && (message.startsWith("Connection is not active now")
                        || message.startsWith("Pending requests failed to be sent"));
    }

    /** Whether PostgreSQL has rolled the transaction back because of a concurrent one. The same transaction may succeed now. */
    public static boolean isConflict(Throwable e) {
        return hasCause(e, cause -> CONFLICTS.contains(sqlState(cause)));
    }

    /** Whether the server takes no writes: a standby, or a primary that is read-only. Nothing of the transaction is stored. */
    public static boolean isReadOnly(Throwable e) {
        return hasCause(e, cause -> READ_ONLY.equals(sqlState(cause)));
    }

    /** Whether PostgreSQL has cancelled the statement: by {@code statement_timeout} or at a request. */
    public static boolean isCancelled(Throwable e) {
        return hasCause(e, cause -> CANCELLED.equals(sqlState(cause)));
    }

    /** Whether the statement has waited too long for a lock. */
    public static boolean isLockTimeout(Throwable e) {
        return hasCause(e, cause -> LOCK_TIMEOUT.equals(sqlState(cause)));
    }

    /** Whether a sequence has given out its largest number. */
    public static boolean isSequenceExhausted(Throwable e) {
        return hasCause(e, cause -> SEQUENCE_EXHAUSTED.equals(sqlState(cause)));
    }

    /** The driver's or the server's own message on one line, without the SQL text that Hibernate adds. */
    public static String reason(Throwable e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        return message == null ? deepest.getClass().getSimpleName() : onOneLine(message);
    }

    public static String onOneLine(String message) {
        return message.strip().replaceAll("\\s+", " ");
    }

    /** Hibernate turns the driver's exception into one of JDBC. */
    private static String sqlState(Throwable e) {
        String state = e instanceof PgException pgException
                ? pgException.getSqlState()
                : e instanceof SQLException jdbc ? jdbc.getSQLState() : null;
        return state == null ? "" : state;
    }

    /** Hibernate wraps the exceptions of its driver. Mutiny combines a failure with the failure of its rollback. */
    private static boolean hasCause(Throwable e, Predicate<Throwable> condition) {
        if (e == null) {
            return false;
        }
        if (e instanceof CompositeException composite) {
            return composite.getCauses().stream().anyMatch(cause -> hasCause(cause, condition));
        }
        return condition.test(e)
                || (e instanceof PersistenceException || e instanceof CompletionException)
                        && hasCause(e.getCause(), condition);
    }
}
