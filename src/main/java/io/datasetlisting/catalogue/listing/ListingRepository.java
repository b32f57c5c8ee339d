package io.datasetlisting.catalogue.listing;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.Micros;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.index.ColumnRepository.Page;
import io.datasetlisting.catalogue.index.Matches;
import io.datasetlisting.catalogue.index.PlaceRepository;
import io.datasetlisting.catalogue.index.TableRepository;
import io.datasetlisting.catalogue.index.TableRepository.Found;
import io.datasetlisting.catalogue.rank.FoldSignal;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.catalogue.rank.RankedPageSql.Ranked;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Reads pages of datasets by page number. No other class runs this SQL. */
@ApplicationScoped
public class ListingRepository {

    /** So few private datasets are merged with a rank in less time than the order of a column is worth. */
    private static final int FEW_PRIVATE = 500;

    private final Reads reads;
    private final ColumnRepository columns;
    private final TableRepository table;
    private final PlaceRepository places;
    private final QueryCoalescer statements;
    private final FoldSignal folds;
    private final ThumbnailLinks thumbnails;
    private final DatasetFields fields;

    ListingRepository(Reads reads, ColumnRepository columns, TableRepository table, PlaceRepository places,
            QueryCoalescer statements, FoldSignal folds, ThumbnailLinks thumbnails, DatasetFields fields) {
        this.reads = reads;
        this.columns = columns;
        this.table = table;
        this.places = places;
        this.statements = statements;
        this.folds = folds;
        this.thumbnails = thumbnails;
        this.fields = fields;
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
        return read(caller, from -> statements.page(from.pages(), sql, request.pageSize(), request.offset()))
                .map(row -> result(row, listing.descending(), signer(query.fields())));
    }

    private Optional<Ranked> ranked(ListingQuery query, Caller caller) {
        return ranked(query.filter(), query.request().ordering(), caller, fields);
    }

    private <T> Uni<T> read(Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return read(reads, caller, query);
    }

    /** Reads from the server of the caller. At the end of the request a query that still runs is cancelled. */
    public static <T> Uni<T> read(Reads reads, Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return RequestEnd.cancelAtEnd(reads.read(caller.mayWrite(), query));
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
    public Page<?, ListingResult> inSnapshot(ListingQuery query, FieldSelection shown, Caller caller) {
        Optional<Ranked> ranked = ranked(query, caller);
        CountedPageSql sql = sql(query, caller, shown);
        boolean hasOrder = Order.of(query.request().ordering()).isPresent();
        return new Page<>(
                new SnapshotRequest(caller, List.of(query.filter()), columnsOf(query), contentOf(query, shown),
                        hasOrder && query.filter().equals(Expression.ALL)),
                hasOrder,
                snapshot -> found(query, snapshot),
                (statements, found) -> sql(statements, query, found, sql,
                        ranked.<Supplier<Sql>>map(listing -> () -> ranked(listing, query, shown))),
                rows -> result(rows, signer(query.fields()), shown));
    }

    private CountedPageSql sql(ListingQuery query, Caller caller, FieldSelection shown) {
        return new CountedPageSql(query.request(), caller, shown.selectList(), fields);
    }

    /** The same page by its rank, or else sorted by PostgreSQL. */
    public Uni<ListingResult> withoutColumns(ListingQuery query, FieldSelection shown, Caller caller) {
        return ranked(query, caller)
                .map(listing -> read(caller, from -> statements.rows(from.pages(), ranked(listing, query, shown))))
                .orElseGet(() -> table.read(query.filter(), caller, contentOf(query, shown),
                        (statements, matches) -> statements.execute(sql(query, caller, shown).sorted(matches))))
                .map(rows -> result(rows, signer(query.fields()), shown));
    }

    /** Besides the filter and the caller, these decide the content of a page. */
    private static List<Object> contentOf(ListingQuery query, FieldSelection shown) {
        ListRequest page = query.request();
        return List.of(page.page(), page.pageSize(), page.ordering(), shown.selectList(), query.fields().hasLink());
    }

    private static Sql ranked(Ranked listing, ListingQuery query, FieldSelection shown) {
        return RankedPageSql.datasets(listing, shown.selectList(), query.request().pageSize(),
                query.request().offset());
    }

    private static Set<Column> columnsOf(ListingQuery query) {
        return Order.of(query.request().ordering()).map(Order::columns).orElse(EnumSet.of(Column.IDS));
    }

    private Found found(ListingQuery query, Snapshot snapshot) {
        ListRequest request = query.request();
        return table.find(snapshot, query.filter(), Order.of(request.ordering())
                .<BiFunction<Selection, Matches, long[]>>map(order -> (selection, matches) -> selection.page(order,
                        request.offset(matches.count()), request.pageSize()))
                .orElse(null));
    }

    private Uni<Sql> sql(StatementRunner statements, ListingQuery query, Found found, CountedPageSql sql,
            Optional<Supplier<Sql>> ranked) {
        Matches matches = found.matched();
        if (found.page() != null) {
            return Uni.createFrom().item(sql.page(matches, found.page()));
        }
        ListRequest request = query.request();
        boolean hasRank = ranked.isPresent() && !matches.areFew();
        Supplier<Sql> sorted = hasRank ? ranked.get() : () -> table.sorted(matches, sql::sorted);
        if (request.ordering().onlyKey().isEmpty() || hasRank && found.selection().privates() <= FEW_PRIVATE) {
            return Uni.createFrom().item(sorted);
        }
        Ordering.Key key = request.ordering().onlyKey().get();
        return places.page(statements, found, fields.get(key.field()).sortColumn(), key.descending(),
                request.offset(matches.count()), request.pageSize())
                .map(ids -> ids == null ? sorted.get() : sql.page(matches, ids));
    }

    /**
     * The listing, if its pages have a rank: the order of the whole listing is one field but {@code gsd}, with the id in the
     * same direction to break ties. An admin sees private datasets of all accounts, which no rank counts.
     */
    public static Optional<Ranked> ranked(Expression filter, Ordering ordering, Caller caller, DatasetFields fields) {
        return ordering.onlyKey()
                .filter(key -> filter.equals(Expression.ALL) && !caller.isAdmin()
                        && !key.field().equals(RasterGsd.NAME))
                .map(key -> new Ranked(fields.get(key.field()).sortColumn(), key.descending(), caller.accountId()));
    }

    /** Null when no field of the response is a link. */
    private ThumbnailLinks.Signer signer(FieldSelection shown) {
        return shown.hasLink() ? thumbnails.signer() : null;
    }

    private static UnaryOperator<String> links(ThumbnailLinks.Signer signer) {
        return signer == null ? UnaryOperator.identity() : signer::link;
    }

    /** Null without a listing version. */
    private static ListingResult result(RowSet<Row> rows, ThumbnailLinks.Signer signer, FieldSelection shown) {
        UnaryOperator<String> links = links(signer);
        long count = 0;
        long listing = 0;
        List<Revision> revisions = new ArrayList<>(rows.size());
        List<DatasetView> datasets = new ArrayList<>(rows.size());
        for (Row row : rows) {
            if (row.getLong("listing") == null) {
                return null;
            }
            count = row.getLong("count");
            listing = row.getLong("listing");
            if (row.getLong("id") != null) {
                revisions.add(StoredDatasetRepository.revision(row));
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
            revisions.add(
                    new Revision(ids[place], versions[place], Micros.of(updated[place])));
        }
        return new ListingResult(row.getLong("listing"), row.getLong("count"), revisions,
                signer == null ? "" : signer.id(), List.of());
    }
}
