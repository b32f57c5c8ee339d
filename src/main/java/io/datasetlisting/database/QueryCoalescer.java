package io.datasetlisting.database;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;

/** Statements that answer all who ask while others are under way. Each answer was read after it was asked for. */
@Singleton
public class QueryCoalescer {

    /** Pages that are read by one statement. */
    private static final int FULL = 16;

    private final Batches<Statement, Place, Row> pages = new Batches<>(FULL, Statement::pages);
    private final Batches<Statement, Statement, RowSet<Row>> same = new Batches<>(Integer.MAX_VALUE,
            (statement, asked) -> statement.execute(Tuple.from(statement.values))
                    .map(rows -> Collections.nCopies(asked.size(), rows)));

    private record Place(Long size, Long offset) {
    }

    private record Statement(SqlClient server, String sql, List<Object> values) {

        Uni<RowSet<Row>> execute(Tuple values) {
            return server.preparedQuery(sql).execute(values);
        }

        Uni<List<Row>> pages(List<Place> places) {
            Tuple tuple = Tuple.tuple()
                    .addArrayOfLong(places.stream().map(Place::size).toArray(Long[]::new))
                    .addArrayOfLong(places.stream().map(Place::offset).toArray(Long[]::new));
            values.forEach(tuple::addValue);
            return execute(tuple).map(rows -> {
                Row[] found = new Row[places.size()];
                rows.forEach(row -> found[row.getLong("number").intValue() - 1] = row);
                return Arrays.asList(found);
            });
        }
    }

    /**
     * The row of one page. Those that are asked for at once, and differ in their places alone, are read together.
     *
     * @param sql
     *            answers a row for each page, whose {@code number} says which of the pages it is of, from 1. Parameters:
     *            the pages' sizes; their offsets; and others
     * @param values
     *            the page's size; its offset, which may be null; and the others
     */
    public Uni<Row> page(SqlClient server, String sql, List<Object> values) {
        return pages.ask(new Statement(server, sql, values.subList(2, values.size())),
                new Place((Long) values.get(0), (Long) values.get(1)));
    }

    /** What the statement finds, for all who ask for the same at once. */
    public Uni<RowSet<Row>> rows(SqlClient server, String sql, List<Object> values) {
        Statement statement = new Statement(server, sql, values);
        return same.ask(statement, statement);
    }
}
