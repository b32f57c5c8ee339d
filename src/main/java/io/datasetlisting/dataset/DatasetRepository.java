package io.datasetlisting.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.Ordering;
import io.datasetlisting.storage.ThumbnailLinks;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads many datasets: a page of them, or all. */
@ApplicationScoped
public class DatasetRepository {

    /** The sortable fields of the contract and their columns: no other name reaches the SQL. */
    private static final Map<String, String> SORT_COLUMNS = Map.ofEntries(Map.entry("id", "id"),
            Map.entry("uav_uid", "uav_uid"), Map.entry("user", "owner_name"), Map.entry("workspace", "workspace"),
            Map.entry("dataset_name", "dataset_name"), Map.entry("captured_date", "captured_date"),
            Map.entry("is_private", "is_private"), Map.entry("is_shareable", "is_shareable"),
            Map.entry("cant_orthomosaic", "cant_orthomosaic"), Map.entry("is_dem_processing", "is_dem_processing"),
            Map.entry("cumulative_adjustment", "cumulative_adjustment"),
            Map.entry("latest_adjustment_status", "latest_adjustment_status"));

    /** The same words as in the indexes' own conditions, so that ids and counts come from an index alone. */
    private static final String PUBLIC = "not is_deleted and not is_private and coordinates is not null";
    private static final String PRIVATE = "not is_deleted and is_private and coordinates is not null";

    private static final String COLUMNS = """
            d.id, d.uav_uid, d.owner_name || ' ' || d.owner_id, d.workspace, d.dataset_name, d.category,
            d.thumbnail_key, d.captured_date, d.is_private, d.is_shareable, d.available_rasters, d.is_deleted,
            d.band_stats::text, d.bbox, d.coordinates, d.cant_orthomosaic, d.is_dem_processing,
            d.cumulative_adjustment, d.latest_adjustment_status, d.latest_adjustment_id""";
    private static final int COUNT_COLUMN = 20;

    /**
     * Count and page in one statement, that is one round trip and one snapshot. The ids of the page come from an index
     * scan of narrow entries first, the wide columns are fetched for those alone: an array of ids keeps the planner on
     * the primary key, whatever page size the prepared statement gets; and limit and offset in subqueries keep it from
     * planning each request anew, for a gain that it sees in their values. An empty page still has its row with the
     * count. Parameters: page size; offset, or null for the last page; the account whose private ones are visible.
     */
    private static final String PAGE = """
            with listed as materialized (select %1$s as count)
            select %3$s, listed.count
            from listed left join dataset d on d.id = any (array(
                select id from %2$s order by %4$s
                limit (select $1::bigint)
                offset (select coalesce($2::bigint, greatest(count - 1, 0) / $1 * $1) from listed)))
            order by %5$s""";

    private static final String STREAM = "select %s from %s d order by %s";

    private static final String THUMBNAILS = """
            select id, coalesce(category[1], 'Other'), thumbnail_key from dataset
            where thumbnail_key is not null order by id limit $1""";

    /** Rows that a cursor brings along at once. */
    private static final int FETCH_SIZE = 500;

    private final Pool pool;
    private final ThumbnailLinks thumbnails;

    public DatasetRepository(Pool pool, ThumbnailLinks thumbnails) {
        this.pool = pool;
        this.thumbnails = thumbnails;
    }

    /**
     * Some datasets of a larger number.
     *
     * @param count
     *            how many there are on all pages
     * @param datasets
     *            those of the page that was asked for, none when it is beyond the end
     */
    public record Slice(long count, List<DatasetView> datasets) {
    }

    /** What a thumbnail can be drawn from: a dataset's id and the first of its categories. */
    public record Thumbnail(long datasetId, String category, String key) {
    }

    /** The names that {@link Ordering} may use here. */
    public static Set<String> sortable() {
        return SORT_COLUMNS.keySet();
    }

    /** The page that is asked for, out of all datasets that the caller gets to see. */
    public Uni<Slice> list(ListRequest request, Caller caller) {
        Long offset = request.page() == ListRequest.LAST_PAGE ? null : (request.page() - 1) * request.pageSize();
        Tuple values = Tuple.of((long) request.pageSize(), offset);
        List<String> visible = visible(caller, values);
        String order = orderBy("", request.ordering());
        String count = visible.stream().map("(select count(*) from dataset where %s)"::formatted)
                .collect(Collectors.joining(" + "));
        return pool.preparedQuery(PAGE.formatted(count, rows(visible, order) + " visible", COLUMNS, order,
                orderBy("d.", request.ordering())))
                .execute(values)
                .map(this::slice);
    }

