package io.datasetlisting.catalogue.column;

/**
 * A dataset. It has the values of the columns that were asked for. Not to be kept: the same object stands for the next
 * one.
 */
public final class SelectedDataset {

    private Elements part;
    private int place;

    SelectedDataset() {
    }

    void move(Elements toPart, int toPlace) {
        part = toPart;
        place = toPlace;
    }

    public long id() {
        return integer(Column.IDS);
    }

    /** The id of the owner. */
    public long owner() {
        return integer(Column.OWNERS);
    }

    public long workspace() {
        return integer(Column.WORKSPACES);
    }

    /** Microseconds from 1970 to the capture. */
    public long time() {
        return integer(Column.TIMES);
    }

    /** In degrees, as the other edges of the footprint. */
    public double west() {
        return part.numbers(Column.WESTS)[place];
    }

    public double south() {
        return part.numbers(Column.SOUTHS)[place];
    }

    public double east() {
        return part.numbers(Column.EASTS)[place];
    }

    public double north() {
        return part.numbers(Column.NORTHS)[place];
    }

    private long integer(Column column) {
        return part.integers(column).get(place);
    }
}
