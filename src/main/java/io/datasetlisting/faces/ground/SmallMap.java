package io.datasetlisting.faces.ground;

import io.datasetlisting.dataset.format.BoundingBox;

/**
 * The footprint of a dataset on a map of the land around it, in place of a picture. The template {@code smallMap} draws it.
 *
 * @param land
 *            the data of an SVG path
 * @param borders
 *            the same of the borders of countries
 */
public record SmallMap(String land, String borders, double x, double y, double width, double height) {

    private static final int WIDTH = 120;
    private static final int HEIGHT = 90;
    /** In degrees of latitude. A reader recognizes a coast or a country. */
    private static final double SMALLEST = 12;
    /** How many times higher than the footprint. */
    private static final double AROUND = 3;
    /** In units. A smaller footprint would not be seen. */
    private static final double MARK = 5;
    private static final double STEEPEST = Math.toRadians(75);

    public static SmallMap of(BoundingBox box) {
        double latitude = (box.south() + box.north()) / 2;
        double longitude = (box.west() + box.east()) / 2;
        double shrink = Math.cos(Math.min(STEEPEST, Math.toRadians(Math.abs(latitude))));
        double degrees = Math.max(SMALLEST, AROUND
                * Math.max(box.north() - box.south(), (box.east() - box.west()) * shrink * HEIGHT / WIDTH));
        double y = HEIGHT / Math.min(180, degrees);
        double x = y * shrink;
        LandOutline.Window window = new LandOutline.Window(longitude - WIDTH / x / 2, latitude + HEIGHT / y / 2, x, y,
                WIDTH, HEIGHT);
        double width = Math.max(MARK, Math.min(WIDTH, (box.east() - box.west()) * x));
        double height = Math.max(MARK, Math.min(HEIGHT, (box.north() - box.south()) * y));
        return new SmallMap(window.land(), window.borders(), round((WIDTH - width) / 2), round((HEIGHT - height) / 2),
                round(width), round(height));
    }

    private static double round(double units) {
        return Math.round(units * 10) / 10.0;
    }
}
