package io.datasetlisting.catalogue.tile;

import java.util.regex.Pattern;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.Expression.Box;

/**
 * The address of a tile of the world in the projection Web Mercator.
 *
 * @param zoom
 *            the world has 2<sup>zoom</sup> columns and rows
 * @param x
 *            the column, from the west
 * @param y
 *            the row, from the north
 */
public record TileAddress(int zoom, int x, int y) {

    static final int MAX_ZOOM = 20;
    /** Units around the tile in which footprints are drawn, so that their edges do not show where tiles meet. */
    static final int BUFFER = 64;
    /** The largest coordinate of a footprint. */
    static final int LAST_UNIT = VectorTile.EXTENT + BUFFER;
    /** The projection ends here. What lies nearer to a pole is moved to this latitude. */
    static final double MAX_LATITUDE = latitude(0, 1);

    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,7}");
    private static final double WORLD = 360;

    /**
     * The tile of an address in a path.
     *
     * @throws ApiException
     *             404 if there is no such tile
     */
    public static TileAddress parse(String zoom, String x, String y) {
        int z = number(zoom);
        TileAddress address = new TileAddress(z, number(x), number(y));
        if (z > MAX_ZOOM || address.x >= 1 << z || address.y >= 1 << z) {
            throw ApiException.notFound();
        }
        return address;
    }

    private static int number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw ApiException.notFound();
        }
        return Integer.parseInt(text);
    }

    /** The northern edge of a row of so many rows of the world. */
    static double latitude(double row, double rows) {
        return Math.toDegrees(Math.atan(Math.sinh(Math.PI * (1 - 2 * row / rows))));
    }

    /** Columns and rows of the world. */
    int across() {
        return 1 << zoom;
    }

    /** The tile with the buffer around it. At the edge of the world it reaches up to the pole. */
    Box box() {
        double buffer = BUFFER / (double) VectorTile.EXTENT;
        return new Box(Math.max(-WORLD / 2, longitude(x - buffer)),
                y + 1 == across() ? -90 : latitude(y + 1 + buffer, across()),
                Math.min(WORLD / 2, longitude(x + 1 + buffer)),
                y == 0 ? 90 : latitude(y - buffer, across()));
    }

    private double longitude(double column) {
        return column / across() * WORLD - WORLD / 2;
    }

    /** A longitude in units of the tile, inside of the tile or its buffer. */
    int unitsEast(double longitude) {
        return units((longitude + WORLD / 2) / WORLD * across() - x);
    }

    /** A latitude in units of the tile from its northern edge, inside of the tile or its buffer. */
    int unitsSouth(double latitude) {
        double sine = Math.sin(Math.toRadians(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude))));
        return units((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across() - y);
    }

    private static int units(double tiles) {
        return (int) Math.max(-BUFFER, Math.min(LAST_UNIT, Math.round(tiles * VectorTile.EXTENT)));
    }
}
