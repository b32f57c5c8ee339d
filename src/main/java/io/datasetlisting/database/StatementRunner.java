package io.datasetlisting.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Runs a statement on one of several connections. */
@FunctionalInterface
public interface StatementRunner {

    /**
     * Runs a prepared statement.
     *
     * @param sql
     *            with the parameters $1, $2 and so on
     */
    Uni<RowSet<Row>> execute(String sql, Tuple values);

    /** Runs a prepared statement with its values. */
    default Uni<RowSet<Row>> execute(Sql sql) {
        Sql.Statement statement = sql.statement();
        return execute(statement.text(), Tuple.from(statement.values()));
    }
}
