package io.datasetlisting.postgres.database;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

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
        return execute(sql.statement());
    }

    /** Runs a prepared statement whose parameters have numbers. */
    default Uni<RowSet<Row>> execute(Sql.Statement statement) {
        return lookUp(statement.values()).chain(values -> execute(statement.text(), Tuple.from(values)));
    }

    /** Runs work with these statements to its end, even if the caller cancels meanwhile. */
    default <T> Uni<T> runToEnd(Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(work::get);
    }

    /** The values, with the results of lookups in their places. */
    default Uni<List<Object>> lookUp(List<Object> values) {
        Uni<List<Object>> found = Uni.createFrom().item(values);
        for (Sql.Lookup lookup : values.stream().filter(Sql.Lookup.class::isInstance).map(Sql.Lookup.class::cast)
                .distinct().toList()) {
            found = found.chain(known -> execute(lookup.sql(), Tuple.of(lookup.argument())).map(rows -> {
                List<Object> others = new ArrayList<>(known);
                Collections.replaceAll(others, lookup, rows.iterator().next().getValue(0));
                return others;
            }));
        }
        return found;
    }
}
