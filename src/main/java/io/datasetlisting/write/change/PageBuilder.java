package io.datasetlisting.write.change;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.datasetlisting.http.paging.ChangeCursor;

/** Builds a page from the rows of the feed: first the held datasets of the position, then the changes after it. */
final class PageBuilder {

    /** The number of the rows of held datasets. */
    private static final long OF_HELD = 0;

    private final FeedState state;
    private final ChangeQuery query;
    private final long start;
    private final List<Change> changes = new ArrayList<>();
    private final Set<Long> shown = new HashSet<>();
    private final Set<Long> held;
    private final List<ChangeCursor> positions = new ArrayList<>();
    private long folded;
    private long id;
    private long seen;
    private int rows;
    /** Whether rows after the position are left for the next page. */
    private boolean isFull;
    /** Whether the next change cannot be shown before a fold. */
    private boolean isBlocked;

    PageBuilder(FeedState state, ChangeQuery query) {
        this.state = state;
        this.query = query;
        ChangeCursor from = query.from();
        start = from.start() == ChangeCursor.NOT_STARTED ? state.mark() : from.start();
        held = new LinkedHashSet<>(from.held());
        folded = Math.min(from.folded(), state.mark());
        id = from.id();
        seen = from.seen();
    }

    /**
     * Adds a row.
     *
     * @param pending
     *            whether the dataset has a pending change
     * @param change
     *            the change, without a dataset that does not match
     */
    void add(long rowFolded, long rowId, boolean pending, Supplier<Change> change) {
        if (rowFolded == OF_HELD) {
            if (!pending && changes.size() < query.limit()) {
                held.remove(rowId);
                show(change.get(), true);
                keepPosition();
            }
            return;
        }
        rows++;
        if (isFull || isBlocked) {
            return;
        } else if (pending && held.size() == ChangeCursor.MAX_HELD && !held.contains(rowId)) {
            isBlocked = true;
            return;
        } else if (changes.size() == query.limit()) {
            isFull = true;
            return;
        }
        if (pending) {
            held.add(rowId);
        } else {
            held.remove(rowId);
            show(change.get(), rowFolded > start);
        }
        folded = rowFolded;
        id = rowId;
        seen = Math.max(seen, folded);
        keepPosition();
    }

    /** Ends the page. There may be more changes. */
    void end() {
        isFull = true;
    }

    /** Keeps the position after each change of a number that divides evenly. */
    private void keepPosition() {
        if (changes.size() / ChangePage.CHANGES_PER_POSITION > positions.size()) {
            positions.add(position());
        }
    }

    private ChangeCursor position() {
        return new ChangeCursor(state.epoch(), start, folded, id, List.copyOf(held), seen).withoutPassedStart();
    }

    /**
     * @param isKnown
     *            whether the client may have the dataset
     */
    private void show(Change change, boolean isKnown) {
        if ((change.dataset() != null || isKnown) && shown.add(change.id())) {
            changes.add(change);
        }
    }

    ChangePage build() {
        boolean hasMore = isFull || rows == query.limit() && !isBlocked;
        if (!hasMore && !isBlocked) {
            folded = state.mark();
            id = Long.MAX_VALUE;
        }
        return new ChangePage(state.catalogue(), List.copyOf(changes), positions, position(), hasMore);
    }
}
