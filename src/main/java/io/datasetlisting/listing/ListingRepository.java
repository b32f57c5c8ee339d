package io.datasetlisting.listing;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import jakarta.enterprise.context.ApplicationScoped;

import org.locationtech.jts.geom.Envelope;

import io.datasetlisting.account.Caller;
import io.datasetlisting.database.DatabaseServer;
import io.datasetlisting.database.QueryCoalescer;
import io.datasetlisting.database.ReplicaRouter;
import io.datasetlisting.database.StatementRunner;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.Ordering;
import io.datasetlisting.rank.RankedPageSql;
import io.datasetlisting.storage.ThumbnailLinks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads pages and streams of datasets. No other class runs this SQL. */
@ApplicationScoped
public class ListingRepository {

    private static final String STORED = "select d.id, d.version, d.updated_at%s from dataset d where d.id = any ($1)";

    private static final String STREAM = "select d.id, d.version, d.updated_at%s from %s d order by %s";

    private static final String EXTENT = """
            select min(west) as west, min(south) as south, max(east) as east, max(north) as north,
                   min(first) as first, max(last) as last, %s as listing
            from (%s) part""";

    /** The footprints are read from an index alone, the first and the last time from the ends of another index. */
    private static final String EXTENT_OF_PART = """
            select min((footprint[1])[0]) as west, min((footprint[1])[1]) as south,
                   max((footprint[0])[0]) as east, max((footprint[0])[1]) as north,
                   (select min(captured_date) from dataset where %1$s) as first,
                   (select max(captured_date) from dataset where %1$s) as last
            from dataset where %1$s""";

    /** A stream has its own time limits, so it may wait longer for a lock than an edit. */
    private static final String STREAM_TIMEOUT = """
            select set_config('statement_timeout', $1, true), set_config('lock_timeout', '0', true)""";

    private static final String SEARCH_KEY = "select key from search_key";

    private static final String THUMBNAILS = """
            select id, coalesce(category[1], 'Other') as category, thumbnail_key from dataset
            where thumbnail_key is not null order by id limit $1""";

    /** {@link StreamLimits} ends a stream first. PostgreSQL's limit is for a statement that the service could not cancel. */
    private static final Duration AFTER_STREAM_LIMIT = Duration.ofSeconds(5);

    /** Rows of one fetch of a cursor. */
    private static final int FETCH_SIZE = 500;

    private final ReplicaRouter reads;
    private final QueryCoalescer statements;
    private final ThumbnailLinks thumbnails;
    private final DatasetFields fields;
    private final Intersections intersections;
    private final String stored;
    private final Counter streamed;
    private final String streamTimeoutMillis;

    ListingRepository(ReplicaRouter reads, QueryCoalescer statements, ThumbnailLinks thumbnails,
            DatasetFields fields, Intersections intersections, StreamConfig streams, MeterRegistry meters) {
        this.reads = reads;
        this.statements = statements;
        this.thumbnails = thumbnails;
        this.fields = fields;
        this.intersections = intersections;
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
        String sql = RankedPageSql.revisions(fields.sortColumn(order.field()), order.descending(),
                query.filter().onlyWorkspace() != null, rankedConditions(query.filter(), caller, values));
        return read(caller, from -> statements.page(from.pages(), sql, values))
                .map(row -> result(row, order.descending(), signer(query.fields())));
    }

    /** The extent of all datasets that the caller sees in the listing. It reads an index as a whole. */
    public Uni<ListingExtent> extent(Caller caller) {
        List<Object> values = new ArrayList<>();
        String parts = FilterSql.visible(Filter.NONE, caller, values).stream().map(EXTENT_OF_PART::formatted)
                .collect(Collectors.joining(" union all "));
        String sql = EXTENT.formatted(RankedPageSql.LISTING, parts);
        return read(caller, from -> statements.rows(from.general(), sql, values)).map(rows -> {
            Row row = rows.iterator().next();
            return row.getDouble("west") == null
                    ? ListingExtent.ofNothing(row.getLong("listing"))
                    : new ListingExtent(row.getLong("listing"),
                            List.of(row.getDouble("west"), row.getDouble("south"), row.getDouble("east"),
                                    row.getDouble("north")),
                            row.getOffsetDateTime("first").toInstant(), row.getOffsetDateTime("last").toInstant());
        });
    }

    /** A writer reads from the primary, because a replica may not have its last write yet. */
    private <T> Uni<T> read(Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return caller.mayWrite() ? reads.readPrimary(query) : reads.read(query);
    }

    /** A page of the datasets that match a search and that the caller sees in a listing. */
    public Uni<SearchResult> search(Search search, Caller caller) {
        return resolve(search.filter(), caller).chain(filter -> searchResolved(search.with(filter), caller));
    }

