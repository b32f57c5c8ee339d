package io.datasetlisting.catalogue.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Between;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.IsNull;
import io.datasetlisting.dataset.cql2.Expression.Like;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Expression.Or;

/**
 * The expected meaning of an {@link Expression}, in plain Java.
 *
 * @param textOrder
 *            the order of texts, which only the database knows
 */
public record ExpressionModel(Comparator<String> textOrder) {

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    /**
     * A dataset as an item.
     *
     * @param properties
     *            by the names of the queryables: String, List of String, Long, Double, Boolean, Instant; no entry for a missing
     *            value
     */
    public record Item(long id, Map<String, Object> properties, Geometry geometry) {

        public static Item of(Dataset d, Instant updated) {
            Map<String, Object> properties = new HashMap<>(Map.of("id", Long.toString(d.id), "collection", "datasets",
                    "dataset:uav_uid", d.uavUid.toString(), "dataset:user", d.ownerName,
                    "dataset:workspace", d.workspace, "title",
                    BlankText.isBlank(d.datasetName) ? "Dataset " + d.id : d.datasetName,
                    "dataset:category", List.of(d.category), "dataset:rasters", List.of(d.availableRasters),
                    "datetime", d.capturedDate, "updated", updated));
            properties.putAll(Map.of("dataset:is_private", d.isPrivate, "dataset:is_shareable", d.isShareable,
                    "dataset:cant_orthomosaic", d.cantOrthomosaic, "dataset:is_dem_processing", d.isDemProcessing,
                    "dataset:cumulative_adjustment", d.cumulativeAdjustment,
                    "dataset:latest_adjustment_status", d.latestAdjustmentStatus,
                    "dataset:latest_adjustment_id", d.latestAdjustmentId));
            if (FilterModel.gsd(d) != null) {
                properties.put("gsd", FilterModel.gsd(d));
            }
            Geometry geometry = geometry(d);
            properties.put("geometry", geometry);
            return new Item(d.id, properties, geometry);
        }

        /** The bbox if it has an area, otherwise the point at the coordinates. */
        private static Geometry geometry(Dataset d) {
            boolean hasArea = d.bbox.length == 4 && d.bbox[0] < d.bbox[2] && d.bbox[1] < d.bbox[3];
            return GEOMETRIES.toGeometry(hasArea
                    ? new Envelope(d.bbox[1], d.bbox[3], d.bbox[0], d.bbox[2])
                    : new Envelope(d.coordinates[1], d.coordinates[1], d.coordinates[0], d.coordinates[0]));
        }
    }

    /** Whether the item meets the condition; null if this is unknown. */
    public Boolean evaluate(Expression expression, Item item) {
        if (expression instanceof And and) {
            return minimum(and.operands().stream().map(operand -> evaluate(operand, item)).toList());
        } else if (expression instanceof Or or) {
            return negation(minimum(or.operands().stream().map(operand -> negation(evaluate(operand, item))).toList()));
        } else if (expression instanceof Not not) {
            return negation(evaluate(not.operand(), item));
        } else if (expression instanceof Constant constant) {
            return constant.value();
        } else if (expression instanceof IsNull isNull) {
            return value(isNull.property(), item) == null;
        } else if (expression instanceof Intersects intersects) {
            return intersects.geometry().intersects(item.geometry);
        } else if (expression instanceof Ids ids) {
            return ids.ids().contains(item.id);
        } else if (expression instanceof Comparison comparison) {
            return anyValue(comparison.property(), item,
                    value -> holds(value, comparison.operator(), comparison.literal()));
        } else if (expression instanceof Between between) {
            return anyValue(between.property(), item,
                    value -> holds(value, Operator.GREATER_OR_EQUAL, between.low())
                            && holds(value, Operator.LESS_OR_EQUAL, between.high()));
        } else if (expression instanceof In in) {
            return anyValue(in.property(), item,
                    value -> in.literals().stream().anyMatch(literal -> holds(value, Operator.EQUAL, literal)));
        } else if (expression instanceof Like like) {
            return anyValue(like.property(), item, value -> like((String) value, text(like.pattern())));
        }
        throw new IllegalArgumentException(expression.toString());
    }

    private static Boolean minimum(List<Boolean> values) {
        return values.contains(false) ? Boolean.FALSE : values.contains(null) ? null : Boolean.TRUE;
    }

    private static Boolean negation(Boolean value) {
        return value == null ? null : !value;
    }

    private static Object value(Operand property, Item item) {
        return item.properties.get(property.property().name());
    }

    private static Boolean anyValue(Operand property, Item item, Predicate<Object> condition) {
        Object value = value(property, item);
        if (value == null) {
            return null;
        }
        Stream<?> all = value instanceof List<?> list ? list.stream() : Stream.of(value);
        return all.anyMatch(one -> condition.test(property.casei() ? fold((String) one) : one));
    }

    private boolean holds(Object value, Operator operator, Literal literal) {
        if (value instanceof String text && (operator == Operator.EQUAL || operator == Operator.NOT_EQUAL)) {
            return text.equals(text((Literal.Text) literal)) == (operator == Operator.EQUAL);
        }
        int order = compare(value, literal);
        return switch (operator) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    private int compare(Object value, Literal literal) {
        if (value instanceof String text) {
            return textOrder.compare(text, text((Literal.Text) literal));
        } else if (value instanceof Long integer) {
            return BigDecimal.valueOf(integer).compareTo(((Literal.Number) literal).value());
        } else if (value instanceof Double number) {
            double other = ((Literal.Number) literal).value().doubleValue();
            return number < other ? -1 : number > other ? 1 : 0;
        } else if (value instanceof Boolean bool) {
            return bool.compareTo(((Literal.Bool) literal).value());
        }
        ExactInstant time = ((Literal.Time) literal).value();
        int order = ((Instant) value).compareTo(time.floor());
        return order == 0 && !time.isExact() ? -1 : order;
    }

    private static String text(Literal.Text literal) {
        return literal.casei() ? fold(literal.value()) : literal.value();
    }

    /** The text without its case. The final sigma equals the other one; the dotless i is no i. */
    public static String fold(String text) {
        return text.replace('ı', '\uFDD0').toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT)
                .replace('ς', 'σ');
    }

    private static boolean like(String text, String pattern) {
        StringBuilder regex = new StringBuilder("(?s)");
        int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            if (points[i] == '%') {
                regex.append(".*");
            } else if (points[i] == '_') {
                regex.append('.');
            } else {
                if (points[i] == '\\' && i + 1 < points.length) {
                    i++;
                }
                regex.append(Pattern.quote(Character.toString(points[i])));
            }
        }
        return Pattern.matches(regex.toString(), text);
    }
}
