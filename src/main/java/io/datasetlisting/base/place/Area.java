package io.datasetlisting.base.place;

/** A box in degrees. An area does not cross the 180th meridian. */
public record Area(double west, double south, double east, double north) {

    private static final double KILOMETRES_OF_A_DEGREE = 111.2;
    /** Meridians meet at the poles: no area is wider than it would be at this latitude. */
    private static final double WIDEST_AT = 80;

    /** A box around a point. The box is cut off at the poles and at the 180th meridian. */
    public static Area around(double latitude, double longitude, double kilometres) {
        double high = kilometres / KILOMETRES_OF_A_DEGREE;
        double wide = high / Math.cos(Math.toRadians(Math.min(Math.abs(latitude), WIDEST_AT)));
        return new Area(round(Math.max(-180, longitude - wide)), round(Math.max(-90, latitude - high)),
                round(Math.min(180, longitude + wide)), round(Math.min(90, latitude + high)));
    }

    private static double round(double degrees) {
        return Math.round(degrees * 1_000) / 1_000d;
    }
}