    private Uni<SearchResult> searchResolved(Search search, Caller caller) {
        boolean isWhole = search.filter().isEmpty();
        Long known = search.from().count();
        if (isWhole || known != null && known > CountedPageSql.FEW) {
            return search(search, caller, isWhole && !caller.isAdmin(), false);
        }
        return search(search, caller, false, true)
                .chain(few -> few.count() <= CountedPageSql.FEW
                        ? Uni.createFrom().item(few)
                        : search(search, caller, false, false));
    }

    /**
     * @param hasRank
     *            whether a rank knows the count
     * @param few
     *            whether the statement is the one for few matches
     */
    private Uni<SearchResult> search(Search search, Caller caller, boolean hasRank, boolean few) {
        SearchPageSql page = new SearchPageSql(search, caller);
        String sql = few ? page.pageOfFew() : page.page(hasRank);
        return read(caller, from -> statements.rows(hasRank ? from.pages() : from.general(), sql, page.values()))
                .map(rows -> result(rows, search));
    }

    private static SearchResult result(RowSet<Row> rows, Search search) {
        boolean backward = search.from().backward();
        List<Row> page = new ArrayList<>(rows.size());
        rows.forEach(row -> page.add(row));
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
        return new SearchResult(listing, count, page.stream().map(ListingRepository::revision).toList(),
                (backward ? hasMore : hasEdge) ? position(page.get(0), true, count, listing, search) : null,
                (backward ? hasEdge : hasMore)
                        ? position(page.get(page.size() - 1), false, count, listing, search)
                        : null);
    }

    private static Search.Position position(Row row, boolean backward, long count, long listing, Search search) {
        return new Search.Position(backward, count, listing, IntStream.rangeClosed(1, search.order().size())
                .mapToObj(key -> row.getString("key" + key)).toList());
    }

    /** The datasets with these ids, as stored now, in any order. Ids without a dataset are skipped. */
    public Uni<List<StoredDataset>> find(List<Long> ids, Caller caller) {
        return read(caller, from -> from.pages().execute(stored, Tuple.of(ids.toArray(Long[]::new))))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new StoredDataset(revision(row),
                                fields.all().read(row, UnaryOperator.identity())))
                        .toList());
    }

    /**
     * A filter that finds the same datasets as this one, and that the database decides exactly; see {@link Intersections}. It is this filter
     * itself unless its expression has a geometry that is no box.
     */
    public Uni<Filter> resolve(Filter filter, Caller caller) {
        return intersections.resolve(filter, (superset, limit) -> {
            List<Object> values = new ArrayList<>();
            String sql = FilterSql.extents(superset, caller, limit, values);
            return read(caller, from -> from.general().execute(sql, Tuple.from(values)))
                    .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                            .map(row -> new Intersections.Candidate(row.getLong(0), new Envelope(row.getDouble(1),
                                    row.getDouble(3), row.getDouble(2), row.getDouble(4))))
                            .toList());
        });
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
            String sql = RankedPageSql.datasets(fields.sortColumn(order.field()), order.descending(),
                    filter.onlyWorkspace() != null, shown.selectList(), conditions);
            return page(DatabaseServer::pages, sql, query, caller, shown, values);
        }
        return countedPage(query, caller, shown);
    }

    /**
     * Whether a page has a rank: the order is one field, with the id in the same direction to break ties, of the whole listing;
     * or the order of ids in one workspace. An admin sees private datasets of all accounts, which no rank counts.
     */
    static boolean hasRank(Filter filter, Ordering ordering, Caller caller) {
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
    static List<String> rankedConditions(Filter filter, Caller caller, List<Object> values) {
        if (filter.onlyWorkspace() != null) {
            values.add(filter.onlyWorkspace());
        }
        return FilterSql.visible(Filter.NONE, caller, values);
    }

    private Uni<ListingResult> countedPage(ListingQuery query, Caller caller, FieldSelection shown) {
        String select = shown.selectList();
        List<Object> values = values(query.request());
        List<String> visible = FilterSql.visible(query.filter(), caller, values);
        Supplier<Uni<ListingResult>> ofAny = () -> page(DatabaseServer::general,
                CountedPageSql.page(query, select, visible, fields),
                query, caller, shown, values);
        return CountedPageSql.goesThroughIndexes(query, visible)
                ? ofAny.get()
                : page(DatabaseServer::general, CountedPageSql.pageOfFew(query, select, visible, fields), query, caller,
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

    /** The key that authenticates the positions of searches on all instances. */
    public Uni<byte[]> searchKey() {
        return reads.read(from -> from.general().execute(SEARCH_KEY, Tuple.tuple()))
                .map(rows -> rows.iterator().next().getBuffer("key").getBytes());
    }

    /** The first stored thumbnails by dataset id, with those of drafts and deleted datasets. */
    public Uni<List<Thumbnail>> thumbnails(int limit) {
        return reads.primary().general().execute(THUMBNAILS, Tuple.of(limit))
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

    private static Revision revision(Row row) {
        return new Revision(row.getLong("id"), row.getLong("version"),
                microseconds(row.getOffsetDateTime("updated_at")));
    }

    private static long microseconds(OffsetDateTime time) {
        return time.toEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }
}
