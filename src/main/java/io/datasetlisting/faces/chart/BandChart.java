package io.datasetlisting.faces.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.input.StrictJson;

/**
 * The statistics of a raster's bands: a bar for each band on a common axis, and a table.
 *
 * @param bars
 *            of the first bands
 */
public record BandChart(String raster, List<BandStatistics> bands, Axis axis, List<Bar> bars) {

    /** A drawing with more bars is not readable. */
    private static final int MAX_BARS = 24;

    private static final int WIDTH = 360;
    private static final int FIRST_BAR = 8;
    private static final int BAR_HEIGHT = 22;
    private static final int THICKNESS = 16;
    private static final int AXIS_HEIGHT = 26;

    /**
     * A bar, in the coordinates of the drawing.
     *
     * @param left
     *            of the range from the minimum to the maximum
     * @param inner
     *            left end of one standard deviation around the mean
     */
    record Bar(BandStatistics band, int y, double left, double width, double inner, double innerWidth, double mean) {

        public int bottom() {
            return y + THICKNESS;
        }
    }

    /**
     * The common axis of the bars.
     *
     * @param low
     *            smallest value of all bars
     */
    record Axis(double low, double high) {

        private static final double LEFT = 104;
        private static final double LENGTH = 246;

        static Axis of(List<BandStatistics> bands) {
            List<Double> values = bands.stream().flatMap(band -> Stream.of(band.min(), band.max(), band.mean()))
                    .toList();
            return new Axis(values.stream().min(Comparator.naturalOrder()).orElse(0.0),
                    values.stream().max(Comparator.naturalOrder()).orElse(0.0));
        }

        /**
         * The place of a value, or the nearer end of the axis. The values are halved, because their difference may be infinite.
         */
        double place(double value) {
            double length = high / 2 - low / 2;
            double share = length > 0 ? (value / 2 - low / 2) / length : 0.5;
            return Math.round((LEFT + LENGTH * Math.max(0, Math.min(1, share))) * 10) / 10.0;
        }

        public double left() {
            return LEFT;
        }

        public double middle() {
            return LEFT + LENGTH / 2;
        }

        public double right() {
            return LEFT + LENGTH;
        }

        public boolean isPoint() {
            return high <= low;
        }

        /** The value in the middle. The ends are halved, because their sum may be infinite. */
        public double mean() {
            return low / 2 + high / 2;
        }
    }

    /** The charts of all rasters that have statistics. */
    public static List<BandChart> all(String bandStats) {
        JsonNode rasters = StrictJson.parse(bandStats);
        List<BandChart> charts = new ArrayList<>();
        for (String raster : DatasetFields.RASTERS) {
            List<BandStatistics> bands = BandStatistics.of(rasters.path(raster));
            if (!bands.isEmpty()) {
                charts.add(of(raster, bands));
            }
        }
        return charts;
    }

    private static BandChart of(String raster, List<BandStatistics> bands) {
        List<BandStatistics> drawn = bands.subList(0, Math.min(MAX_BARS, bands.size()));
        Axis axis = Axis.of(drawn);
        List<Bar> bars = new ArrayList<>();
        for (BandStatistics band : drawn) {
            bars.add(bar(band, FIRST_BAR + BAR_HEIGHT * bars.size(), axis));
        }
        return new BandChart(raster, bands, axis, bars);
    }

    private static Bar bar(BandStatistics band, int y, Axis axis) {
        double[] range = DoubleStream.of(axis.place(band.min()), axis.place(band.max())).sorted().toArray();
        double[] deviation = DoubleStream.of(axis.place(band.mean() - band.stddev()),
                axis.place(band.mean() + band.stddev())).sorted().toArray();
        return new Bar(band, y, range[0], width(range), deviation[0], width(deviation), axis.place(band.mean()));
    }

    /** At least one unit, so that a range of one value is visible. */
    private static double width(double[] ends) {
        return Math.max(1, Math.round((ends[1] - ends[0]) * 10) / 10.0);
    }

    public int width() {
        return WIDTH;
    }

    public int height() {
        return axisY() + AXIS_HEIGHT;
    }

    public int axisY() {
        return FIRST_BAR + BAR_HEIGHT * bars.size() + 4;
    }

    public boolean isPart() {
        return bars.size() < bands.size();
    }
}