    /**
     * All datasets that the caller gets to see, read through a cursor as fast as they are asked for; for an admin the
     * drafts and the deleted ones, too. They are of one moment in time. Holds a connection until it ends or is
     * cancelled.
     */
    public Multi<DatasetView> stream(ListRequest request, Caller caller) {
        Tuple values = Tuple.tuple();
        List<String> visible = caller.isAdmin() ? List.of("true") : visible(caller, values);
        String sql = STREAM.formatted(COLUMNS, rows(visible, orderBy("", request.ordering())),
                orderBy("d.", request.ordering()));
        ThumbnailLinks.Signer signer = thumbnails.signer();
        return Multi.createFrom().resourceFromUni(pool::getConnection, connection -> connection.begin()
                .chain(() -> connection.prepare(sql))
                .onItem()
                .transformToMulti(statement -> statement.createStream(FETCH_SIZE, values).toMulti())
                .map(row -> view(row, signer)))
                // Which ends the transaction, too.
                .withFinalizer(SqlConnection::close);
    }

    /** The first datasets, by id, of those that have a thumbnail; deleted ones and drafts are among them. */
    public Uni<List<Thumbnail>> thumbnails(int limit) {
        return pool.preparedQuery(THUMBNAILS)
                .mapping(row -> new Thumbnail(row.getLong(0), row.getString(1), row.getString(2)))
                .execute(Tuple.of(limit))
                .map(rows -> rows.stream().toList());
    }

    /** The conditions of what the caller gets to see, each with indexes of its own; binds what they name. */
    private static List<String> visible(Caller caller, Tuple values) {
        if (caller.isAdmin()) {
            return List.of(PUBLIC, PRIVATE);
        }
        if (caller.isAnonymous()) {
            return List.of(PUBLIC);
        }
        values.addLong(caller.accountId());
        return List.of(PUBLIC, PRIVATE + " and owner_id = $" + values.size());
    }

    /** Several parts are sorted one by one, each by an index if it has one, and merged where they are read. */
    private static String rows(List<String> conditions, String order) {
        return conditions.size() == 1
                ? "(select * from dataset where " + conditions.get(0) + ")"
                : conditions.stream()
                        .map(condition -> "(select * from dataset where " + condition + " order by " + order + ")")
                        .collect(Collectors.joining(" union all ", "(", ")"));
    }

    private static String orderBy(String prefix, Ordering ordering) {
        return ordering.keys()
                .stream()
                .map(key -> prefix + SORT_COLUMNS.get(key.field()) + (key.descending() ? " desc" : ""))
                .collect(Collectors.joining(", "));
    }

    private Slice slice(RowSet<Row> rows) {
        long count = 0;
        List<DatasetView> datasets = new ArrayList<>(rows.size());
        ThumbnailLinks.Signer signer = thumbnails.signer();
        for (Row row : rows) {
            count = row.getLong(COUNT_COLUMN);
            if (row.getLong(0) != null) {
                datasets.add(view(row, signer));
            }
        }
        return new Slice(count, datasets);
    }

    private static DatasetView view(Row row, ThumbnailLinks.Signer signer) {
        return new DatasetView(row.getLong(0), row.getUUID(1), row.getString(2), row.getLong(3), row.getString(4),
                row.getArrayOfStrings(5), signer.link(row.getString(6)), row.getOffsetDateTime(7).toInstant(),
                row.getBoolean(8), row.getBoolean(9), row.getArrayOfStrings(10), row.getBoolean(11), null,
                row.getString(12), doubles(row.getArrayOfDoubles(13)), doubles(row.getArrayOfDoubles(14)),
                row.getBoolean(15), row.getBoolean(16), row.getDouble(17), row.getString(18), row.getString(19));
    }

    /** A draft has no coordinates. */
    private static double[] doubles(Double[] boxed) {
        double[] doubles = new double[boxed == null ? 0 : boxed.length];
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = boxed[i];
        }
        return doubles;
    }
}
