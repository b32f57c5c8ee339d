package io.datasetlisting.catalogue.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.rank.RankComparison;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRepository;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.catalogue.snapshot.StateRepository;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Compares counts and pages of filters in columns with those of plain SQL in the same snapshot. */
public final class ColumnComparison {

    private static final List<String> FILTERS = List.of("category=Forest", "category=Desert,Rocky,Wetlands",
            "available_rasters=dsm,dtm", "is_shareable=true", "is_shareable=false", "captured_after=2019-01-01",
            "captured_before=2021-06-01T12:00:00.5Z", "in_bbox=-20,-40,60,50", "in_bbox=100,-90,-100,90",
            "in_bbox=1,1,3,3",
            "band=nir", "band=nir,band%2070", "has_stats=ortho,dsm", "user=terra,3", "user=nobody", "workspace=3,61",
            "search=a", "search=coast", "search=flight", "updated_since=2020-01-01");
    private static final List<String> ORDERS = List.of("id", "-id", "captured_date", "-captured_date", "workspace",
            "-workspace", "is_shareable", "-is_private");
    /** Columns of orders that no column of the listing has. */
    private static final List<String> PLACED = List.of("uav_uid", "owner_name", "dataset_name", "cumulative_adjustment",
            "latest_adjustment_status");
    private static final Caller ADMIN = new Caller(1L, "admin", 1L, Right.ADMIN, 1L);
    private static final Set<Column> COLUMNS = EnumSet.of(Column.IDS, Column.TIMES, Column.WORKSPACES, Column.OWNERS);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final StateRepository states;
    private final SnapshotRepository snapshots;
    private final PlaceRepository places;
    private final Reads reads;
    private final Pool pool;
    private final long seed;
    private final Random random;
    private int placed;

    public ColumnComparison(StateRepository states, SnapshotRepository snapshots, PlaceRepository places, Reads reads,
            Pool pool, long seed) {
        this.states = states;
        this.snapshots = snapshots;
        this.places = places;
        this.reads = reads;
        this.pool = pool;
        this.seed = seed;
        random = new Random(seed);
    }

    /** Compares so many filters for each kind of caller, until {@code over} is true. Returns the number of comparisons. */
    public int some(int filters, BooleanSupplier over) {
        int compared = 0;
        for (int i = 0; i < filters && !over.getAsBoolean(); i++) {
            for (Caller caller : List.of(Caller.ANONYMOUS, RankComparison.OWNER, ADMIN)) {
                compareInOneSnapshot(query(), caller);
                compared++;
            }
        }
        return compared;
    }

    /** How many pages were found through places in an order. */
    public int placed() {
        return placed;
    }

    /** Up to three filters of different parameters. */
    private String query() {
        List<String> all = new ArrayList<>(FILTERS);
        Collections.shuffle(all, random);
        List<String> chosen = new ArrayList<>();
        for (String filter : all.subList(0, random.nextInt(4))) {
            String name = filter.substring(0, filter.indexOf('='));
            if (chosen.stream().noneMatch(other -> other.startsWith(name))) {
                chosen.add(filter);
            }
        }
        return String.join("&", chosen);
    }

    private void compareInOneSnapshot(String query, Caller caller) {
        SqlConnection connection = await(pool.getConnection());
        try {
            await(connection.query("begin isolation level repeatable read, read only").execute());
            Expression filter = Filter.parse(QueryString.parse(query), Views.FIELDS, Caller.ANONYMOUS);
            StatementRunner statements = (sql, values) -> connection.preparedQuery(sql).execute(values);
            SnapshotRequest request = SnapshotRequest.of(caller, filter, COLUMNS, "page");
            Snapshot snapshot = await(states.readLong(reads.primary(), statements, Stream.of(request))
                    .chain(state -> snapshots.read(state, statements, request)));
            Selection selection = snapshot.select(filter);
            String order = ORDERS.get(random.nextInt(ORDERS.size()));
            List<Long> expected = expected(statements, filter, caller, order);
            String what = "seed %d: %s by %s for %s".formatted(seed, query, order, caller.username());
            assertEquals(expected.size(), selection.count(), what);
            for (int page = 0; page < 3; page++) {
                int size = 1 + random.nextInt(100);
                int offset = random.nextInt(expected.size() + 1);
                assertEquals(expected.subList(offset, Math.min(offset + size, expected.size())), Arrays
                        .stream(selection.page(Order.of(Ordering.parse(order, Views.FIELDS.sortable())).orElseThrow(),
                                offset,
                                size))
                        .boxed().toList(), what);
            }
            comparePlaces(statements, snapshot, selection, filter, caller, what);
        } finally {
            // Does not hide the failure of the statement that has lost the connection.
            await(connection.query("rollback").execute().replaceWithVoid().onFailure().recoverWithNull());
            await(connection.close());
        }
    }

