package io.datasetlisting.catalogue.tile;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.DatasetTitle;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Reads vector tiles of the datasets that match a filter. */
@ApplicationScoped
class TileRepository {

    private static final String DATASETS = """
            select id, dataset_name, captured_date from dataset where id = any ({ids}::bigint[]) order by id""";

    private static final Set<Column> COLUMNS = EnumSet.of(Column.IDS, Column.WESTS, Column.SOUTHS, Column.EASTS,
            Column.NORTHS);

    private final ColumnRepository columns;

    TileRepository(ColumnRepository columns) {
        this.columns = columns;
    }

    /**
     * A tile.
     *
     * @param listing
     *            the listing version
     * @param bytes
     *            none if the tile has no dataset
     */
    record Tile(long listing, byte[] bytes) {
    }

    /** The datasets of a tile in columns. */
    private static final class Found implements ChunkCounter<Found> {

        private final Expression filter;
        private final DatasetLayer datasets;
        private final DensityLayer density;
        private long listing;

        Found(Expression filter, TileAddress address) {
            this.filter = filter;
            datasets = new DatasetLayer(address);
            density = new DensityLayer(address);
        }

        @Override
        public void add(Snapshot chunk) {
            Selection selection = chunk.select(filter);
            selection.forEachFootprint(density);
            datasets.add(selection);
        }

        @Override
        public Found result(long version) {
            listing = version;
            return this;
        }

        Tile tile(RowSet<Row> rows) {
            for (Row row : rows) {
                long id = row.getLong("id");
                datasets.write(id, DatasetTitle.of(row.getString("dataset_name"), id),
                        row.getOffsetDateTime("captured_date").toInstant().toString());
            }
            return tile();
        }

        Tile tile() {
            return new Tile(listing, new VectorTile().add(density.layer()).add(datasets.layer()).bytes());
        }
    }

    /** The tile of the datasets that match and that the caller sees in a listing. */
    Uni<Tile> read(Expression filter, Caller caller, TileAddress address) {
        // Each dataset touches the tile of the world.
        Expression selected = address.zoom() == 0 ? filter : filter.and(address.box());
        return columns.count(SnapshotRequest.of(caller, selected, COLUMNS, address),
                () -> new Found(selected, address), TileRepository::complete);
    }

    private static Uni<Tile> complete(StatementRunner statements, Found found) {
        Long[] ids = found.datasets.ids();
        return ids.length == 0
                ? Uni.createFrom().item(found.tile())
                : statements.execute(Sql.of(DATASETS, Map.of("ids", Sql.value(ids))).plannedOnce()).map(found::tile);
    }
}
