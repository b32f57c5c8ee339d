package io.datasetlisting.catalogue.grid;

import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.cql2.Expression;
import io.smallrye.mutiny.Uni;

/** Reads how many datasets of a view lie where. */
@ApplicationScoped
public class GridRepository {

    private final ColumnRepository columns;

    GridRepository(ColumnRepository columns) {
        this.columns = columns;
    }

    /**
     * The counts of the datasets that match and that the caller sees in a listing.
     *
     * @param filter
     *            with at most one box, which is the view. Without a box the view is the whole world
     */
    public Uni<Grid> read(Expression filter, Caller caller) {
        Expression.Box view = Optional.ofNullable(Filter.boxOf(filter)).orElse(Expression.Box.WORLD);
        Grid.Cells cells = Grid.Cells.over(view);
        // Each dataset touches the world.
        Expression selected = view.equals(Expression.Box.WORLD) ? Filter.everywhere(filter) : filter;
        return columns.count(SnapshotRequest.of(caller, selected, Grid.COLUMNS, cells),
                () -> new Grid.Counter(selected, cells));
    }
}
