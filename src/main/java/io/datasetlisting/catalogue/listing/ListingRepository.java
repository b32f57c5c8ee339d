package io.datasetlisting.catalogue.listing;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.ColumnRepository;
import io.datasetlisting.catalogue.column.ColumnRepository.Work;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.PlaceRepository;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Snapshot;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.FoldSignal;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.catalogue.rank.RankedPageSql.Ranked;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads pages and streams of datasets by page number. No other class runs this SQL. */
@Startup
@ApplicationScoped
public class ListingRepository {

    private static final String STORED = """
            select d.id, d.version, d.updated_at, d.created_at%s from dataset d where d.id = any ($1)""";

    private static final String STREAM = """
            select d.id, d.version, d.updated_at{columns} from {datasets} d order by {order}""";

    /** A stream has its own time limits, so it may wait longer for a lock than an edit. */
    private static final String STREAM_TIMEOUT = """
            select set_config('statement_timeout', $1, true), set_config('lock_timeout', '0', true)""";

    /** {@link StreamLimits} ends a stream first. PostgreSQL's limit is for a statement that the service could not cancel. */
    private static final Duration AFTER_STREAM_LIMIT = Duration.ofSeconds(5);

    /** More wide rows would delay the pages behind them on their connection. */
    private static final int MANY = 100;

    /** So few private datasets are merged with a rank in less time than the order of a column is worth. */
    private static final int FEW_PRIVATE = 500;

    /** Rows of one fetch of a cursor. */
    private static final int FETCH_SIZE = 500;

    private final Reads reads;
    private final ColumnRepository columns;
    private final PlaceRepository places;
    private final QueryCoalescer statements;
    private final FoldSignal folds;
    private final ThumbnailLinks thumbnails;
    private final DatasetFields fields;
    private final Counter streamed;
    private final String streamTimeoutMillis;

    ListingRepository(Reads reads, ColumnRepository columns, PlaceRepository places, QueryCoalescer statements,
            FoldSignal folds, ThumbnailLinks thumbnails, DatasetFields fields, StreamConfig streams,
            MeterRegistry meters) {
        this.reads = reads;
        this.columns = columns;
        this.places = places;
        this.statements = statements;
        this.folds = folds;
        this.thumbnails = thumbnails;
        this.fields = fields;
        streamTimeoutMillis = Long.toString(streams.maxExportTime().plus(AFTER_STREAM_LIMIT).toMillis());
        streamed = Counter.builder("dataset.rows.streamed").description("Datasets that left in whole catalogues")
                .register(meters);
    }

    /** A page of the datasets that the caller sees. */
    public Uni<ListingResult> list(ListingQuery query, Caller caller) {
        return read(query, caller, query.fields());
    }

    /** The same page without the datasets: count, listing version and revisions. It costs less. */
    public Uni<ListingResult> listRevisions(ListingQuery query, Caller caller) {
        Optional<Ranked> ranked = ranked(query, caller);
        if (ranked.isEmpty() || !isRankedFirst(caller)) {
            return read(query, caller, fields.none());
        }
        ListRequest request = query.request();
        Ranked listing = ranked.get();
        String sql = RankedPageSql.revisions(listing);
        return read(caller,
                from -> statements.page(from.pages(), sql, listing.values(), request.pageSize(), request.offset()))
                .map(row -> result(row, listing.descending(), signer(query.fields())));
    }

    private Optional<Ranked> ranked(ListingQuery query, Caller caller) {
        return ranked(query.filter(), query.request().ordering(), caller, fields);
    }

    private <T> Uni<T> read(Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return read(reads, caller, query);
    }

    /**
     * A writer reads from the primary, because a replica may not have its last write yet. At the end of the request a query
     * that still runs is cancelled.
     */
    public static <T> Uni<T> read(Reads reads, Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return RequestEnd.cancelAtEnd(caller.mayWrite() ? reads.readPrimary(query) : reads.read(query));
    }

    /** The datasets of a listing with these ids, as stored now, in any order. Ids without a dataset are skipped. */
    public Uni<List<StoredDataset>> find(List<Long> ids, Caller caller) {
        return find(ids, fields.listed(), caller);
    }

    /** The same with all fields. */
    public Uni<List<StoredDataset>> findWhole(List<Long> ids, Caller caller) {
        return find(ids, fields.all(), caller);
    }

