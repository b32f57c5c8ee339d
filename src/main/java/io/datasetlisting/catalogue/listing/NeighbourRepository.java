package io.datasetlisting.catalogue.listing;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.index.SnapshotQuery;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/**
 * Finds what lies around a dataset: datasets nearby, datasets of the same place, and the datasets before and behind it in a
 * list. The caller sees them all, because columns find them and the same transaction reads them.
 */
@ApplicationScoped
public class NeighbourRepository {

    private static final String STORED = "select d.id%s from dataset d where d.id = any ({ids}::bigint[])";

    private final ColumnRepository columns;
    private final ThumbnailLinks thumbnails;
    private final FieldSelection shown;
    private final String stored;

    NeighbourRepository(ColumnRepository columns, ThumbnailLinks thumbnails, DatasetFields fields) {
        this.columns = columns;
        this.thumbnails = thumbnails;
        shown = fields.onCards();
        stored = STORED.formatted(shown.selectList());
    }

    /**
     * A list that contains the dataset.
     */
    public record InList(Expression filter, Ordering ordering) {
    }

    /**
     * Datasets around another one.
     *
     * @param nearby
     *            the nearest ones, without those of the same place on another day
     * @param otherDays
     *            of the same place, the newest first
     * @param previous
     *            in the list; null at its start, without a list, and in an order of a text, a flag or several fields
     * @param next
     *            in the list; null at its end, and as above
     */
    public record Neighbours(List<DatasetView> nearby, List<DatasetView> otherDays, DatasetView previous,
            DatasetView next) {

        public static final Neighbours NONE = new Neighbours(List.of(), List.of(), null, null);
    }

    private record Found(List<Long> nearby, List<Long> otherDays, Long previous, Long next) {

        Long[] ids() {
            return Stream.of(nearby, otherDays, Stream.of(previous, next).filter(Objects::nonNull).toList())
                    .flatMap(List::stream).distinct().toArray(Long[]::new);
        }

        Neighbours read(Map<Long, DatasetView> datasets) {
            return new Neighbours(all(nearby, datasets), all(otherDays, datasets), datasets.get(previous),
                    datasets.get(next));
        }

        private static List<DatasetView> all(List<Long> ids, Map<Long, DatasetView> datasets) {
            return ids.stream().map(datasets::get).filter(Objects::nonNull).toList();
        }
    }

    /**
     * @param list
     *            null if the caller comes from no list
     *
     * @return nothing if the columns need more memory than they may take, or lack too many changes
     */
    public Uni<Neighbours> find(Spot spot, InList list, Caller caller) {
        List<Expression> filters = new ArrayList<>(List.of(spot.surroundings()));
        Set<Column> read = EnumSet.of(Column.IDS, Column.TIMES, Column.WESTS, Column.SOUTHS, Column.EASTS,
                Column.NORTHS);
        Optional<Order> order = list == null ? Optional.empty() : Order.of(list.ordering());
        if (list != null) {
            filters.add(list.filter());
            order.map(Order::columns).ifPresent(read::addAll);
        }
        return columns.read(new SnapshotQuery<>(
                new SnapshotRequest(caller, filters, read, List.of(spot, Optional.ofNullable(list))),
                snapshot -> found(snapshot, spot, list, order),
                (statements, found) -> statements
                        .execute(Sql.of(stored, Map.of("ids", Sql.value(found.ids()))).plannedOnce())
                        .map(rows -> found.read(views(rows)))))
                .onItem().ifNull().continueWith(Neighbours.NONE);
    }

    private static Found found(Snapshot snapshot, Spot spot, InList list, Optional<Order> order) {
        Surroundings around = new Surroundings(spot);
        snapshot.select(spot.surroundings()).forEachFootprint(around::add);
        // A flag would have to be compared with the flags of all others.
        if (order.isEmpty() || order.get().column() == Column.MARKS) {
            return new Found(around.nearby(), around.otherDays(), null, null);
        }
        Selection all = snapshot.select(list.filter());
        return new Found(around.nearby(), around.otherDays(), next(all, order.get().reversed(), spot),
                next(all, order.get(), spot));
    }

    /** The dataset behind this one; null if there is none. */
    private static Long next(Selection all, Order order, Spot spot) {
        long key = switch (order.column()) {
            case TIMES -> spot.micros();
            case WORKSPACES -> spot.workspace();
            case GSDS -> spot.gsd();
            default -> spot.id();
        };
        long[] next = all.pageBehind(order, key, spot.id(), 1);
        return next.length == 0 ? null : next[0];
    }

    private Map<Long, DatasetView> views(Iterable<Row> rows) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        Map<Long, DatasetView> views = new HashMap<>();
        rows.forEach(row -> views.put(row.getLong("id"), shown.read(row, signer::link)));
        return views;
    }
}
