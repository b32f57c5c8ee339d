package io.datasetlisting.dataset.cql2;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.Polygon;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

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

/** Writes expressions in CQL2 text and CQL2 JSON, in all notations that the languages have. */
public final class Cql2Writer {

    /** Keeps the zeros at the end of a number. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private static final Map<Operator, String> SYMBOLS = Map.of(Operator.EQUAL, "=", Operator.NOT_EQUAL, "<>",
            Operator.LESS, "<", Operator.LESS_OR_EQUAL, "<=", Operator.GREATER, ">", Operator.GREATER_OR_EQUAL, ">=");

    private static final Map<Operator, String> TURNED = Map.of(Operator.EQUAL, "=", Operator.NOT_EQUAL, "<>",
            Operator.LESS, ">", Operator.LESS_OR_EQUAL, ">=", Operator.GREATER, "<", Operator.GREATER_OR_EQUAL, "<=");

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

    private final Random random;

    public Cql2Writer(Random random) {
        this.random = random;
    }

    /**
     * Whether the languages can express it. Tests of the parsers have what they refuse: numbers beyond a double, geometries
     * without points.
     */
    public static boolean canWrite(Expression expression) {
        if (expression instanceof And and) {
            return and.operands().stream().allMatch(Cql2Writer::canWrite);
        } else if (expression instanceof Or or) {
            return or.operands().stream().allMatch(Cql2Writer::canWrite);
        } else if (expression instanceof Not not) {
            return canWrite(not.operand());
        } else if (expression instanceof Intersects intersects) {
            return canWrite(intersects.geometry());
        } else if (expression instanceof Ids ids) {
            return ids.ids().size() < 50;
        } else if (expression instanceof Comparison comparison) {
            return canWrite(comparison.literal());
        } else if (expression instanceof Between between) {
            return canWrite(between.low()) && canWrite(between.high());
        } else if (expression instanceof In in) {
            return in.literals().stream().allMatch(Cql2Writer::canWrite);
        } else if (expression instanceof Like like) {
            String pattern = like.pattern().value();
            return !pattern.endsWith("\\") || pattern.endsWith("\\\\");
        }
        return true;
    }

    public static boolean canWrite(Geometry geometry) {
        return !geometry.isEmpty() && (geometry.getNumGeometries() == 1 && geometry.getGeometryN(0) == geometry
                || IntStream.range(0, geometry.getNumGeometries())
                        .allMatch(i -> canWrite(geometry.getGeometryN(i))));
    }

    private static boolean canWrite(Literal literal) {
        if (literal instanceof Literal.Number number) {
            double rounded = number.value().doubleValue();
            return Double.isFinite(rounded) && (rounded != 0 || number.value().signum() == 0);
        }
        return !(literal instanceof Literal.Time time) || canWrite(time.value().floor());
    }

    private static boolean canWrite(Instant time) {
        return !time.isBefore(Instant.parse("0000-01-01T00:00:00Z"))
                && time.isBefore(Instant.parse("+10000-01-01T00:00:00Z"));
    }

    public String text(Expression expression) {
        if (expression instanceof And and) {
            return joined(and.operands(), keyword(" AND "));
        } else if (expression instanceof Or or) {
            return joined(or.operands(), keyword(" OR "));
        } else if (expression instanceof Not not) {
            return keyword("NOT (") + text(not.operand()) + ")";
        } else if (expression instanceof Constant constant) {
            return keyword(constant.value() ? "TRUE" : "FALSE");
        } else if (expression instanceof IsNull isNull) {
            return text(isNull.property()) + keyword(" IS NULL");
        } else if (expression instanceof Intersects intersects) {
            return keyword("S_INTERSECTS(") + "geometry, " + text(intersects.geometry()) + ')';
        } else if (expression instanceof Ids ids) {
            return ids.ids().isEmpty()
                    ? "false"
                    : ids.ids().stream().map(id -> "'" + id + "'").collect(Collectors.joining(", ", "id IN (", ")"));
        } else if (expression instanceof Comparison comparison) {
            return comparison(comparison);
        } else if (expression instanceof Between between) {
            return text(between.property()) + keyword(" BETWEEN ") + text(between.low()) + keyword(" AND ")
                    + text(between.high());
        } else if (expression instanceof In in) {
            return in.literals().stream().map(this::text)
                    .collect(Collectors.joining(",", text(in.property()) + keyword(" IN ("), ")"));
        } else if (expression instanceof Like like) {
            return text(like.property()) + keyword(" LIKE ") + text(like.pattern());
        }
        throw new IllegalArgumentException(expression.toString());
    }

