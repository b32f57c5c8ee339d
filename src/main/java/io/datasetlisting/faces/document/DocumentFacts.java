package io.datasetlisting.faces.document;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.faces.ground.LandOutline;

/**
 * The parts of a document of the catalogue that people look for: how many datasets there are, where and when they were captured,
 * and the properties of queryables or of a schema.
 *
 * @param count
 *            null for a document that is neither the first one nor a collection
 * @param extent
 *            null without datasets, and for another document
 * @param properties
 *            empty for a document that describes none
 */
record DocumentFacts(Long count, Extent extent, List<Property> properties) {

    private static final int LENGTH_OF_DAY = "2023-05-31".length();
    /** The smallest width and height of an area on the map, in units of the drawing. */
    private static final double SMALLEST = 6;

    /** A property that a filter can name. */
    record Property(String name, String title, String type) {
    }

    /**
     * Where and when datasets were captured, with the place of the area on the map of the world.
     *
     * @param from
     *            the day of the earliest dataset
     * @param until
     *            the day of the latest dataset
     * @param box
     *            west, south, east and north, as the list's filter takes them
     * @param list
     *            the parameters with which the list has the datasets
     */
    record Extent(String from, String until, String box, String list, double x, double y, double width, double height) {

        static Extent of(ListingExtent extent, Long workspace) {
            if (extent == null || extent.box() == null) {
                return null;
            }
            List<Double> box = extent.box();
            double[] across = span(box.get(0), box.get(2));
            double[] down = span(-box.get(3), -box.get(1));
            String edges = String.join(",", box.stream().map(Extent::number).toList());
            return new Extent(day(extent.first()), day(extent.last()), edges,
                    "in_bbox=" + edges + (workspace == null ? "" : "&workspace=" + workspace), across[0], down[0],
                    across[1], down[1]);
        }

        /** The land of the world as the data of an SVG path. */
        public String land() {
            return LandOutline.path();
        }

        /** The start and the length of a side in the drawing. A short side is longer, so that people see it. */
        private static double[] span(double from, double to) {
            double length = Math.max(SMALLEST, (to - from) * LandOutline.UNITS);
            double middle = (from + to) / 2 * LandOutline.UNITS;
            return new double[]{round(middle - length / 2), round(length)};
        }

        private static double round(double value) {
            return Math.round(value * 10) / 10.0;
        }

        private static String number(double value) {
            return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
        }

        private static String day(Instant time) {
            return time.toString().substring(0, LENGTH_OF_DAY);
        }
    }

    /** @param workspace of the datasets; null for datasets of all workspaces */
    static DocumentFacts of(JsonNode document, ListingExtent extent, Long workspace) {
        return new DocumentFacts(extent == null ? null : extent.count(), Extent.of(extent, workspace),
                document.path("properties")
                        .propertyStream()
                        .filter(entry -> entry.getValue().isObject()).map(entry -> new Property(entry.getKey(),
                                entry.getValue().path("title").asText(""), type(entry.getValue())))
                        .toList());
    }

    /** The name of a schema elsewhere stands for a type. */
    private static String type(JsonNode property) {
        return property.path("format").asText(property.path("type").isTextual() ? property.get("type").asText() : "");
    }
}
