package io.datasetlisting.web;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

import io.datasetlisting.dataset.DatasetField;
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

    /** Numbers that are names, which the reader's locale must not group. */
    private static final Set<String> NAMES = Set.of("id", "workspace");

    /** What a reader cannot know from the label. */
    private static final Map<String, String> MEANINGS = Map.of("is_private",
            "yes: only the owner and admins see this dataset");

    static FieldRow of(DatasetField<?> field, Object value) {
        String label = field.label();
        if (field.isLink()) {
            return new FieldRow(label, Kind.LINK, "image, at an address that expires", (String) value);
        }
        if (value instanceof Instant time) {
            return new FieldRow(label, Kind.TIME, Card.moment(time.toString()), time.toString());
        }
        if (value instanceof Number number && !NAMES.contains(field.name())) {
            String exact = number instanceof Double d ? Numbers.text(d) : number.toString();
            // A reader's locale would write all the zeros.
            return new FieldRow(label, exact.contains("e") ? Kind.TEXT : Kind.NUMBER, exact, number.toString());
        }
        String text = text(field.name(), value);
        return text.isBlank()
                ? new FieldRow(label, Kind.EMPTY, "", "")
                : new FieldRow(label, Kind.TEXT, text, "");
    }

    private static String text(String name, Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Boolean isTrue) {
            return isTrue ? MEANINGS.getOrDefault(name, "yes") : "no";
        }
        if (value instanceof String[] texts) {
            return String.join(", ", texts);
        }
        if (value instanceof double[] numbers) {
            return switch (name) {
                case "coordinates" -> Card.place(numbers);
                case "bbox" -> box(BoundingBox.of(numbers));
                default -> DoubleStream.of(numbers).mapToObj(Numbers::text).collect(Collectors.joining(", "));
            };
        }
        return name.equals("band_stats") ? BandChart.summary((String) value) : value.toString();
    }

    private static String box(BoundingBox box) {
        return box == null
                ? ""
                : "from " + Card.place(new double[]{box.south(), box.west()}) + " to "
                        + Card.place(new double[]{box.north(), box.east()});
    }
}
