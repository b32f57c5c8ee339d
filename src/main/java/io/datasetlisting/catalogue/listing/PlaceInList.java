package io.datasetlisting.catalogue.listing;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.SelectedDataset;

/** Finds the datasets before and behind one in a list, among all of the list in any order. */
final class PlaceInList {

    private final Spot own;
    private final Order order;
    private final long key;
    private Long less;
    private long lessKey;
    private Long greater;
    private long greaterKey;

    /**
     * @param order
     *            of the list; null if no column has it
     */
    PlaceInList(Spot own, Order order) {
        this.own = own;
        this.order = order;
        key = isKnown() ? switch (order.column()) {
            case TIMES -> own.micros();
            case WORKSPACES -> own.workspace();
            default -> own.id();
        } : 0;
    }

    /** Whether columns have the order. A flag would have to be compared with the flags of all others. */
    boolean isKnown() {
        return order != null && order.column() != Column.MARKS;
    }

    void add(SelectedDataset other) {
        long id = other.id();
        long otherKey = switch (order.column()) {
            case TIMES -> other.time();
            case WORKSPACES -> other.workspace();
            default -> id;
        };
        int compared = compare(otherKey, id, key, own.id());
        if (compared > 0 && (greater == null || compare(otherKey, id, greaterKey, greater) < 0)) {
            greater = id;
            greaterKey = otherKey;
        } else if (compared < 0 && (less == null || compare(otherKey, id, lessKey, less) > 0)) {
            less = id;
            lessKey = otherKey;
        }
    }

    private static int compare(long key, long id, long otherKey, long otherId) {
        return key == otherKey ? Long.compare(id, otherId) : Long.compare(key, otherKey);
    }

    Long previous() {
        return isKnown() && order.descending() ? greater : less;
    }

    Long next() {
        return isKnown() && order.descending() ? less : greater;
    }
}