    /** The datasets around a page are neighbours in the order, and are enough for the page. */
    private void comparePlaces(StatementRunner statements, Snapshot snapshot, Selection selection, Expression filter,
            Caller caller, String what) {
        String column = PLACED.get(random.nextInt(PLACED.size()));
        boolean descending = random.nextBoolean();
        String direction = descending ? " desc" : "";
        List<Long> expected = sorted(statements, filter, caller, column + direction + ", id" + direction);
        int from = random.nextInt(expected.size() + 1);
        int size = random.nextInt(100);
        int to = Math.min(from + size, expected.size());
        PlaceRepository.Span span = await(
                places.around(statements, snapshot, selection, column, descending, true, from, size));
        if (span != null) {
            placed++;
            int before = (int) span.before();
            int end = before + span.ids().length;
            String page = what + ", " + from + " to " + to + " by " + column + direction + " in " + before + " to "
                    + end;
            assertTrue(from == to || before <= from && end >= to, page);
            assertEquals(expected.subList(before, end).stream().sorted().toList(),
                    Arrays.stream(span.ids()).sorted().boxed().toList(), page);
            compareBehind(statements, snapshot, selection, column, descending, expected, what);
        }
    }

    /** The datasets behind another one are among neighbours in the order. */
    private void compareBehind(StatementRunner statements, Snapshot snapshot, Selection selection, String column,
            boolean descending, List<Long> expected, String what) {
        if (expected.isEmpty()) {
            return;
        }
        int edge = random.nextInt(expected.size());
        int size = random.nextInt(100);
        Row key = await(statements
                .execute(Sql.of("select {column}::text, pg_typeof({column})::text from dataset where id = {id}",
                        Map.of("column", Sql.of(column), "id", Sql.value(expected.get(edge))))))
                .iterator().next();
        long[] found = await(places.behind(statements, snapshot, selection, column, descending, true,
                new PlaceRepository.Key(key.getString(0), key.getString(1), expected.get(edge)), size));
        List<Integer> positions = Arrays.stream(found).mapToObj(id -> expected.indexOf(id)).sorted().toList();
        int first = positions.isEmpty() ? edge + 1 : positions.get(0);
        assertEquals(IntStream.range(first, first + found.length).boxed().toList(), positions, what);
        assertTrue(first <= edge + 1 && first + found.length >= Math.min(edge + 1 + size, expected.size()),
                () -> what + ", behind " + edge + " by " + column + " in " + positions);
    }

    private static List<Long> expected(StatementRunner statements, Expression filter, Caller caller, String order) {
        return sorted(statements, filter, caller,
                Views.FIELDS.orderBy("", Ordering.parse(order, Views.FIELDS.sortable())));
    }

    private static List<Long> sorted(StatementRunner statements, Expression filter, Caller caller, String order) {
        Sql matching = Sql.unionAll(FilterSql.visible(filter, caller).stream().map(each -> each.select("*")));
        return StreamSupport
                .stream(await(statements.execute(Sql.of("select id from ({matching}) dataset order by {order}",
                        Map.of("matching", matching, "order", Sql.of(order)))))
                        .spliterator(), false)
                .map(row -> row.getLong(0)).toList();
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }
}
