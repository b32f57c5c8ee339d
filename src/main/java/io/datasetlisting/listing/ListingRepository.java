package io.datasetlisting.listing;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.database.DatabaseServer;
import io.datasetlisting.database.QueryCoalescer;
import io.datasetlisting.database.StatementRunner;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.Ordering;
import io.datasetlisting.query.Filter;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.rank.RankedPageSql;
import io.datasetlisting.replica.Reads;
import io.datasetlisting.storage.ThumbnailLinks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads pages and streams of datasets by page number. No other class runs this SQL. */
@ApplicationScoped
public class ListingRepository {

    private static final String STORED = "select d.id, d.version, d.updated_at%s from dataset d where d.id = any ($1)";

    private static final String STREAM = "select d.id, d.version, d.updated_at%s from %s d order by %s";

    /** A stream has its own time limits, so it may wait longer for a lock than an edit. */
    private static final String STREAM_TIMEOUT = """
            select set_config('statement_timeout', $1, true), set_config('lock_timeout', '0', true)""";

    private static final String THUMBNAILS = """
            select id, coalesce(category[1], 'Other') as category, thumbnail_key from dataset
            where thumbnail_key is not null order by id limit $1""";

    /** {@link StreamLimits} ends a stream first. PostgreSQL's limit is for a statement that the service could not cancel. */
    private static final Duration AFTER_STREAM_LIMIT = Duration.ofSeconds(5);

    /** More wide rows would delay the pages behind them on their connection. */
    private static final int MANY = 100;

    /** Rows of one fetch of a cursor. */
    private static final int FETCH_SIZE = 500;

    private final Reads reads;
    private final QueryCoalescer statements;
    private final ThumbnailLinks thumbnails;
    private final DatasetFields fields;
    private final String stored;
    private final Counter streamed;
    private final String streamTimeoutMillis;

    ListingRepository(Reads reads, QueryCoalescer statements, ThumbnailLinks thumbnails,
            DatasetFields fields, StreamConfig streams, MeterRegistry meters) {
        this.reads = reads;
        this.statements = statements;
        this.thumbnails = thumbnails;
        this.fields = fields;
        stored = STORED.formatted(fields.all().selectList());
        streamTimeoutMillis = Long.toString(streams.maxExportTime().plus(AFTER_STREAM_LIMIT).toMillis());
        streamed = Counter.builder("dataset.rows.streamed").description("Datasets that left in whole catalogues")
                .register(meters);
    }

    /** A stored thumbnail: the dataset's id, the first of its categories, and the object's key. */
    public record Thumbnail(long datasetId, String category, String key) {
    }

    /** A page of the datasets that the caller sees. */
    public Uni<ListingResult> list(ListingQuery query, Caller caller) {
        return read(query, caller, query.fields());
    }

    /** The same page without the datasets: count, listing version and revisions. It costs less. */
    public Uni<ListingResult> listRevisions(ListingQuery query, Caller caller) {
        Ordering ordering = query.request().ordering();
        if (!hasRank(query.filter(), ordering, caller)) {
            return read(query, caller, fields.none());
        }
        List<Object> values = values(query.request());
        Ordering.Key order = ordering.keys().get(0);
        String sql = RankedPageSql.revisions(fields.get(order.field()).sortColumn(), order.descending(),
                query.filter().onlyWorkspace() != null, rankedConditions(query.filter(), caller, values));
        return read(caller, from -> statements.page(from.pages(), sql, values))
                .map(row -> result(row, order.descending(), signer(query.fields())));
    }

    private <T> Uni<T> read(Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return read(reads, caller, query);
    }

    /**
     * A writer reads from the primary, because a replica may not have its last write yet. At the end of the request a query that still
     * runs is cancelled.
     */
    public static <T> Uni<T> read(Reads reads, Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return RequestEnd.cancelAtEnd(caller.mayWrite() ? reads.readPrimary(query) : reads.read(query));
    }

