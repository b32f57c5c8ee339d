package io.datasetlisting.dataset.cql2;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Between;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.IsNull;
import io.datasetlisting.dataset.cql2.Expression.Like;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Expression.Or;

/** Writes a tree as CQL2 text and as CQL2 JSON. */
final class FilterWriter {

    private static final Map<Operator, String> SYMBOLS = Map.of(Operator.EQUAL, "=", Operator.NOT_EQUAL, "<>",
            Operator.LESS, "<", Operator.LESS_OR_EQUAL, "<=", Operator.GREATER, ">", Operator.GREATER_OR_EQUAL, ">=");

    private FilterWriter() {
    }

    static String text(Expression expression) {
        if (expression instanceof And and) {
            return join(and.operands(), " AND ", FilterWriter::inBrackets);
        } else if (expression instanceof Or or) {
            return join(or.operands(), " or ", FilterWriter::inBrackets);
        } else if (expression instanceof Not not) {
            return "NOT " + inBrackets(not.operand());
        } else if (expression instanceof Constant constant) {
            return String.valueOf(constant.value());
        } else if (expression instanceof Comparison comparison) {
            return text(comparison.property()) + SYMBOLS.get(comparison.operator()) + text(comparison.literal());
        } else if (expression instanceof Between between) {
            return text(between.property()) + " BETWEEN " + text(between.low()) + " AND " + text(between.high());
        } else if (expression instanceof In in) {
            return text(in.property()) + " IN (" + join(in.literals(), ",", FilterWriter::text) + ")";
        } else if (expression instanceof Like like) {
            return text(like.property()) + " LIKE " + text(like.pattern());
        } else if (expression instanceof IsNull isNull) {
            return text(isNull.property()) + " IS NULL";
        }
        return "S_INTERSECTS(geometry," + ((Intersects) expression).geometry().toText() + ")";
    }

    private static String inBrackets(Expression expression) {
        return "(" + text(expression) + ")";
    }

    private static String text(Operand operand) {
        String name = '"' + operand.property().name() + '"';
        return operand.casei() ? "CASEI(" + name + ")" : name;
    }

    private static String text(Literal literal) {
        if (literal instanceof Literal.Text text) {
            String written = "'" + text.value().replace("\\", "\\\\").replace("'", "''") + "'";
            return text.casei() ? "casei(" + written + ")" : written;
        } else if (literal instanceof Literal.Time time) {
            return "TIMESTAMP('" + time(time.value()) + "')";
        }
        return literal instanceof Literal.Number number
                ? number.value().toString()
                : String.valueOf(((Literal.Bool) literal).value());
    }

    private static String time(ExactInstant time) {
        return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS").format(time.floor().atOffset(ZoneOffset.UTC))
                + (time.isExact() ? "Z" : "9Z");
    }

    static String json(Expression expression) {
        if (expression instanceof And and) {
            return operation("and", join(and.operands(), ",", FilterWriter::json));
        } else if (expression instanceof Or or) {
            return operation("or", join(or.operands(), ",", FilterWriter::json));
        } else if (expression instanceof Not not) {
            return operation("not", json(not.operand()));
        } else if (expression instanceof Constant constant) {
            return String.valueOf(constant.value());
        } else if (expression instanceof Comparison comparison) {
            return operation(SYMBOLS.get(comparison.operator()),
                    json(comparison.property()) + "," + json(comparison.literal()));
        } else if (expression instanceof Between between) {
            return operation("between",
                    json(between.property()) + "," + json(between.low()) + "," + json(between.high()));
        } else if (expression instanceof In in) {
            return operation("in", json(in.property()) + ",[" + join(in.literals(), ",", FilterWriter::json) + "]");
        } else if (expression instanceof Like like) {
            return operation("like", json(like.property()) + "," + json(like.pattern()));
        } else if (expression instanceof IsNull isNull) {
            return operation("isNull", json(isNull.property()));
        }
        return operation("s_intersects", "{\"property\":\"geometry\"}," + json(((Intersects) expression).geometry()));
    }

    private static String operation(String operator, String args) {
        return "{\"op\":\"" + operator + "\",\"args\":[" + args + "]}";
    }

    private static String json(Operand operand) {
        String property = "{\"property\":" + TextNode.valueOf(operand.property().name()) + "}";
        return operand.casei() ? operation("casei", property) : property;
    }

    private static String json(Literal literal) {
        if (literal instanceof Literal.Text text) {
            String written = TextNode.valueOf(text.value()).toString();
            return text.casei() ? operation("casei", written) : written;
        } else if (literal instanceof Literal.Time time) {
            return "{\"timestamp\":\"" + time(time.value()) + "\"}";
        }
        return text(literal);
    }

    private static String json(Geometry geometry) {
        boolean isCollection = geometry.getGeometryType().equals("GeometryCollection");
        return "{\"type\":\"" + geometry.getGeometryType() + "\",\"" + (isCollection ? "geometries" : "coordinates")
                + "\":" + (isCollection ? parts(geometry, FilterWriter::json) : coordinates(geometry)) + "}";
    }

    private static String coordinates(Geometry geometry) {
        if (geometry instanceof Point point) {
            return position(point.getCoordinate());
        } else if (geometry instanceof LineString line) {
            return "[" + join(List.of(line.getCoordinates()), ",", FilterWriter::position) + "]";
        } else if (geometry instanceof Polygon polygon) {
            return "[" + IntStream.rangeClosed(0, polygon.getNumInteriorRing())
                    .mapToObj(i -> i == 0 ? polygon.getExteriorRing() : polygon.getInteriorRingN(i - 1))
                    .map(FilterWriter::coordinates).collect(Collectors.joining(",")) + "]";
        }
        return parts(geometry, FilterWriter::coordinates);
    }

    private static String parts(Geometry geometry, Function<Geometry, String> writer) {
        return "[" + IntStream.range(0, geometry.getNumGeometries()).mapToObj(geometry::getGeometryN).map(writer)
                .collect(Collectors.joining(",")) + "]";
    }

    private static String position(Coordinate coordinate) {
        return "[" + coordinate.x + "," + coordinate.y + "]";
    }

    private static <T> String join(List<T> list, String separator, Function<T, String> writer) {
        return list.stream().map(writer).collect(Collectors.joining(separator));
    }
}
