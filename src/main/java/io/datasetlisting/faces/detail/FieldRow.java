package io.datasetlisting.faces.detail;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.FieldDescription;
import io.datasetlisting.dataset.format.BoundingBox;
import io.datasetlisting.dataset.raster.RasterHeader;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.chart.BandChart;
import io.datasetlisting.faces.chart.Numbers;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.StrictJson;

/**
 * A field of a dataset in words. The template {@code datasetLabel} has its label.
 *
 * @param label
 *            for a field that the template does not know
 * @param kind
 *            the element that shows the value
 * @param value
 *            the value for programs: a time, a number or a link
 * @param texts
 *            of {@link Kind#TEXTS}
 */
record FieldRow(String name, String label, Kind kind, String text, String value, List<String> texts) {

    enum Kind {
        EMPTY, TEXT, TEXTS, TIME, NUMBER, LINK, YES, NO
    }

    static FieldRow of(DatasetField<?> field, Object value, Language language) {
        if (field.isLink()) {
            return row(field, Kind.LINK, "", (String) value);
        }
        if (value instanceof Instant time) {
            return row(field, Kind.TIME, Card.moment(time.toString()), time.toString());
        }
        if (value instanceof Boolean isTrue) {
            return row(field, isTrue ? Kind.YES : Kind.NO, "", "");
        }
        if (value instanceof String[] texts && texts.length > 0) {
            return new FieldRow(field.name(), field.label(), Kind.TEXTS, "", "",
                    Arrays.stream(texts).map(each -> ValueLabels.of(field.name(), each, language)).toList());
        }
        if (value != null && field.display() == FieldDescription.Display.BY_RASTER) {
            return new FieldRow(field.name(), field.label(), Kind.TEXTS, "", "",
                    StrictJson.parse((String) value).properties().stream()
                            .map(each -> ValueLabels.raster(each.getKey(), language) + ": "
                                    + raster(each.getValue(), language))
                            .toList());
        }
        if (value instanceof Number number && field.display() != FieldDescription.Display.NUMBER_AS_NAME) {
            String exact = number instanceof Double d ? Numbers.text(d) : number.toString();
            // A reader's locale would write all the zeros.
            return row(field, exact.contains("e") ? Kind.TEXT : Kind.NUMBER, exact, number.toString());
        }
        String text = value == null ? "" : text(field, value, language);
        return row(field, BlankText.isBlank(text) ? Kind.EMPTY : Kind.TEXT, text, "");
    }

    /** The location of a raster, or what the raster says of itself. */
    private static String raster(JsonNode value, Language language) {
        if (value.isTextual()) {
            return value.textValue();
        }
        JsonNode shape = value.path(RasterHeader.SHAPE);
        return Stream.of(shape.path(1).asText() + " × " + shape.path(0).asText() + " px",
                value.has("gsd") ? ValueLabels.pixelSize(value.get("gsd").decimalValue(), language) : "",
                value.path(RasterHeader.CODE).asText(), value.path("is_cog").booleanValue() ? "COG" : "GeoTIFF")
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    /** The same field without a value. */
    FieldRow empty() {
        return new FieldRow(name, label, Kind.EMPTY, "", "", List.of());
    }

    private static FieldRow row(DatasetField<?> field, Kind kind, String text, String value) {
        return new FieldRow(field.name(), field.label(), kind, text, value, List.of());
    }

    private static String text(DatasetField<?> field, Object value, Language language) {
        return switch (field.display()) {
            case POSITION -> Card.place((double[]) value);
            case AREA -> box(BoundingBox.of((double[]) value), language);
            case BAND_STATISTICS -> bands((String) value, language);
            case VALUE, NUMBER_AS_NAME, LINK, BY_RASTER -> text(value);
        };
    }

    /** Which rasters have statistics of how many bands; empty without statistics. */
    private static String bands(String bandStats, Language language) {
        Words words = Words.in(language);
        return BandChart.all(bandStats).stream().map(chart -> {
            String raster = ValueLabels.raster(chart.raster(), language);
            return chart.bands().size() == 1
                    ? words.of("dataset:band_count_one", raster)
                    : words.of("dataset:band_count", raster, chart.bands().size());
        }).collect(Collectors.joining(", "));
    }

    private static String text(Object value) {
        if (value instanceof Object[]) {
            return "";
        }
        return value instanceof double[] numbers
                ? DoubleStream.of(numbers).mapToObj(Numbers::text).collect(Collectors.joining(", "))
                : value.toString();
    }

    private static String box(BoundingBox box, Language language) {
        if (box == null) {
            return "";
        }
        String from = Card.place(new double[]{box.south(), box.west()});
        String to = Card.place(new double[]{box.north(), box.east()});
        return Words.in(language).of("msg:from_to", from, to);
    }
}
