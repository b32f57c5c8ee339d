package io.datasetlisting.faces.ground;

import java.util.ArrayList;
import java.util.List;

import io.datasetlisting.dataset.cql2.Expression.Box;

/**
 * The files with the ground below a map, for which the browser asks while it reads the page. The script {@code ground.js} decides
 * what a map shows, and asks for what is missing.
 */
public final class GroundFiles {

    public static final List<String> OF_THE_WORLD = List.of("land.json");
    /** In degrees, the width and the height of a part of the finer ground. The script reads it from the page. */
    public static final int PART = 30;
    private static final int PARTS_AROUND = 360 / PART;
    /** In degrees. Also the map of a phone shows such an area with the finer ground, and a large one no smaller area. */
    private static final double WIDEST = 20;
    private static final double HIGHEST = 6;
    private static final double NARROWEST = 0.5;

    private GroundFiles() {
    }

    /**
     * The files for the map of an area.
     *
     * @param area
     *            null for the whole world
     */
    public static List<String> of(Box area) {
        if (area == null || area.crossesAntimeridian()) {
            return OF_THE_WORLD;
        }
        double width = area.east() - area.west();
        double height = area.north() - area.south();
        if (width > WIDEST || height > HIGHEST || Math.max(width, height) < NARROWEST) {
            return OF_THE_WORLD;
        }
        List<String> files = new ArrayList<>();
        for (int row = number(90 - area.north()); row <= number(90 - area.south()); row++) {
            for (int column = number(area.west() + 180); column <= number(area.east() + 180); column++) {
                files.add("ground-" + (row * PARTS_AROUND + column % PARTS_AROUND) + ".json");
            }
        }
        return files;
    }

    private static int number(double degrees) {
        return (int) (degrees / PART);
    }
}
