package io.datasetlisting.faces.ground;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import io.datasetlisting.base.ClassPathFile;

/** The land of the world, or of a part of it, as the data of SVG paths, from the files of the map of the list. */
public final class LandOutline {

    /** Units of the drawing of the world for a degree. It is some 700 pixels wide, so that finer points would not be seen. */
    public static final int UNITS = 2;
    private static final int MIN_POINTS = 4;
    /** In degrees. A higher part of the world is drawn with coarser lines. */
    private static final double COARSE = 20;
    private static final String PATH = draw();

    private LandOutline() {
    }

    /**
     * A line of a file.
     *
     * @param xs
     *            longitudes in degrees
     * @param ys
     *            latitudes in degrees
     * @param bounds
     *            west, south, east, north
     */
    private record Line(double[] xs, double[] ys, double[] bounds) {

        private static final ObjectReader STEPS = new ObjectMapper().readerFor(int[].class);

        /** A file has the first point of a line, and then the steps from point to point. */
        static Line of(double scale, int... steps) {
            double[] xs = new double[steps.length / 2];
            double[] ys = new double[xs.length];
            double[] bounds = {360, 90, -360, -90};
            int x = 0;
            int y = 0;
            for (int i = 0; i < xs.length; i++) {
                x += steps[2 * i];
                y += steps[2 * i + 1];
                xs[i] = x / scale;
                ys[i] = y / scale;
                bounds[0] = Math.min(bounds[0], xs[i]);
                bounds[1] = Math.min(bounds[1], ys[i]);
                bounds[2] = Math.max(bounds[2], xs[i]);
                bounds[3] = Math.max(bounds[3], ys[i]);
            }
            return new Line(xs, ys, bounds);
        }

        static void read(JsonParser file, double scale, List<Line> lines) throws IOException {
            while (file.nextToken() == JsonToken.START_ARRAY) {
                lines.add(of(scale, STEPS.readValue(file)));
            }
        }
    }

    /** The lines of a file, which may have the parts of the world one by one. */
    private record Lines(List<Line> land, List<Line> borders) {

        private static final Lines COARSE = of("/web/land.json");
        private static final Lines FINE = of("/web/ground.ndjson");

        private static Lines of(String name) {
            List<Line> land = new ArrayList<>();
            List<Line> borders = new ArrayList<>();
            try (JsonParser file = Line.STEPS.createParser(ClassPathFile.bytes(name))) {
                double scale = 1;
                for (JsonToken token = file.nextToken(); token != null; token = file.nextToken()) {
                    if (token == JsonToken.FIELD_NAME) {
                        String member = file.currentName();
                        file.nextToken();
                        switch (member) {
                            // The first member of each part.
                            case "scale" -> scale = file.getDoubleValue();
                            case "land" -> Line.read(file, scale, land);
                            case "borders" -> Line.read(file, scale, borders);
                            default -> file.skipChildren();
                        }
                    }
                }
                return new Lines(List.copyOf(land), List.copyOf(borders));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Reads the files, which takes longer than an event loop may be blocked. */
    public static int load() {
        return Lines.COARSE.land.size() + Lines.FINE.land.size();
    }

    /** The path. The origin is the point where the equator and the prime meridian meet, and {@code y} points to the south. */
    public static String path() {
        return PATH;
    }

    private static String draw() {
        StringBuilder path = new StringBuilder();
        for (Line ring : Lines.COARSE.land) {
            List<double[]> points = new ArrayList<>();
            for (int i = 0; i < ring.xs.length; i++) {
                points.add(new double[]{ring.xs[i] * UNITS, -ring.ys[i] * UNITS});
            }
            // Smaller islands would be dots.
            draw(points, true, MIN_POINTS, 1, path);
        }
        return path.toString();
    }

    /**
     * Draws a line whose points are rounded to units.
     *
     * @param minStep
     *            the shortest way from one point to the next, along both axes
     */
    private static void draw(List<double[]> points, boolean isRing, int minPoints, int minStep, StringBuilder path) {
        StringBuilder own = new StringBuilder();
        long[] last = null;
        int drawn = 0;
        for (double[] each : points) {
            long[] point = {Math.round(each[0]), Math.round(each[1])};
            if (last == null) {
                own.append('M').append(point[0]).append(' ').append(point[1]).append('l');
            } else if (Math.abs(point[0] - last[0]) + Math.abs(point[1] - last[1]) >= minStep) {
                own.append(point[0] - last[0]).append(' ').append(point[1] - last[1]).append(' ');
            } else {
                continue;
            }
            last = point;
            drawn++;
        }
        if (drawn >= minPoints) {
            path.append(own.toString().replace(" -", "-").strip()).append(isRing ? "z" : "");
        }
    }

    /**
     * A part of the world around a place.
     *
     * @param west
     *            the edge in degrees, which may be below -180
     * @param north
     *            the edge in degrees
     * @param x
     *            units of the drawing for a degree of longitude
     * @param y
     *            units of the drawing for a degree of latitude
     */
    record Window(double west, double north, double x, double y, int width, int height) {

        String land() {
            return draw(lines().land, true);
        }

        String borders() {
            return draw(lines().borders, false);
        }

        private Lines lines() {
            return height / y > COARSE ? Lines.COARSE : Lines.FINE;
        }

        private String draw(List<Line> lines, boolean isRing) {
            StringBuilder path = new StringBuilder();
            for (Line line : lines) {
                for (int turn = -360; turn <= 360; turn += 360) {
                    if (line.bounds[0] + turn <= west + width / x && line.bounds[2] + turn >= west
                            && line.bounds[1] <= north && line.bounds[3] >= north - height / y) {
                        draw(line, turn, isRing, path);
                    }
                }
            }
            return path.toString();
        }

        private void draw(Line line, int turn, boolean isRing, StringBuilder path) {
            List<double[]> points = new ArrayList<>();
            for (int i = 0; i < line.xs.length; i++) {
                points.add(new double[]{(line.xs[i] + turn - west) * x, (north - line.ys[i]) * y});
            }
            if (isRing) {
                for (int axis = 0; axis < 2; axis++) {
                    points = cut(cut(points, axis, -1, true), axis, (axis == 0 ? width : height) + 1, false);
                }
                LandOutline.draw(points, true, MIN_POINTS - 1, 2, path);
                return;
            }
            List<double[]> part = new ArrayList<>();
            for (double[] point : points) {
                if (point[0] >= 0 && point[0] <= width && point[1] >= 0 && point[1] <= height) {
                    part.add(point);
                } else {
                    LandOutline.draw(part, false, 2, 2, path);
                    part.clear();
                }
            }
            LandOutline.draw(part, false, 2, 2, path);
        }

        /** The part of a ring on one side of an edge. */
        private static List<double[]> cut(List<double[]> ring, int axis, double edge, boolean isAbove) {
            List<double[]> kept = new ArrayList<>();
            for (int i = 0; i < ring.size(); i++) {
                double[] last = ring.get(i == 0 ? ring.size() - 1 : i - 1);
                double[] point = ring.get(i);
                boolean isKept = point[axis] >= edge == isAbove;
                if (isKept != (last[axis] >= edge == isAbove)) {
                    double part = (edge - last[axis]) / (point[axis] - last[axis]);
                    double[] crossing = {edge, edge};
                    crossing[1 - axis] = last[1 - axis] + part * (point[1 - axis] - last[1 - axis]);
                    kept.add(crossing);
                }
                if (isKept) {
                    kept.add(point);
                }
            }
            return kept;
        }
    }
}
