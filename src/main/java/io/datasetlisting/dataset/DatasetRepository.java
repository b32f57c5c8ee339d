package io.datasetlisting.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.Ordering;
import io.datasetlisting.storage.ThumbnailLinks;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads datasets. The only place that knows their SQL. */
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
    private static final String LISTED = "not is_deleted and not is_private and coordinates is not null";

    /**
     * Count and page in one statement, that is one round trip and one snapshot. The ids of the page come from an index
     * scan of narrow entries first, the wide columns are fetched for those alone: an array of ids keeps the planner on
     * the primary key, whatever page size the prepared statement gets; and limit and offset in subqueries keep it from
     * planning each request anew, for a gain that it sees in their values. An empty page still has its row with the
     * count. Parameters: page size; offset, or null for the last page.
     */
    private static final String PAGE = """
            with listed as materialized (select count(*) as count from dataset where %1$s)
            select listed.count, d.id, d.uav_uid, d.owner_name || ' ' || d.owner_id, d.workspace, d.dataset_name,
                d.category, d.thumbnail_key, d.captured_date, d.is_private, d.is_shareable, d.available_rasters,
                d.is_deleted, d.band_stats::text, d.bbox, d.coordinates, d.cant_orthomosaic, d.is_dem_processing,
                d.cumulative_adjustment, d.latest_adjustment_status, d.latest_adjustment_id
            from listed left join dataset d on d.id = any (array(
                select id from dataset where %1$s order by %2$s
                limit (select $1::bigint)
                offset (select coalesce($2::bigint, (count - 1) / $1 * $1) from listed)))
            order by %3$s""";

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

    /** The names that {@link Ordering} may use here. */
    public static Set<String> sortable() {
        return SORT_COLUMNS.keySet();
    }

    /** The page that is asked for, out of all datasets that anyone may see. */
    public Uni<Slice> list(ListRequest request) {
        Long offset = request.page() == ListRequest.LAST_PAGE ? null : (request.page() - 1) * request.pageSize();
        return pool.preparedQuery(
                PAGE.formatted(LISTED, orderBy("", request.ordering()), orderBy("d.", request.ordering())))
                .execute(Tuple.of((long) request.pageSize(), offset))
                .map(this::slice);
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
            count = row.getLong(0);
            if (row.getLong(1) != null) {
                datasets.add(view(row, signer));
            }
        }
        return new Slice(count, datasets);
    }

    private static DatasetView view(Row row, ThumbnailLinks.Signer signer) {
        return new DatasetView(row.getLong(1), row.getUUID(2), row.getString(3), row.getLong(4), row.getString(5),
                row.getArrayOfStrings(6), signer.link(row.getString(7)), row.getOffsetDateTime(8).toInstant(),
                row.getBoolean(9), row.getBoolean(10), row.getArrayOfStrings(11), row.getBoolean(12), null,
                row.getString(13), doubles(row.getArrayOfDoubles(14)), doubles(row.getArrayOfDoubles(15)),
                row.getBoolean(16), row.getBoolean(17), row.getDouble(18), row.getString(19), row.getString(20));
    }

    private static double[] doubles(Double[] boxed) {
        double[] doubles = new double[boxed.length];
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = boxed[i];
        }
        return doubles;
    }
}
