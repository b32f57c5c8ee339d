package io.datasetlisting.base.place;

/** A box in degrees. The west of an area that crosses the 180th meridian is greater than its east. */
public record Area(double west, double south, double east, double north) {

    private static final double KILOMETRES_OF_A_DEGREE = 111.2;
    private static final double HALF_TURN = 180;
    /** Meridians meet at the poles: no area is wider than it would be at this latitude. */
    private static final double WIDEST_AT = 80;

    /** A box around a point. The box is cut off at the poles. */
    public static Area around(double latitude, double longitude, double kilometres) {
        double high = kilometres / KILOMETRES_OF_A_DEGREE;
        double wide = high / Math.cos(Math.toRadians(Math.min(Math.abs(latitude), WIDEST_AT)));
        return new Area(turned(longitude - wide), round(Math.max(-90, latitude - high)), turned(longitude + wide),
                round(Math.min(90, latitude + high)));
    }

    /** The four numbers as a parameter has them. */
    @Override
    public String toString() {
        return west + "," + south + "," + east + "," + north;
    }

    private static double turned(double longitude) {
        return round(Math.abs(longitude) <= HALF_TURN ? longitude : longitude - Math.signum(longitude) * 2 * HALF_TURN);
    }

    private static double round(double degrees) {
        return Math.round(degrees * 1_000) / 1_000d;
    }
}