    private String joined(List<Expression> operands, String operator) {
        return operands.stream().map(this::text).collect(Collectors.joining(operator, "(", ")"));
    }

    private String keyword(String text) {
        return random.nextBoolean() ? text : text.toLowerCase(Locale.ROOT);
    }

    private String comparison(Comparison comparison) {
        if (comparison.operator() == Operator.EQUAL && comparison.literal() instanceof Literal.Bool bool
                && bool.value() && random.nextBoolean()) {
            return text(comparison.property());
        }
        return random.nextInt(4) == 0
                ? text(comparison.literal()) + TURNED.get(comparison.operator()) + text(comparison.property())
                : text(comparison.property()) + ' ' + SYMBOLS.get(comparison.operator()) + ' '
                        + text(comparison.literal());
    }

    private String text(Operand operand) {
        String name = (random.nextInt(4) == 0 ? "properties." : "") + operand.property().name();
        String quoted = random.nextInt(3) == 0 ? '"' + name + '"' : name;
        return operand.casei() ? keyword("CASEI(") + quoted + ')' : quoted;
    }

    private String text(Literal literal) {
        if (literal instanceof Literal.Text text) {
            String quoted = "'" + text.value().replace("\\", "\\\\")
                    .replace("'", random.nextBoolean() ? "''" : "\\'") + "'";
            return text.casei() ? keyword("CASEI(") + quoted + ')' : quoted;
        } else if (literal instanceof Literal.Number number) {
            return random.nextBoolean() && number.value().signum() < 0
                    ? "-(" + number.value().negate() + ')'
                    : number.value().toString();
        } else if (literal instanceof Literal.Bool bool) {
            return keyword(bool.value() ? "TRUE" : "FALSE");
        }
        String time = time(((Literal.Time) literal).value());
        return random.nextBoolean() ? "'" + time + "'" : keyword("TIMESTAMP('") + time + "')";
    }

    /** A time of RFC 3339. */
    public String time(ExactInstant time) {
        // A number between the microseconds has more digits.
        int micros = time.floor().getNano() / 1000;
        String fraction = micros == 0 && time.isExact() && random.nextBoolean()
                ? ""
                : ".%06d".formatted(micros) + (time.isExact() ? "0".repeat(random.nextInt(9)) : "0000001");
        boolean isEdge = time.floor().atOffset(ZoneOffset.UTC).getYear() % 9999 < 2;
        int hours = isEdge ? 0 : random.nextInt(5) - 2;
        String zone = hours == 0
                ? random.nextBoolean() ? "Z" : "z"
                : "%s%02d:00".formatted(hours < 0 ? "-" : "+", Math.abs(hours));
        String text = SECONDS.format(time.floor().atOffset(ZoneOffset.ofHours(hours))) + fraction + zone;
        return random.nextBoolean() ? text : text.replace('T', 't');
    }

    private String text(Geometry geometry) {
        if (geometry instanceof Polygon && geometry.isRectangle() && random.nextBoolean()) {
            return keyword("BBOX(") + box(geometry).map(String::valueOf).collect(Collectors.joining(",")) + ')';
        }
        return geometry.toText();
    }

    private static Stream<Double> box(Geometry rectangle) {
        Envelope box = rectangle.getEnvelopeInternal();
        return Stream.of(box.getMinX(), box.getMinY(), box.getMaxX(), box.getMaxY());
    }

