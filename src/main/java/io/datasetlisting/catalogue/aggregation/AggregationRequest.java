package io.datasetlisting.catalogue.aggregation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.grid.Cells;
import io.datasetlisting.catalogue.index.Interval;
import io.datasetlisting.dataset.cql2.Expression;

/**
 * A request for aggregations.
 *
 * @param filter
 *            of the datasets
 * @param aggregations
 *            in the order of the result, without repetitions
 * @param geohashLength
 *            of the aggregation of geohashes
 * @param tileZoom
 *            of the aggregation of tiles
 * @param interval
 *            the buckets of the aggregation of times
 */
public record AggregationRequest(Expression filter, List<Aggregation> aggregations, int geohashLength,
        int tileZoom, Interval interval) {

    private static final String AGGREGATIONS = "aggregations";
    /** The parameters besides those of the filter. */
    public static final Set<String> PARAMETERS = Stream
            .concat(Stream.of(AGGREGATIONS), Arrays.stream(Aggregation.values()).map(Aggregation::parameter))
            .filter(Objects::nonNull).collect(Collectors.toUnmodifiableSet());

    private static final Pattern INTEGER = Pattern.compile("\\d{1,3}");

    /**
     * @param body
     *            the members of the request; a number may be a text
     *
     * @throws ApiException
     *             400 for a malformed member
     */
    public static AggregationRequest of(Expression filter, ObjectNode body) {
        return new AggregationRequest(filter, aggregations(body.get(AGGREGATIONS)),
                precision(body, Aggregation.CENTROID_GEOHASH_GRID_FREQUENCY, 1, Cells.Geohash.MAX),
                precision(body, Aggregation.CENTROID_GEOTILE_GRID_FREQUENCY, 0, Cells.Geotile.MAX),
                interval(body, Aggregation.DATETIME_FREQUENCY.parameter()));
    }

    private static List<Aggregation> aggregations(JsonNode names) {
        List<Aggregation> aggregations = new ArrayList<>();
        if (names == null) {
            return aggregations;
        }
        if (!names.isArray()) {
            throw refuse(AGGREGATIONS, "an array of texts is expected.");
        }
        for (JsonNode name : names) {
            if (!name.isTextual()) {
                throw refuse(AGGREGATIONS, "an array of texts is expected.");
            }
            Aggregation aggregation = Aggregation.of(name.textValue());
            if (aggregation == null) {
                throw refuse(AGGREGATIONS,
                        "there is no aggregation \"" + ApiException.shorten(name.textValue()) + "\".");
            }
            if (!aggregations.contains(aggregation)) {
                aggregations.add(aggregation);
            }
        }
        return aggregations;
    }

    private static int precision(ObjectNode body, Aggregation of, int min, int max) {
        JsonNode value = body.get(of.parameter());
        if (value == null) {
            return min;
        }
        String text = value.isIntegralNumber() || value.isTextual() ? value.asText() : "";
        int precision = INTEGER.matcher(text).matches() ? Integer.parseInt(text) : -1;
        if (precision < min || precision > max) {
            throw refuse(of.parameter(), "an integer from " + min + " to " + max + " is expected.");
        }
        return precision;
    }

    private static Interval interval(ObjectNode body, String parameter) {
        JsonNode value = body.get(parameter);
        if (value == null) {
            return Interval.MONTH;
        }
        return Arrays.stream(Interval.values()).filter(each -> each.id().equals(value.textValue())).findAny()
                .orElseThrow(() -> refuse(parameter, Arrays.stream(Interval.values())
                        .map(each -> '"' + each.id() + '"')
                        .collect(Collectors.joining(", ", "one of ", " is expected."))));
    }

    static ApiException refuse(String parameter, String reason) {
        return new ApiException(400, parameter + ": " + reason);
    }

    /** The columns that the aggregations need, besides those of the filter. */
    Set<Column> columns() {
        Set<Column> columns = EnumSet.noneOf(Column.class);
        aggregations.forEach(each -> columns.addAll(each.columns()));
        return columns;
    }
}
