package io.datasetlisting.base.place;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import io.datasetlisting.base.SearchWords;

/**
 * The places of the file, in about 1.3 MB: the bytes of the file, and for each line its folded words and its position. A place is
 * made of its line when it is found.
 */
final class PlaceTable {

    private static final String FILE = "/place/places.tsv";

    private static final int NAME = 0;
    private static final int OTHER_NAMES = 1;
    private static final int REGION = 2;
    private static final int COUNTRY = 3;
    private static final int LATITUDE = 4;
    private static final int LONGITUDE = 5;
    private static final int POPULATION = 6;
    private static final int WEST = 7;
    private static final int CELLS_OF_A_COUNTRY = 11;
    private static final int AXES = 3;

    private final byte[] file;
    /** The first byte of each line, and the end of the file. */
    private final int[] starts;
    /** A space stands before each word, and a line feed between the names of a place and those of its region and country. */
    private final String[] words;
    /** Points of the unit sphere. The distance of two of them grows with the distance on the Earth. */
    private final float[] points;
    private final int firstTown;

    private PlaceTable(byte[] file) {
        this.file = file;
        this.starts = IntStream.concat(IntStream.of(0),
                IntStream.range(0, file.length).filter(i -> file[i] == '\n').map(i -> i + 1)).toArray();
        this.words = new String[starts.length - 1];
        this.points = new float[AXES * words.length];
        int countries = 0;
        Map<String, String> regions = new HashMap<>();
        for (int row = 0; row < words.length; row++) {
            String[] cells = cells(row);
            words[row] = words(cells[NAME]) + words(cells[OTHER_NAMES]) + '\n'
                    + regions.computeIfAbsent(cells[REGION], PlaceTable::words)
                    + regions.computeIfAbsent(cells[COUNTRY], PlaceTable::words);
            double[] point = point(Double.parseDouble(cells[LATITUDE]), Double.parseDouble(cells[LONGITUDE]));
            for (int axis = 0; axis < AXES; axis++) {
                points[AXES * row + axis] = (float) point[axis];
            }
            countries += cells.length == CELLS_OF_A_COUNTRY ? 1 : 0;
        }
        this.firstTown = countries;
    }

    static PlaceTable read() {
        try (InputStream stream = PlaceTable.class.getResourceAsStream(FILE)) {
            return new PlaceTable(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String words(String name) {
        String folded = SearchWords.fold(name);
        return folded.isEmpty() ? "" : ' ' + folded;
    }

    private static double[] point(double latitude, double longitude) {
        double north = Math.toRadians(latitude);
        double east = Math.toRadians(longitude);
        return new double[]{Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)};
    }

    private String[] cells(int row) {
        return new String(file, starts[row], starts[row + 1] - 1 - starts[row], StandardCharsets.UTF_8).split("\t");
    }

    /** The rows that have, for each prefix, a word that begins with it; the first prefix is one of a name. */
    IntStream find(String... prefixes) {
        String[] begins = Arrays.stream(prefixes).map(prefix -> ' ' + prefix).toArray(String[]::new);
        return IntStream.range(0, words.length).filter(row -> {
            int first = words[row].indexOf(begins[0]);
            return first >= 0 && first < words[row].indexOf('\n')
                    && Arrays.stream(begins).allMatch(words[row]::contains);
        });
    }

    Place place(int row) {
        String[] cells = cells(row);
        double latitude = Double.parseDouble(cells[LATITUDE]);
        double longitude = Double.parseDouble(cells[LONGITUDE]);
        long population = Long.parseLong(cells[POPULATION]);
        Area area = cells.length == CELLS_OF_A_COUNTRY
                ? area(cells)
                : Area.around(latitude, longitude, kilometres(population));
        return new Place(cells[NAME], cells[REGION], cells[COUNTRY], latitude, longitude, population, area);
    }

    private static Area area(String... cells) {
        double[] box = Arrays.stream(cells).skip(WEST).mapToDouble(Double::parseDouble).toArray();
        return new Area(box[0], box[1], box[2], box[3]);
    }

    /** From the middle of a town to beyond its edge. */
    private static double kilometres(long population) {
        return population > 5_000_000 ? 40 : population > 500_000 ? 25 : 15;
    }

    /** The row of the town that is nearest to a point. All towns are compared, which takes about 10 microseconds. */
    int nearestTown(double latitude, double longitude) {
        double[] point = point(latitude, longitude);
        float x = (float) point[0];
        float y = (float) point[1];
        float z = (float) point[2];
        int nearest = firstTown;
        float smallest = Float.MAX_VALUE;
        for (int row = firstTown, i = AXES * firstTown; row < words.length; row++, i += AXES) {
            float distance = (points[i] - x) * (points[i] - x) + (points[i + 1] - y) * (points[i + 1] - y)
                    + (points[i + 2] - z) * (points[i + 2] - z);
            if (distance < smallest) {
                smallest = distance;
                nearest = row;
            }
        }
        return nearest;
    }
}