    public JsonNode json(Expression expression) {
        if (expression instanceof And and) {
            return operation("and", and.operands().stream().map(this::json).toList());
        } else if (expression instanceof Or or) {
            return operation("or", or.operands().stream().map(this::json).toList());
        } else if (expression instanceof Not not) {
            return operation("not", List.of(json(not.operand())));
        } else if (expression instanceof Constant constant) {
            return JSON.valueToTree(constant.value());
        } else if (expression instanceof IsNull isNull) {
            return operation("isNull", List.of(json(isNull.property())));
        } else if (expression instanceof Intersects intersects) {
            Geometry geometry = intersects.geometry();
            return operation("s_intersects", List.of(Map.of("property", "geometry"),
                    geometry instanceof Polygon && geometry.isRectangle() && random.nextBoolean()
                            ? Map.of("bbox", box(geometry).toList())
                            : geometry(geometry)));
        } else if (expression instanceof Ids ids) {
            return ids.ids().isEmpty()
                    ? JSON.valueToTree(false)
                    : operation("in", List.of(Map.of("property", "id"),
                            ids.ids().stream().map(String::valueOf).toList()));
        } else if (expression instanceof Comparison comparison) {
            return operation(SYMBOLS.get(comparison.operator()),
                    List.of(json(comparison.property()), json(comparison.literal())));
        } else if (expression instanceof Between between) {
            List<JsonNode> bounds = List.of(json(between.low()), json(between.high()));
            return operation("between", random.nextBoolean()
                    ? List.of(json(between.property()), bounds)
                    : List.of(json(between.property()), bounds.get(0), bounds.get(1)));
        } else if (expression instanceof In in) {
            return operation("in",
                    List.of(json(in.property()), in.literals().stream().map(this::json).toList()));
        } else if (expression instanceof Like like) {
            return operation("like", List.of(json(like.property()), json(like.pattern())));
        }
        throw new IllegalArgumentException(expression.toString());
    }

    private static JsonNode operation(String op, List<?> args) {
        return JSON.valueToTree(Map.of("op", op, "args", args));
    }

    private static JsonNode json(Operand operand) {
        Map<String, String> property = Map.of("property", operand.property().name());
        return operand.casei() ? operation("casei", List.of(property)) : JSON.valueToTree(property);
    }

    private JsonNode json(Literal literal) {
        if (literal instanceof Literal.Text text) {
            return text.casei() ? operation("casei", List.of(text.value())) : JSON.valueToTree(text.value());
        } else if (literal instanceof Literal.Number number) {
            BigDecimal value = number.value();
            return JSON.valueToTree(value);
        } else if (literal instanceof Literal.Bool bool) {
            return JSON.valueToTree(bool.value());
        }
        return JSON.valueToTree(Map.of("timestamp", time(((Literal.Time) literal).value())));
    }

    /** A GeoJSON geometry. */
    public static JsonNode geometry(Geometry geometry) {
        return JSON.valueToTree(geometry.getGeometryType().equals("GeometryCollection")
                ? Map.of("type", "GeometryCollection", "geometries", parts(geometry, Cql2Writer::geometry))
                : Map.of("type", geometry.getGeometryType(), "coordinates", coordinates(geometry)));
    }

    private static Object coordinates(Geometry geometry) {
        return switch (geometry.getGeometryType()) {
            case "Point" -> position(geometry.getCoordinate());
            case "LineString", "LinearRing" -> Stream.of(geometry.getCoordinates()).map(Cql2Writer::position).toList();
            case "Polygon" -> {
                Polygon polygon = (Polygon) geometry;
                yield Stream.concat(Stream.of(polygon.getExteriorRing()), IntStream
                        .range(0, polygon.getNumInteriorRing()).mapToObj(polygon::getInteriorRingN))
                        .map(Cql2Writer::coordinates).toList();
            }
            default -> parts(geometry, Cql2Writer::coordinates);
        };
    }

    private static List<Object> parts(Geometry geometry, java.util.function.Function<Geometry, Object> write) {
        return IntStream.range(0, geometry.getNumGeometries()).mapToObj(geometry::getGeometryN).map(write).toList();
    }

    private static List<Double> position(Coordinate coordinate) {
        return List.of(coordinate.x, coordinate.y);
    }
}
