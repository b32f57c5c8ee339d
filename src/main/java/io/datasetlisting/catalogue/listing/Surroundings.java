package io.datasetlisting.catalogue.listing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.dataset.format.BoundingBox;

/**
 * Keeps, of any number of datasets, the newest ones that show the same place as a dataset on another day, and of the others
 * the nearest ones.
 */
final class Surroundings {

    private static final int MAX = 6;
    private static final long DAY = 86_400_000_000L;

    private final Spot own;
    private final PriorityQueue<Ranked> nearest = new PriorityQueue<>(Comparator.reverseOrder());
    private final PriorityQueue<Ranked> newest = new PriorityQueue<>(Comparator.reverseOrder());

    Surroundings(Spot own) {
        this.own = own;
    }

    private record Ranked(double rank, long id) implements Comparable<Ranked> {

        @Override
        public int compareTo(Ranked other) {
            return rank == other.rank ? Long.compare(id, other.id) : Double.compare(rank, other.rank);
        }
    }

    void add(Elements part, int place, double west, double south, double east, double north) {
        long id = part.integers(Column.IDS).get(place);
        long micros = part.integers(Column.TIMES).get(place);
        BoundingBox other = new BoundingBox(west, south, east, north);
        if (id == own.id()) {
            return;
        }
        boolean isOtherDay = Math.floorDiv(micros, DAY) != Math.floorDiv(own.micros(), DAY);
        if (isOtherDay && isSamePlace(other)) {
            keep(newest, new Ranked(-micros, id));
        } else {
            keep(nearest, new Ranked(distance(other), id));
        }
    }

    /** The queue has its last dataset first. */
    private static void keep(PriorityQueue<Ranked> queue, Ranked dataset) {
        if (queue.size() < MAX) {
            queue.add(dataset);
        } else if (dataset.compareTo(queue.peek()) < 0) {
            queue.poll();
            queue.add(dataset);
        }
    }

    /** Whether the footprints have at least half of the larger one in common. Two points must be equal. */
    private boolean isSamePlace(BoundingBox other) {
        double otherWidth = other.width();
        double ownWidth = own.footprint().width();
        double shift = wrap(other.west() + otherWidth / 2 - own.footprint().west() - ownWidth / 2);
        double width = Math.min(ownWidth / 2, shift + otherWidth / 2) - Math.max(-ownWidth / 2, shift - otherWidth / 2);
        double height = Math.min(own.footprint().north(), other.north())
                - Math.max(own.footprint().south(), other.south());
        double larger = Math.max(ownWidth * (own.footprint().north() - own.footprint().south()),
                otherWidth * (other.north() - other.south()));
        return width >= 0 && height >= 0 && width * height >= larger / 2;
    }

    /** Between the centers, in squares of degrees of latitude. */
    private double distance(BoundingBox other) {
        double latitude = (own.footprint().south() + own.footprint().north()) / 2;
        double north = (other.south() + other.north()) / 2 - latitude;
        double east = wrap(other.west() + other.width() / 2 - own.footprint().west()
                - own.footprint().width() / 2) * Math.cos(Math.toRadians(latitude));
        return north * north + east * east;
    }

    /** A difference of longitudes between -180 and 180. */
    private static double wrap(double degrees) {
        return degrees - 360 * Math.rint(degrees / 360);
    }

    List<Long> nearby() {
        return first(nearest);
    }

    List<Long> otherDays() {
        return first(newest);
    }

    private static List<Long> first(PriorityQueue<Ranked> queue) {
        List<Ranked> sorted = new ArrayList<>(queue);
        sorted.sort(Comparator.naturalOrder());
        return sorted.stream().map(Ranked::id).toList();
    }
}