    private Uni<List<StoredDataset>> find(List<Long> ids, FieldSelection shown, Caller caller) {
        String sql = STORED.formatted(shown.selectList());
        return read(caller, from -> (ids.size() > MANY ? from.searches() : from.pages()).execute(sql,
                Tuple.of(ids.toArray(Long[]::new))))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(row -> stored(row, shown)).toList());
    }

    /**
     * The ranks count what is public, so they answer anonymous callers. Columns answer the others, whose ranks are slower, and
     * each caller while many changes are pending.
     */
    private boolean isRankedFirst(Caller caller) {
        return caller.isAnonymous() && !folds.areManyPending();
    }

    private Uni<ListingResult> read(ListingQuery query, Caller caller, FieldSelection shown) {
        return isRankedFirst(caller) && ranked(query, caller).isPresent()
                ? withoutColumns(query, shown, caller)
                : columns.read(inSnapshot(query, shown, caller)).onItem().ifNull()
                        .switchTo(() -> withoutColumns(query, shown, caller));
    }

    /** A page from a snapshot of columns. Besides the revisions of its datasets, these fields are read. */
    public Work<?, ListingResult> inSnapshot(ListingQuery query, FieldSelection shown, Caller caller) {
        Sql ranked = rankedSql(query, shown, caller);
        CountedPageSql sql = new CountedPageSql(query, caller, shown.selectList(), fields);
        ListRequest page = query.request();
        // Besides the filter and the caller, these decide the content of a page.
        return new Work<>(
                new ColumnRepository.Request(caller, List.of(query.filter()), columnsOf(query), List.of(page.page(),
                        page.pageSize(), page.ordering(), shown.selectList(), query.fields().hasLink()),
                        query.filter().equals(Expression.ALL) && Order.of(page.ordering()).isPresent()),
                snapshot -> Found.of(query, snapshot),
                (statements, found) -> sql(statements, query, found, sql, ranked).chain(statements::execute)
                        .map(rows -> result(rows, signer(query.fields()), shown)));
    }

    /** The same page by its rank, or else counted by PostgreSQL. */
    public Uni<ListingResult> withoutColumns(ListingQuery query, FieldSelection shown, Caller caller) {
        Sql ranked = rankedSql(query, shown, caller);
        if (ranked != null) {
            return page(DatabaseServer::pages, ranked, query, caller, shown);
        }
        return page(DatabaseServer::searches, new CountedPageSql(query, caller, shown.selectList(), fields).page(),
                query, caller,
                shown);
    }

    /** Null without a rank. */
    private Sql rankedSql(ListingQuery query, FieldSelection shown, Caller caller) {
        return ranked(query, caller).map(listing -> RankedPageSql.datasets(listing, shown.selectList(),
                query.request().pageSize(), query.request().offset())).orElse(null);
    }

    private static Set<Column> columnsOf(ListingQuery query) {
        return Order.of(query.request().ordering()).map(Order::columns).orElse(EnumSet.of(Column.IDS));
    }

    /**
     * What columns have found.
     *
     * @param ids
     *            of the page in its order, if {@code isPage}; otherwise of all matches of a filter, or null for too many
     * @param hasFewPrivate
     *            whether the matches have few private datasets, if they are many
     */
    private record Found(Snapshot snapshot, Selection selection, long count, Long[] ids, boolean isPage,
            boolean hasFewPrivate) {

        static Found of(ListingQuery query, Snapshot snapshot) {
            Selection selection = snapshot.select(query.filter());
            long count = selection.count();
            ListRequest request = query.request();
            Optional<Order> order = Order.of(request.ordering());
            long[] ids = order
                    .map(each -> selection.page(each, request.offset(count), request.pageSize()))
                    .orElseGet(() -> query.filter().equals(Expression.ALL) ? null : selection.ids(Selection.FEW));
            return new Found(snapshot, selection, count, ids == null ? null : boxed(ids), order.isPresent(),
                    ids == null && selection.privates() <= FEW_PRIVATE);
        }
    }

    private static Long[] boxed(long[] ids) {
        return Arrays.stream(ids).boxed().toArray(Long[]::new);
    }

    /** @param ranked null without a rank */
    private Uni<Sql> sql(StatementRunner statements, ListingQuery query, Found found, CountedPageSql sql, Sql ranked) {
        long listing = found.snapshot.listing();
        long count = found.count;
        if (found.ids != null) {
            return Uni.createFrom().item(
                    found.isPage ? sql.page(listing, count, found.ids) : sql.page(listing, count, found.ids, 0));
        }
        ListRequest request = query.request();
        Uni<Sql> walk = Uni.createFrom().item(() -> ranked == null ? sql.page(listing, count) : ranked);
        if (ranked != null && found.hasFewPrivate) {
            return walk;
        }
        return request.ordering().onlyKey().map(key -> places
                .around(statements, found.snapshot, found.selection, fields.get(key.field()).sortColumn(),
                        key.descending(),
                        request.offset(count), request.pageSize())
                .chain(span -> span == null
                        ? walk
                        : Uni.createFrom().item(sql.page(listing, count, boxed(span.ids()), span.before()))))
                .orElse(walk);
    }

    /**
     * The listing, if its pages have a rank: the order is one field, with the id in the same direction to break ties, of the
     * whole listing; or the order of ids in one workspace. An admin sees private datasets of all accounts, which no rank
     * counts.
     */
    public static Optional<Ranked> ranked(Expression filter, Ordering ordering, Caller caller, DatasetFields fields) {
        Long workspace = Filter.onlyWorkspace(filter);
        return ordering.onlyKey()
                .filter(key -> !caller.isAdmin() && (filter.equals(Expression.ALL) || caller.isAnonymous()
                        && workspace != null
                        && (key.field().equals("workspace") || key.field().equals(Ordering.TIE_BREAKER))))
                .map(key -> new Ranked(fields.get(key.field()).sortColumn(), key.descending(), workspace,
                        caller.accountId()));
    }

    private Uni<ListingResult> page(Function<DatabaseServer, StatementRunner> way, Sql sql, ListingQuery query,
            Caller caller, FieldSelection shown) {
        return read(caller, from -> statements.rows(way.apply(from), sql))
                .map(rows -> result(rows, signer(query.fields()), shown));
    }

    /**
     * Streams all datasets that match and that the caller sees; an admin also sees drafts and deleted datasets. All are
     * of one snapshot. A cursor reads as fast as the subscriber requests. The stream holds a connection until it ends
     * or is cancelled.
     */
    public Multi<DatasetView> export(ListingQuery query, Caller caller) {
        return stream(query, caller, FilterSql.exported(query.filter(), caller));
    }

    /** Streams the datasets of all pages of the listing. */
    public Multi<DatasetView> stream(ListingQuery query, Caller caller) {
        return stream(query, caller, FilterSql.visible(query.filter(), caller));
    }

    private Multi<DatasetView> stream(ListingQuery query, Caller caller, List<SelectionSql> visible) {
        Ordering ordering = query.request().ordering();
        Sql.Statement sql = Sql.of(STREAM, Map.of("columns", Sql.of(query.fields().selectList()),
                "datasets", FilterSql.datasetsFrom(visible, Sql.of(fields.orderBy("", ordering))),
                "order", Sql.of(fields.orderBy("d.", ordering)))).statement();
        UnaryOperator<String> links = links(signer(query.fields()));
        // PostgreSQL sorts an order without an index before it returns the first row.
        Function<SqlConnection, Multi<DatasetView>> work = connection -> connection.preparedQuery(STREAM_TIMEOUT)
                .execute(Tuple.of(streamTimeoutMillis))
                .chain(() -> ((StatementRunner) (text, values) -> connection.preparedQuery(text).execute(values))
                        .lookUp(sql.values()))
                .onItem().transformToMulti(values -> connection.prepare(sql.text()).onItem()
                        // Closed in any case: the next transaction of this backend may prepare one with the same name.
                        .transformToMulti(statement -> statement.createStream(FETCH_SIZE, Tuple.from(values)).toMulti()
                                .onTermination().call(statement::close)))
                .map(row -> query.fields().read(row, links))
                .invoke(() -> streamed.increment());
        return caller.mayWrite() ? reads.streamFromPrimary(work) : reads.stream(work);
    }

    /** Null when no field of the response is a link. */
    private ThumbnailLinks.Signer signer(FieldSelection shown) {
        return shown.hasLink() ? thumbnails.signer() : null;
    }

    private static UnaryOperator<String> links(ThumbnailLinks.Signer signer) {
        return signer == null ? UnaryOperator.identity() : signer::link;
    }

    private static ListingResult result(RowSet<Row> rows, ThumbnailLinks.Signer signer, FieldSelection shown) {
        UnaryOperator<String> links = links(signer);
        long count = 0;
        long listing = 0;
        List<Revision> revisions = new ArrayList<>(rows.size());
        List<DatasetView> datasets = new ArrayList<>(rows.size());
        for (Row row : rows) {
            count = row.getLong("count");
            listing = row.getLong("listing");
            if (row.getLong("id") != null) {
                revisions.add(revision(row));
                if (!shown.isEmpty()) {
                    datasets.add(shown.read(row, links));
                }
            }
        }
        return new ListingResult(listing, count, revisions, signer == null ? "" : signer.id(), datasets);
    }

    /** Reads the row of {@link RankedPageSql#revisions}. */
    private static ListingResult result(Row row, boolean descending, ThumbnailLinks.Signer signer) {
        Long[] ids = row.getArrayOfLongs("ids");
        Long[] versions = row.getArrayOfLongs("versions");
        OffsetDateTime[] updated = row.getArrayOfOffsetDateTimes("updated");
        int size = ids == null ? 0 : ids.length;
        List<Revision> revisions = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            int place = descending ? size - 1 - i : i;
            revisions.add(new Revision(ids[place], versions[place], microseconds(updated[place])));
        }
        return new ListingResult(row.getLong("listing"), row.getLong("count"), revisions,
                signer == null ? "" : signer.id(), List.of());
    }

    /** The dataset in a row with {@code id, version, updated_at, created_at}, which ends with the columns of these fields. */
    public static StoredDataset stored(Row row, FieldSelection fields) {
        OffsetDateTime created = row.getOffsetDateTime("created_at");
        return new StoredDataset(revision(row), created == null ? null : created.toInstant(),
                fields.read(row, UnaryOperator.identity()));
    }

    public static Revision revision(Row row) {
        return new Revision(row.getLong("id"), row.getLong("version"),
                microseconds(row.getOffsetDateTime("updated_at")));
    }

    private static long microseconds(OffsetDateTime time) {
        return time.toEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }
}
