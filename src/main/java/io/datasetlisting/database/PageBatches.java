package io.datasetlisting.database;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Asks for many pages in one statement: those that are asked for while another is under way, and differ in size and
 * offset alone. Each is read after it was asked for.
 *
 * @see <a href="../../../../../../docs/adr/0016-pages-asked-for-at-once-are-read-at-once.md">ADR 16</a>
 */
@Singleton
public class PageBatches {

    /** Datasets on all pages of one statement. What comes meanwhile waits for them. */
    private static final int LARGEST = 240;

    /** Statements that are under way at once, of those that only differ in their pages. */
    private static final int MOST = 4;

    private final Map<Kind, Line> lines = new ConcurrentHashMap<>();

    private record Kind(SqlClient server, String sql, List<Object> values) {
    }

    private record Asked(long size, Long offset, UniEmitter<? super Row> answer) {
    }

    /** Who waits for a statement. Touched by one thread at a time, as its entry in the map is computed. */
    private static final class Line {

        private final Queue<Asked> waiting = new ArrayDeque<>();
        private long size;
        private int underWay;

        void add(Asked asked) {
            waiting.add(asked);
            size += asked.size;
        }

        /** At least one, if any waits. */
        List<Asked> take() {
            List<Asked> batch = new ArrayList<>(waiting.size());
            for (long room = LARGEST; !waiting.isEmpty() && room > 0;) {
                Asked asked = waiting.remove();
                batch.add(asked);
                room -= asked.size;
                size -= asked.size;
            }
            return batch;
        }
    }

    /**
     * The row of one page. The caller is answered in the Vert.x context in which he asks.
     *
     * @param sql
     *            answers a row for each page, whose {@code number} says which of the pages it is of, from 1. Parameters:
     *            the pages' sizes; their offsets; and others
     * @param values
     *            the page's size; its offset, which may be null; and the others
     */
    public Uni<Row> page(SqlClient server, String sql, List<Object> values) {
        Kind kind = new Kind(server, sql, values.subList(2, values.size()));
        Context here = Vertx.currentContext();
        return Uni.createFrom()
                .<Row>emitter(answer -> send(kind,
                        asked(kind, new Asked((Long) values.get(0), (Long) values.get(1), answer))))
                .emitOn(command -> run(here, command));
    }

    private static void run(Context here, Runnable command) {
        if (here == null) {
            command.run();
        } else {
            here.runOnContext(nothing -> command.run());
        }
    }

    /** What goes out now. */
    private List<Asked> asked(Kind kind, Asked asked) {
        List<Asked> batch = new ArrayList<>();
        lines.compute(kind, (same, known) -> {
            Line line = known == null ? new Line() : known;
            line.add(asked);
            if (line.underWay == 0 || line.size >= LARGEST && line.underWay < MOST) {
                line.underWay++;
                batch.addAll(line.take());
            }
            return line;
        });
        return batch;
    }

    /** What goes out when a statement is done. */
    private List<Asked> answered(Kind kind) {
        List<Asked> batch = new ArrayList<>();
        lines.computeIfPresent(kind, (same, line) -> {
            batch.addAll(line.take());
            if (batch.isEmpty()) {
                line.underWay--;
            }
            return line.underWay == 0 ? null : line;
        });
        return batch;
    }

    private void send(Kind kind, List<Asked> batch) {
        if (batch.isEmpty()) {
            return;
        }
        Tuple values = Tuple.tuple()
                .addArrayOfLong(batch.stream().map(Asked::size).toArray(Long[]::new))
                .addArrayOfLong(batch.stream().map(Asked::offset).toArray(Long[]::new));
        kind.values.forEach(values::addValue);
        kind.server.preparedQuery(kind.sql).execute(values).subscribe().with(rows -> {
            send(kind, answered(kind));
            for (Row row : rows) {
                batch.get(row.getLong("number").intValue() - 1).answer.complete(row);
            }
        }, failure -> {
            send(kind, answered(kind));
            batch.forEach(asked -> asked.answer.fail(failure));
        });
    }
}