    /** The datasets with these ids, as stored now, in any order. Ids without a dataset are skipped. */
    public Uni<List<StoredDataset>> find(List<Long> ids, Caller caller) {
        return read(caller, from -> (ids.size() > MANY ? from.searches() : from.pages()).execute(stored,
                Tuple.of(ids.toArray(Long[]::new))))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new StoredDataset(revision(row),
                                fields.all().read(row, UnaryOperator.identity())))
                        .toList());
    }

    /** The first two parameters of a page: page size, and offset or null for the last page. */
    private static List<Object> values(ListRequest request) {
        List<Object> values = new ArrayList<>();
        values.add((long) request.pageSize());
        values.add(request.page() == ListRequest.LAST_PAGE ? null : (request.page() - 1) * request.pageSize());
        return values;
    }

    private Uni<ListingResult> read(ListingQuery query, Caller caller, FieldSelection shown) {
        Filter filter = query.filter();
        Ordering ordering = query.request().ordering();
        if (hasRank(filter, ordering, caller)) {
            List<Object> values = values(query.request());
            List<String> conditions = rankedConditions(filter, caller, values);
            Ordering.Key order = ordering.keys().get(0);
            String sql = RankedPageSql.datasets(fields.get(order.field()).sortColumn(), order.descending(),
                    filter.onlyWorkspace() != null, shown.selectList(), conditions);
            return page(DatabaseServer::pages, sql, query, caller, shown, values);
        }
        return countedPage(query, caller, shown);
    }

    /**
     * Whether a page has a rank: the order is one field, with the id in the same direction to break ties, of the whole listing;
     * or the order of ids in one workspace. An admin sees private datasets of all accounts, which no rank counts.
     */
    public static boolean hasRank(Filter filter, Ordering ordering, Caller caller) {
        List<Ordering.Key> keys = ordering.keys();
        String field = keys.get(0).field();
        return !caller.isAdmin()
                && (filter.isEmpty() || caller.isAnonymous() && filter.onlyWorkspace() != null
                        && (field.equals("workspace") || field.equals(Ordering.TIE_BREAKER)))
                && (keys.size() == 1 || keys.size() == 2 && keys.get(1).field().equals(Ordering.TIE_BREAKER)
                        && keys.get(0).descending() == keys.get(1).descending());
    }

    /**
     * The conditions of the public listing and of the private datasets that the caller sees. The private datasets have no rank; the
     * statement counts them as if they were pending additions.
     *
     * @param values
     *            receives the bound values after page size and offset
     */
    public static List<String> rankedConditions(Filter filter, Caller caller, List<Object> values) {
        if (filter.onlyWorkspace() != null) {
            values.add(filter.onlyWorkspace());
        }
        return FilterSql.visible(Filter.NONE, caller, values);
    }

    private Uni<ListingResult> countedPage(ListingQuery query, Caller caller, FieldSelection shown) {
        String select = shown.selectList();
        List<Object> values = values(query.request());
        List<String> visible = FilterSql.visible(query.filter(), caller, values);
        Supplier<Uni<ListingResult>> ofAny = () -> page(DatabaseServer::searches,
                CountedPageSql.page(query, select, visible, fields),
                query, caller, shown, values);
        return CountedPageSql.goesThroughIndexes(query, visible)
                ? ofAny.get()
                : page(DatabaseServer::searches, CountedPageSql.pageOfFew(query, select, visible, fields), query,
                        caller,
                        shown,
                        values)
                        .chain(few -> few.count() <= CountedPageSql.FEW ? Uni.createFrom().item(few) : ofAny.get());
    }

    private Uni<ListingResult> page(Function<DatabaseServer, StatementRunner> way, String sql, ListingQuery query,
            Caller caller,
            FieldSelection shown, List<Object> values) {
        return read(caller, from -> statements.rows(way.apply(from), sql, values))
                .map(rows -> result(rows, signer(query.fields()), shown));
    }

    /**
     * Streams all datasets that match and that the caller sees; an admin also sees drafts and deleted datasets. All are
     * of one snapshot. A cursor reads as fast as the subscriber requests. The stream holds a connection until it ends
     * or is cancelled.
     */
    public Multi<DatasetView> export(ListingQuery query, Caller caller) {
        List<Object> values = new ArrayList<>();
        return stream(query, caller, FilterSql.exported(query.filter(), caller, values), values);
    }

    /** Streams the datasets of all pages of the listing. */
    public Multi<DatasetView> stream(ListingQuery query, Caller caller) {
        List<Object> values = new ArrayList<>();
        return stream(query, caller, FilterSql.visible(query.filter(), caller, values), values);
    }

    private Multi<DatasetView> stream(ListingQuery query, Caller caller, List<String> visible, List<Object> values) {
        Ordering ordering = query.request().ordering();
        String sql = STREAM.formatted(query.fields().selectList(),
                FilterSql.datasetsFrom(visible, fields.orderBy("", ordering)),
                fields.orderBy("d.", ordering));
        UnaryOperator<String> links = links(signer(query.fields()));
        // PostgreSQL sorts an order without an index before it returns the first row.
        Function<SqlConnection, Multi<DatasetView>> work = connection -> connection.preparedQuery(STREAM_TIMEOUT)
                .execute(Tuple.of(streamTimeoutMillis))
                .chain(() -> connection.prepare(sql))
                .onItem()
                // Closed in any case: the next transaction of this backend may prepare one with the same name.
                .transformToMulti(statement -> statement.createStream(FETCH_SIZE, Tuple.from(values)).toMulti()
                        .onTermination().call(statement::close))
                .map(row -> query.fields().read(row, links))
                .invoke(() -> streamed.increment());
        return caller.mayWrite() ? reads.streamFromPrimary(work) : reads.stream(work);
    }

    /** The first stored thumbnails by dataset id, with those of drafts and deleted datasets. */
    public Uni<List<Thumbnail>> thumbnails(int limit) {
        return reads.primary().searches().execute(THUMBNAILS, Tuple.of(limit))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new Thumbnail(row.getLong("id"), row.getString("category"),
                                row.getString("thumbnail_key")))
                        .toList());
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

    public static Revision revision(Row row) {
        return new Revision(row.getLong("id"), row.getLong("version"),
                microseconds(row.getOffsetDateTime("updated_at")));
    }

    private static long microseconds(OffsetDateTime time) {
        return time.toEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }
}
