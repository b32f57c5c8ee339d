package io.datasetlisting.base.place;

/**
 * Where a point lies: a distance in a direction from the nearest town.
 *
 * @param direction
 *            from the town to the point
 */
public record Near(Place town, double kilometres, Direction direction) {

    /** The mean radius of the Earth in kilometres. */
    public static final double EARTH_RADIUS = 6371.0088;

    static Near of(Place town, double latitude, double longitude) {
        return new Near(town, kilometres(town.latitude(), town.longitude(), latitude, longitude),
                Direction.of(town.latitude(), town.longitude(), latitude, longitude));
    }

    /** The length of a path along a great circle, with the haversine formula, which is exact for small distances. */
    private static double kilometres(double latitude, double longitude, double toLatitude, double toLongitude) {
        double north = Math.sin(Math.toRadians(toLatitude - latitude) / 2);
        double east = Math.sin(Math.toRadians(toLongitude - longitude) / 2);
        double square = north * north
                + Math.cos(Math.toRadians(latitude)) * Math.cos(Math.toRadians(toLatitude)) * east * east;
        return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(square)));
    }
}
