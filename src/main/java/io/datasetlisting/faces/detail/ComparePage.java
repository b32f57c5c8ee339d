package io.datasetlisting.faces.detail;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.dataset.format.BoundingBox;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.web.HtmlPages;
import io.quarkus.qute.TemplateInstance;

/**
 * Two datasets side by side.
 *
 * @param boxes
 *            of both on the map, with a space between
 * @param layers
 *            addresses of the imagery of both, with a space between; empty unless both have an area with imagery
 * @param isApart
 *            whether both have an area and too little of it in common for a slider between their imagery
 */
record ComparePage(HtmlPages.Layout page, List<Side> sides, List<Row> rows, String boxes, String layers,
        boolean isApart)
        implements
            TemplateInstance {

    /** Of the smaller area. A slider over a strip at the edge shows nothing to compare. */
    private static final double SMALLEST_COMMON_PART = 0.05;

    /**
     * One of the datasets.
     *
     * @param where
     *            the nearest town, or null
     * @param footprint
     *            null without coordinates
     * @param squareKilometres
     *            of the footprint; null without an area
     * @param layer
     *            address of the tiles of its orthomosaic, or else of its picture; null without both
     */
    record Side(Card card, Where where, BoundingBox footprint, String squareKilometres, String layer,
            FieldGroups fields) {
    }

    /** A field of both datasets. */
    record Row(FieldRow one, FieldRow other) {

        public boolean differs() {
            return !one.equals(other);
        }
    }

    static ComparePage of(HtmlPages.Layout page, Side one, Side other) {
        Map<String, FieldRow> first = byName(one);
        Map<String, FieldRow> second = byName(other);
        boolean haveAreas = one.squareKilometres != null && other.squareKilometres != null;
        return new ComparePage(
                page, List.of(one, other), Stream.of(first, second).flatMap(each -> each.values().stream())
                        .map(FieldRow::empty).distinct()
                        .map(none -> new Row(first.getOrDefault(none.name(), none),
                                second.getOrDefault(none.name(), none)))
                        .toList(),
                Stream.of(one, other).map(side -> side.card.box()).filter(box -> !box.isEmpty())
                        .collect(Collectors.joining(" ")),
                haveAreas && one.layer != null && other.layer != null ? one.layer + " " + other.layer : "",
                haveAreas && one.footprint.commonPart(other.footprint) < SMALLEST_COMMON_PART);
    }

    private static Map<String, FieldRow> byName(Side side) {
        Map<String, FieldRow> rows = new LinkedHashMap<>();
        side.fields.shown().forEach(row -> rows.put(row.name(), row));
        return rows;
    }
}
