package io.datasetlisting.web;

import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.chart.BandChart;
import io.datasetlisting.chart.Numbers;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.FieldDescription;
import io.datasetlisting.format.BoundingBox;

/**
 * A field of a dataset in words.
 *
 * @param kind
 *            the element that shows the value
 * @param value
 *            the value for programs: a time, a number or a link
 */
record FieldRow(String label, Kind kind, String text, String value) {

    enum Kind {
        EMPTY, TEXT, TIME, NUMBER, LINK
    }

    static FieldRow of(DatasetField<?> field, Object value) {
        String label = field.label();
        if (field.isLink()) {
            return new FieldRow(label, Kind.LINK, "image, at an address that expires", (String) value);
        }
        if (value instanceof Instant time) {
            return new FieldRow(label, Kind.TIME, Card.moment(time.toString()), time.toString());
        }
        if (value instanceof Number number && field.display() != FieldDescription.Display.NUMBER_AS_NAME) {
            String exact = number instanceof Double d ? Numbers.text(d) : number.toString();
            // A reader's locale would write all the zeros.
            return new FieldRow(label, exact.contains("e") ? Kind.TEXT : Kind.NUMBER, exact, number.toString());
        }
        String text = value == null ? "" : text(field, value);
        return BlankText.isBlank(text)
                ? new FieldRow(label, Kind.EMPTY, "", "")
                : new FieldRow(label, Kind.TEXT, text, "");
    }

    private static String text(DatasetField<?> field, Object value) {
        return switch (field.display()) {
            case POSITION -> Card.place((double[]) value);
            case AREA -> box(BoundingBox.of((double[]) value));
            case BAND_STATISTICS -> BandChart.summary((String) value);
            case VALUE, NUMBER_AS_NAME, LINK -> text(value, field.meaning());
        };
    }

    private static String text(Object value, String meaning) {
        if (value instanceof Boolean isTrue) {
            return isTrue ? meaning : "no";
        }
        if (value instanceof String[] texts) {
            return String.join(", ", texts);
        }
        return value instanceof double[] numbers
                ? DoubleStream.of(numbers).mapToObj(Numbers::text).collect(Collectors.joining(", "))
                : value.toString();
    }

    private static String box(BoundingBox box) {
        return box == null
                ? ""
                : "from " + Card.place(new double[]{box.south(), box.west()}) + " to "
                        + Card.place(new double[]{box.north(), box.east()});
    }
}
