package io.datasetlisting.catalogue.search;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Selection;

/**
 * Where and when the datasets of a listing were captured.
 *
 * @param listing
 *            the listing version of the snapshot
 * @param count
 *            of the datasets
 * @param box
 *            west, south, east and north in degrees; null without datasets
 * @param first
 *            the earliest time of capture; null without datasets
 * @param last
 *            the latest time of capture; null without datasets
 */
public record ListingExtent(long listing, long count, List<Double> box, Instant first, Instant last) {

    /** The columns that an extent is computed from. */
    static final Set<Column> COLUMNS = EnumSet.of(Column.TIMES, Column.WESTS, Column.SOUTHS, Column.EASTS,
            Column.NORTHS);

    static ListingExtent of(long listing, Selection datasets) {
        double[] box = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
                Double.NEGATIVE_INFINITY};
        datasets.forEachFootprint((part, place, west, south, east, north) -> {
            box[0] = Math.min(box[0], west);
            box[1] = Math.min(box[1], south);
            box[2] = Math.max(box[2], east);
            box[3] = Math.max(box[3], north);
        });
        Selection.Times times = datasets.times();
        return times.first() == null
                ? new ListingExtent(listing, 0, null, null, null)
                : new ListingExtent(listing, datasets.count(), List.of(box[0], box[1], box[2], box[3]), times.first(),
                        times.last());
    }

    /** Of these and other datasets of the same snapshot. */
    ListingExtent and(ListingExtent other) {
        if (box == null || other.box == null) {
            return box == null ? other : this;
        }
        return new ListingExtent(listing, count + other.count,
                List.of(Math.min(box.get(0), other.box.get(0)), Math.min(box.get(1), other.box.get(1)),
                        Math.max(box.get(2), other.box.get(2)), Math.max(box.get(3), other.box.get(3))),
                Collections.min(List.of(first, other.first)), Collections.max(List.of(last, other.last)));
    }
}
