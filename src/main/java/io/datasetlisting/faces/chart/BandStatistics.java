package io.datasetlisting.faces.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The statistics of one band.
 *
 * @param label
 *            its number, and the names that the owner gives the band
 */
record BandStatistics(String label, double min, double max, double mean, double stddev) {

    private static final String NAMES = "band_descr";
    /** Characters of a label in a drawing. */
    private static final int SHORT = 16;

    /** The bands of a raster. A band without four finite numbers is left out. */
    static List<BandStatistics> of(JsonNode raster) {
        Map<String, String> names = new HashMap<>();
        raster.path(NAMES).properties()
                .forEach(name -> names.merge("b" + name.getValue().asText(), name.getKey(), (a, b) -> a + ", " + b));
        List<BandStatistics> bands = new ArrayList<>();
        raster.properties().forEach(band -> {
            JsonNode values = band.getValue();
            double[] numbers = DoubleStream.of(number(values, "min"), number(values, "max"), number(values, "mean"),
                    number(values, "stddev")).filter(Double::isFinite).toArray();
            if (!band.getKey().equals(NAMES) && numbers.length == 4) {
                String name = names.get(band.getKey());
                bands.add(new BandStatistics(name == null ? band.getKey() : band.getKey() + " " + name, numbers[0],
                        numbers[1], numbers[2], numbers[3]));
            }
        });
        return bands;
    }

    private static double number(JsonNode values, String name) {
        return values.path(name).isNumber() ? values.path(name).doubleValue() : Double.NaN;
    }

    /** The beginning of the label. */
    public String shortLabel() {
        return label.codePointCount(0, label.length()) <= SHORT
                ? label
                : label.substring(0, label.offsetByCodePoints(0, SHORT - 1)) + "…";
    }
}
