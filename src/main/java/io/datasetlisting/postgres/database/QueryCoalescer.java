package io.datasetlisting.postgres.database;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Runs concurrent queries of the listing in as few statements as possible: pages that differ only in their position and size
 * share a statement, and equal queries share an execution. Each result is read after its query was submitted.
 *
 * @see Batches
 */
@Singleton
public class QueryCoalescer {

    /** Pages that one statement reads. */
    private static final int MAX_PAGES = 16;

    private final Batches<Pages, Position, Row> pages = new Batches<>(MAX_PAGES, false, Pages::read);
    private final Batches<Object, Supplier<Uni<Object>>, Object> equalWork = new Batches<>(Integer.MAX_VALUE, true,
            (key, work) -> work.get(0).get().map(result -> Collections.nCopies(work.size(), result)));

    private record Position(Long size, Long offset) {
    }

    private record Pages(StatementRunner server, String sql) {

        Uni<List<Row>> read(List<Position> positions) {
            Tuple tuple = Tuple.of(positions.stream().map(Position::size).toArray(Long[]::new),
                    positions.stream().map(Position::offset).toArray(Long[]::new));
            return server.execute(sql, tuple).map(rows -> {
                Row[] results = new Row[positions.size()];
                rows.forEach(row -> results[row.getLong("number").intValue() - 1] = row);
                return Arrays.asList(results);
            });
        }
    }

    /**
     * Reads the row of one page. One statement reads the concurrent pages that have the same server and SQL text.
     *
     * @param sql
     *            returns a row for each page; its column {@code number} is the position of the page in the arrays, from 1.
     *            Its two parameters are the array of page sizes and the array of offsets
     * @param offset
     *            may be null
     */
    public Uni<Row> page(StatementRunner server, String sql, long size, Long offset) {
        return pages.submit(new Pages(server, sql), new Position(size, offset));
    }

    /**
     * Runs work that reads from the database. Concurrent work with an equal key shares one execution, which is cancelled when
     * all of its callers cancel.
     *
     * @param key
     *            decides the result, together with the data
     */
    @SuppressWarnings("unchecked")
    public <T> Uni<T> share(Object key, Supplier<Uni<T>> work) {
        return (Uni<T>) equalWork.submit(key, (Supplier<Uni<Object>>) (Supplier<?>) work);
    }

    /**
     * Reads the rows of a statement. Concurrent queries with the same server, SQL text and values share one execution, which
     * is cancelled when all of their callers cancel.
     */
    public Uni<RowSet<Row>> rows(StatementRunner server, Sql sql) {
        Sql.Statement statement = sql.statement();
        return share(List.of(server, statement), () -> server.execute(statement));
    }
}
