package io.datasetlisting.catalogue.grid;

import io.datasetlisting.dataset.cql2.Expression.Box;

/** The bounds of footprints: of the two that go around the world either way, the narrower. */
final class Bounds {

    private static final double WORLD = 360;

    private double west = Double.POSITIVE_INFINITY;
    private double south = Double.POSITIVE_INFINITY;
    private double east = Double.NEGATIVE_INFINITY;
    private double north = Double.NEGATIVE_INFINITY;
    /** As if the world began at the meridian of Greenwich. */
    private double westOfAll = Double.POSITIVE_INFINITY;
    private double eastOfAll = Double.NEGATIVE_INFINITY;

    void add(double fromLongitude, double fromLatitude, double toLongitude, double toLatitude) {
        west = fromLongitude < west ? fromLongitude : west;
        south = fromLatitude < south ? fromLatitude : south;
        east = toLongitude > east ? toLongitude : east;
        north = toLatitude > north ? toLatitude : north;
        double turn = fromLongitude + toLongitude < 0 ? WORLD : 0;
        westOfAll = fromLongitude + turn < westOfAll ? fromLongitude + turn : westOfAll;
        eastOfAll = toLongitude + turn > eastOfAll ? toLongitude + turn : eastOfAll;
    }

    /** The bounds, or null without a footprint. */
    Box box() {
        if (west > east) {
            return null;
        }
        boolean crosses = eastOfAll - westOfAll < east - west && westOfAll <= WORLD / 2 && eastOfAll > WORLD / 2;
        return crosses ? new Box(westOfAll, south, eastOfAll - WORLD, north) : new Box(west, south, east, north);
    }
}
