package io.datasetlisting.faces.web;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.base.ClassPathFile;

/** The land of the world as the data of an SVG path, from the file of the map of the list. */
final class LandOutline {

    /** Units of the drawing for a degree. The drawing is some 700 pixels wide, so that finer points would not be seen. */
    static final int UNITS = 2;
    private static final int MIN_POINTS = 4;
    private static final String PATH = draw();

    private LandOutline() {
    }

    /** The path. The origin is the point where the equator and the prime meridian meet, and {@code y} points to the south. */
    static String path() {
        return PATH;
    }

    private static String draw() {
        try {
            JsonNode file = new ObjectMapper().readTree(ClassPathFile.read("/web/land.json"));
            double scale = file.path("scale").asDouble() / UNITS;
            StringBuilder path = new StringBuilder();
            file.path("land").forEach(ring -> draw(ring, scale, path));
            return path.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file has the first point of a ring, and then the steps from point to point. */
    private static void draw(JsonNode ring, double scale, StringBuilder path) {
        StringBuilder own = new StringBuilder();
        long[] last = null;
        int x = 0;
        int y = 0;
        int points = 0;
        for (int i = 0; i + 1 < ring.size(); i += 2) {
            x += ring.get(i).asInt();
            y += ring.get(i + 1).asInt();
            long[] point = {Math.round(x / scale), Math.round(-y / scale)};
            if (last == null) {
                own.append('M').append(point[0]).append(' ').append(point[1]).append('l');
            } else if (point[0] != last[0] || point[1] != last[1]) {
                own.append(point[0] - last[0]).append(' ').append(point[1] - last[1]).append(' ');
            } else {
                continue;
            }
            last = point;
            points++;
        }
        // Smaller islands would be dots.
        if (points >= MIN_POINTS) {
            path.append(own.toString().replace(" -", "-").strip()).append('z');
        }
    }
}
