package io.datasetlisting.base.place;

/** One of eight directions of the compass. */
public enum Direction {

    NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST;

    private static final int DEGREES = 360 / values().length;

    /** The direction in which a path along a great circle starts. */
    static Direction of(double latitude, double longitude, double toLatitude, double toLongitude) {
        double from = Math.toRadians(latitude);
        double to = Math.toRadians(toLatitude);
        double eastwards = Math.toRadians(toLongitude - longitude);
        double bearing = Math.toDegrees(Math.atan2(Math.sin(eastwards) * Math.cos(to),
                Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(eastwards)));
        return values()[Math.floorMod(Math.round(bearing / DEGREES), values().length)];
    }
}
