package io.datasetlisting.catalogue.search;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.Micros;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.index.ColumnRepository.Page;
import io.datasetlisting.catalogue.index.Matches;
import io.datasetlisting.catalogue.index.PlaceRepository;
import io.datasetlisting.catalogue.index.TableRepository;
import io.datasetlisting.catalogue.index.TableRepository.Found;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.catalogue.listing.StoredDatasetRepository;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Reads pages of searches, which begin at a dataset, and what a search needs to know. No other class runs this SQL. */
@ApplicationScoped
public class SearchRepository {

    private static final Expression AREAS = new Expression.HasArea();
    private static final Expression POINTS = new Expression.Not(AREAS);

    private static final DateTimeFormatter POSTGRES_TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE).appendLiteral(' ').append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffset("+HH:mm:ss", "+00").toFormatter(Locale.ROOT);

    private final Reads reads;
    private final ColumnRepository columns;
    private final TableRepository table;
    private final QueryCoalescer statements;
    private final PlaceRepository places;
    /** The columns whose order {@link PlaceRepository} reads through an index. */
    private final Predicate<String> isPlaced;

    SearchRepository(Reads reads, ColumnRepository columns, TableRepository table, QueryCoalescer statements,
            PlaceRepository places, DatasetFields fields) {
        this.reads = reads;
        this.columns = columns;
        this.table = table;
        this.places = places;
        isPlaced = fields.table().stream().map(DatasetField::sortColumn).filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet())::contains;
        this.statements = statements;
    }

    /** A page of the datasets that match a search and that the caller sees in a listing. */
    public Uni<SearchResult> search(Search search, Caller caller) {
        Order order = order(search);
        return search.filter().equals(Expression.ALL) && caller.isAnonymous()
        // No index has this order.
                && (order == null || order.column() != Column.GSDS)
                        ? withoutColumns(search, caller)
                        : searchColumns(search, caller).onItem().ifNull()
                                .switchTo(() -> withoutColumns(search, caller));
    }

    private Uni<SearchResult> withoutColumns(Search search, Caller caller) {
        boolean isAll = search.filter().equals(Expression.ALL);
        Long known = search.from().count();
        SearchPageSql sql = new SearchPageSql(search, caller);
        if (!isAll && (known == null || known <= TableRepository.FEW
                || !Intersections.undecided(search.filter()).isEmpty())) {
            return table.read(search.filter(), caller, search,
                    (statements, matches) -> statements.execute(sql.sorted(matches)))
                    .map(rows -> result(rows, search));
        }
        boolean hasRank = isAll && !caller.isAdmin();
        // The statement of a whole listing is as short as that of its page.
        return ListingRepository
                .read(reads, caller,
                        from -> statements.rows(hasRank ? from.pages() : from.searches(), sql.page(hasRank)))
                .map(rows -> result(rows, search));
    }

    /** A page from columns; null if they need too much memory, or lack too many changes. */
    private Uni<SearchResult> searchColumns(Search search, Caller caller) {
        Order order = order(search);
        Set<Column> read = order == null ? Set.of(Column.IDS) : order.columns();
        return columns.read(new Page<>(SnapshotRequest.of(caller, search.filter(), read, search), order != null,
                snapshot -> table.find(snapshot, search.filter(),
                        order == null ? null : (all, matches) -> page(all, order, search)),
                (statements, found) -> sql(statements, found, search, new SearchPageSql(search, caller)),
                rows -> result(rows, search)));
    }

    private static long[] page(Selection all, Order order, Search search) {
        List<String> edge = search.from().edge();
        return edge.isEmpty()
                ? all.page(order, 0, search.limit() + 1)
                : all.pageBehind(order, key(search.ordering().get(0), edge.get(0)), id(edge), search.limit() + 1);
    }

    private static long id(List<String> edge) {
        return Long.parseLong(edge.get(edge.size() - 1));
    }

    private Uni<Sql> sql(StatementRunner statements, Found found, Search search, SearchPageSql sql) {
        Matches matches = found.matched();
        if (found.page() != null) {
            return Uni.createFrom().item(sql.page(matches, found.page()));
        }
        Supplier<Sql> sorted = () -> table.sorted(matches, sql::sorted);
        SortKey first = search.ordering().get(0);
        if (!SearchPageSql.hasIndex(search) || !isPlaced.test(first.column())) {
            return Uni.createFrom().item(sorted);
        }
        List<String> edge = search.from().edge();
        boolean descending = first.descending() != search.from().backward();
        int size = search.limit() + 1;
        return edge.isEmpty()
                ? places.page(statements, found, first.column(), descending, 0, size)
                        .map(ids -> ids == null ? sorted.get() : sql.page(matches, ids))
                : places.behind(statements, found, first.column(), descending,
                        new PlaceRepository.Key(edge.get(0), first.type(), id(edge)), size)
                        .map(ids -> ids == null ? sorted.get() : sql.pageAmong(matches, ids));
    }

    /** The order in the direction in which the page is read; null if no column has it. */
    private static Order order(Search search) {
        SortKey first = search.ordering().get(0);
        Queryable.Type type = first.property().type();
        Order order = SearchPageSql.hasIndex(search) && (type == Queryable.Type.ID || type == Queryable.Type.TIME
                || type == Queryable.Type.NUMBER) ? Order.of(first.column(), first.descending()) : null;
        return order == null || !search.from().backward() ? order : order.reversed();
    }

    /** The number that orders the dataset at the edge, of the text that PostgreSQL has written. */
    private static long key(SortKey key, String text) {
        if (key.property().equals(RasterGsd.QUERYABLE)) {
            double distance = Double.parseDouble(text);
            return Double.isInfinite(distance) ? 0 : Double.doubleToRawLongBits(distance);
        }
        return key.property().type() == Queryable.Type.TIME
                ? Micros.of(POSTGRES_TIME.parse(text, Instant::from))
                : Long.parseLong(text);
    }

    /** Null without a listing version. */
    private static SearchResult result(RowSet<Row> rows, Search search) {
        boolean backward = search.from().backward();
        List<Row> page = new ArrayList<>(rows.size());
        rows.forEach(row -> page.add(row));
        if (page.get(0).getLong("listing") == null) {
            return null;
        }
        long count = page.get(0).getLong("count");
        long listing = page.get(0).getLong("listing");
        boolean hasMore = page.size() > search.limit();
        if (hasMore || page.get(0).getLong("id") == null) {
            page.remove(page.size() - 1);
        }
        if (backward) {
            Collections.reverse(page);
        }
        boolean hasEdge = !search.from().edge().isEmpty() && !page.isEmpty();
        return new SearchResult(listing, count, page.stream().map(StoredDatasetRepository::revision).toList(),
                (backward ? hasMore : hasEdge) ? position(page.get(0), true, count, listing, search) : null,
                (backward ? hasEdge : hasMore)
                        ? position(page.get(page.size() - 1), false, count, listing, search)
                        : null);
    }

    private static Search.Position position(Row row, boolean backward, long count, long listing, Search search) {
        return new Search.Position(backward, count, listing, IntStream.rangeClosed(1, search.ordering().size())
                .mapToObj(key -> row.getString("key" + key)).toList());
    }

    /** The extents of all datasets that the caller sees in the listing. */
    public Uni<ListingExtents> extents(Caller caller) {
        return columns.count(new SnapshotRequest(caller, List.of(AREAS, POINTS), ListingExtent.COLUMNS,
                ListingExtents.class, true), ExtentCounter::new);
    }

    /** The extents of all workspaces that have public datasets. */
    public Uni<Workspaces> workspaces(Caller caller) {
        return columns.count(WorkspaceCounter.request(caller), WorkspaceCounter::new);
    }

    private static final class ExtentCounter implements ChunkCounter<ListingExtents> {

        private final ListingExtent.Builder areas = new ListingExtent.Builder();
        private final ListingExtent.Builder points = new ListingExtent.Builder();
        private final ListingExtent.Builder all = new ListingExtent.Builder();

        @Override
        public void add(Snapshot chunk) {
            add(chunk.select(AREAS), areas);
            add(chunk.select(POINTS), points);
        }

        private void add(Selection datasets, ListingExtent.Builder extent) {
            datasets.forEachFootprint((part, place, west, south, east, north) -> {
                long time = part.integers(Column.TIMES).get(place);
                extent.add(west, south, east, north, time);
                all.add(west, south, east, north, time);
            });
        }

        @Override
        public ListingExtents result(long listing) {
            return new ListingExtents(areas.build(listing), points.build(listing), all.build(listing));
        }
    }
}
