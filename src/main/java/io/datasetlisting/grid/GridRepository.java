package io.datasetlisting.grid;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.database.QueryCoalescer;
import io.datasetlisting.database.Sql;
import io.datasetlisting.listing.ListingRepository;
import io.datasetlisting.query.Filter;
import io.datasetlisting.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Reads how many datasets of a view lie where. */
@ApplicationScoped
public class GridRepository {

    private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.HALF_UP);
    /** A tenth of a metre. */
    private static final double PLACES = 1e6;
    /** The same cells make the same response, and so the same ETag. */
    private static final Comparator<Grid.Cell> IN_ROWS = Comparator
            .comparingDouble((Grid.Cell cell) -> cell.box().south())
            .thenComparingDouble(cell -> cell.box().west());

    private final Reads reads;
    private final QueryCoalescer statements;

    GridRepository(Reads reads, QueryCoalescer statements) {
        this.reads = reads;
        this.statements = statements;
    }

    /**
     * The counts of the datasets that match and that the caller sees in a listing.
     *
     * @param filter
     *            with at most one box, which is the view. Without a box the view is the whole world
     */
    public Uni<Grid> read(Expression filter, Caller caller) {
        Grid.Cells cells = Grid.Cells.over(Optional.ofNullable(Filter.boxOf(filter)).orElse(Expression.Box.WORLD));
        Sql sql = GridSql.of(Filter.everywhere(filter), cells, caller);
        return ListingRepository.read(reads, caller, from -> statements.rows(from.searches(), sql))
                .map(rows -> grid(rows, cells));
    }

    private static Grid grid(RowSet<Row> rows, Grid.Cells cells) {
        Row first = rows.iterator().next();
        boolean exact = first.getBoolean("exact");
        double scale = first.getDouble("scale");
        long found = 0;
        List<Grid.Cell> filled = new ArrayList<>(rows.size());
        for (Row row : rows) {
            Long count = row.getLong("count");
            if (count != null) {
                found += count;
                filled.add(cells.cell(row.getInteger("cell_column"), row.getInteger("cell_row"),
                        rounded(row.getDouble("longitude")), rounded(row.getDouble("latitude")),
                        exact ? count : estimate(count, scale)));
            }
        }
        filled.sort(IN_ROWS);
        return new Grid(first.getLong("listing"), exact ? found : estimate(found, scale), exact, filled);
    }

    private static long estimate(long found, double scale) {
        return new BigDecimal(found * scale).round(TWO_DIGITS).setScale(0, RoundingMode.HALF_UP).longValue();
    }

    private static double rounded(double degrees) {
        return Math.round(degrees * PLACES) / PLACES;
    }
}
