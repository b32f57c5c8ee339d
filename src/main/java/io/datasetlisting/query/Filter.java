package io.datasetlisting.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.cql2.Expression;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.input.StrictJson;

/**
 * The filters of a listing. A dataset must match all of them. An empty list or null is no filter. In a list, one
 * matching item is enough.
 *
 * @param users
 *            usernames, or ids in digits
 * @param capturedAfter
 *            inclusive
 * @param capturedBefore
 *            exclusive
 * @param search
 *            words; each must be the beginning of a word of the name
 * @param boxes
 *            a dataset must touch each of them
 * @param bands
 *            labels of {@code band_descr}
 * @param stats
 *            rasters that have statistics
 * @param updatedSince
 *            inclusive
 * @param expression
 *            a condition of CQL2
 */
public record Filter(List<Long> workspaces, List<String> users, List<String> categories, List<String> rasters,
        Boolean shareable, Instant capturedAfter, Instant capturedBefore, String search, List<Box> boxes,
        List<String> bands,
        List<String> stats, Instant updatedSince, Expression expression) {

    public static final Filter NONE = new Filter(List.of(), List.of(), List.of(), List.of(), null, null,
            null, null, List.of(), List.of(), List.of(), null, null);

    private static final int MAX_ITEMS = 100;
    private static final int MAX_TEXT = 255;
    private static final double MAX_LONGITUDE = 180;
    private static final double MAX_LATITUDE = 90;

    /** A part of the map in degrees. If west is greater than east, the box crosses the antimeridian. */
    public record Box(double west, double south, double east, double north) {

        public static final Box WORLD = new Box(-MAX_LONGITUDE, -MAX_LATITUDE, MAX_LONGITUDE, MAX_LATITUDE);

        public boolean crossesAntimeridian() {
            return west > east;
        }
    }

    /** @throws ApiException 400 with all wrong parameters */
    public static Filter parse(QueryString query) {
        DrfFields fields = DrfFields.of(query);
        Filter filter = new Filter(workspaces(fields), fields.texts("user", MAX_ITEMS),
                choices(fields, "category", DatasetFields.CATEGORIES),
                choices(fields, "available_rasters", DatasetFields.RASTERS),
                fields.has("is_shareable") ? fields.bool("is_shareable") : null,
                instant(fields, "captured_after"), instant(fields, "captured_before"),
                fields.words("search", MAX_TEXT),
                fields.has("in_bbox") ? listOf(box(fields, "in_bbox")) : List.of(),
                fields.texts("band", MAX_ITEMS), choices(fields, "has_stats", DatasetFields.RASTERS),
                instant(fields, "updated_since"), null);
        fields.check();
        return filter;
    }

    /**
     * The parameter {@code bbox}, clamped to the world; null when it is absent.
     *
     * @throws ApiException
     *            400 when it is malformed
     */
    public static Box clampedBox(QueryString query) {
        DrfFields fields = DrfFields.of(query);
        double[] corners = fields.has("bbox") ? corners(fields, "bbox") : null;
        Box box = corners == null
                ? null
                : ordered(fields, "bbox", clamped(corners[0], MAX_LONGITUDE), clamped(corners[1], MAX_LATITUDE),
                        clamped(corners[2], MAX_LONGITUDE), clamped(corners[3], MAX_LATITUDE));
        fields.check();
        return box;
    }

    private static double clamped(double degrees, double max) {
        return Math.max(-max, Math.min(max, degrees));
    }

    /** Whether there is no filter. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /** The categories, or the rasters, when there is no other filter; otherwise empty. */
    public List<String> onlyChoices() {
        List<String> choices = categories.isEmpty() ? rasters : categories;
        Filter both = new Filter(NONE.workspaces, NONE.users, categories, rasters, NONE.shareable,
                NONE.capturedAfter, NONE.capturedBefore, NONE.search, NONE.boxes, NONE.bands, NONE.stats,
                NONE.updatedSince, NONE.expression);
        return choices.size() == categories.size() + rasters.size() && equals(both) ? choices : List.of();
    }

    /** The workspace, when there is one and no other filter; otherwise null. */
    public Long onlyWorkspace() {
        return workspaces.size() == 1 && equals(new Filter(workspaces, NONE.users, NONE.categories, NONE.rasters,
                NONE.shareable, NONE.capturedAfter, NONE.capturedBefore, NONE.search, NONE.boxes, NONE.bands,
                NONE.stats,
                NONE.updatedSince, NONE.expression)) ? workspaces.get(0) : null;
    }

    /** This filter with one more box. */
    public Filter within(Box box) {
        List<Box> all = new ArrayList<>(boxes);
        all.add(box);
        return new Filter(workspaces, users, categories, rasters, shareable, capturedAfter, capturedBefore,
                search, List.copyOf(all), bands, stats, updatedSince, expression);
    }

    /** This filter without its boxes. */
    public Filter everywhere() {
        return new Filter(workspaces, users, categories, rasters, shareable, capturedAfter, capturedBefore,
                search, List.of(), bands, stats, updatedSince, expression);
    }

    /** This filter with another condition of CQL2. */
    public Filter matching(Expression other) {
        return new Filter(workspaces, users, categories, rasters, shareable, capturedAfter, capturedBefore,
                search, boxes, bands, stats, updatedSince, other);
    }

    /** This filter with other conditions of CQL2, all of which hold. */
    public Filter matching(List<Expression> others) {
        return switch (others.size()) {
            case 0 -> this;
            case 1 -> matching(others.get(0));
            default -> matching(new Expression.And(List.copyOf(others)));
        };
    }

    private static List<Long> workspaces(DrfFields fields) {
        List<String> texts = fields.texts("workspace", MAX_ITEMS);
        if (texts.stream().allMatch(text -> text.matches("\\d{1,18}"))) {
            // 3 and 03 are the same workspace.
            return texts.stream().map(Long::valueOf).distinct().toList();
        }
        return fields.refuse("workspace", "A valid integer is required.");
    }

    private static List<String> choices(DrfFields fields, String name, List<String> choices) {
        List<String> texts = fields.texts(name, MAX_ITEMS);
        for (String text : texts) {
            if (!choices.contains(text)) {
                return fields.refuse(name, DrfFields.notAChoice(text));
            }
        }
        return texts;
    }

    /** Rounded up to the microseconds of PostgreSQL: no stored time is between the two. */
    private static Instant instant(DrfFields fields, String name) {
        Instant instant = fields.has(name) ? fields.exactInstant(name) : null;
        return instant == null ? null : instant.plusNanos(999).truncatedTo(ChronoUnit.MICROS);
    }

    private static <T> List<T> listOf(T value) {
        return value == null ? List.of() : List.of(value);
    }

    private static Box box(DrfFields fields, String name) {
        double[] corners = corners(fields, name);
        if (corners == null) {
            return null;
        }
        for (int i = 0; i < corners.length; i++) {
            if (Math.abs(corners[i]) > (i % 2 == 0 ? MAX_LONGITUDE : MAX_LATITUDE)) {
                return fields.refuse(name, "Longitudes are between -180 and 180, latitudes between -90 and 90.");
            }
        }
        return ordered(fields, name, corners[0], corners[1], corners[2], corners[3]);
    }

    private static Box ordered(DrfFields fields, String name, double west, double south, double east, double north) {
        return south > north
                ? fields.refuse(name, "min_lat is greater than max_lat.")
                : new Box(west, south, east, north);
    }

    /** Longitude, latitude, longitude, latitude; null when the text is refused. */
    private static double[] corners(DrfFields fields, String name) {
        String text = fields.text(name, MAX_TEXT);
        if (text == null) {
            return null;
        }
        List<BigDecimal> numbers = Arrays.stream(text.split(",", -1))
                .map(part -> StrictJson.number(TextNode.valueOf(part))).toList();
        return numbers.size() == 4 && numbers.stream().allMatch(Objects::nonNull)
                ? numbers.stream().mapToDouble(BigDecimal::doubleValue).toArray()
                : fields.refuse(name, "Expected four numbers: min_lon,min_lat,max_lon,max_lat.");
    }
}
