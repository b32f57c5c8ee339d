package io.datasetlisting.catalogue.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

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
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.cql2.Queryable.Type;

/** Makes random datasets, and random expressions that find some of them: both take their values from the same small sets. */
public final class ExpressionGenerator {

    /** Texts that differ in case, length, script and signs. */
    public static final List<String> TEXTS = List.of("", " \t", "Dataset 7", "a", "A", "Ab", "aB", "Straße", "STRASSE",
            "strasse", "ΟΔΟΣ",
            "οδος", "οδοσ", "Iı", "iI", "İ", "i̇", "a%b", "a_b", "a\\b", "é", "É", "e\u0301", "𐐀", "𐐨", "ﬃ", "ffi",
            "line\nbreak", "'", "Forest", "Desert", "ortho", "dsm", "datasets", "7", "12", "Ada", "\uFFFD");

    private static final List<String> PATTERNS = List.of("%", "_", "a%", "%S%", "%ß%", "_b", "a\\%b", "a\\_b", "a\\\\b",
            "a\\B", "%\n%", "__", "", "%o%", "F_rest", "𐐀", "%ς", "1%", "%-%", "\\ß%");

    private static final List<String> NUMBERS = List.of("0", "-1", "3", "3.0", "3.5", "-0.5", "0.1", "0.10", "1e3",
            "1e-300", "-1e-300", "1e300", "-1e300", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "0.30000000000000004", "7",
            "0.1000000000000000055511151231257827", "12345678901234567890.5");

    private static final List<Instant> TIMES = List.of(Instant.MIN, Instant.MAX, Instant.parse("-0001-01-01T00:00:00Z"),
            Instant.parse("0000-12-31T23:59:59.999999Z"), Instant.parse("0001-01-01T00:00:00Z"),
            Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2020-01-01T00:00:00.000001Z"),
            Instant.parse("2020-01-01T00:00:01Z"), Instant.parse("2021-06-01T12:00:00Z"),
            Instant.parse("9999-12-31T23:59:59Z"), Instant.parse("9999-12-31T23:59:59.999999Z"),
            Instant.parse("+10000-01-01T00:00:00Z"), Instant.parse("+294277-01-01T00:00:00Z"));

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    private final Random random;
    private final List<Queryable> queryables;
    private final List<String> otherTexts;

    /**
     * @param otherTexts
     *            further texts for literals, for example ids
     */
    public ExpressionGenerator(Random random, List<Queryable> queryables, List<String> otherTexts) {
        this.random = random;
        this.queryables = queryables;
        this.otherTexts = otherTexts;
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean oneOf(int number) {
        return random.nextInt(number) == 0;
    }

    /** Replaces the values of a dataset by values that literals have, too. */
    public void fill(Dataset d) {
        d.datasetName = one(TEXTS);
        d.workspace = random.nextInt(9) - 1L;
        d.latestAdjustmentStatus = one(TEXTS);
        d.latestAdjustmentId = one(TEXTS);
        d.cumulativeAdjustment = one(List.of(0.0, -0.0, 0.1, 0.1 + 0.2, 3.5, -1.0, 7.0, Double.MIN_VALUE,
                Double.MAX_VALUE));
        d.capturedDate = one(TIMES.stream().filter(time -> time.getNano() == 0 && time.getEpochSecond() > -62135596801L
                && time.getEpochSecond() < 253402300800L).toList());
        d.category = IntStream.rangeClosed(0, random.nextInt(3)).mapToObj(i -> one(TEXTS)).toArray(String[]::new);
        d.availableRasters = IntStream.range(0, random.nextInt(3)).mapToObj(i -> one(TEXTS)).toArray(String[]::new);
        d.rasterHeaders = oneOf(2)
                ? null
                : FilterModel.header("dtm", one(List.of("3", "3.5", "0.1", "1e-300", "1e300", "0.30000000000000004",
                        "4.9e-324", "0.1000000000000000055511151231257827")));
        d.thumbnailKey = oneOf(2) ? null : one(TEXTS);
        d.coordinates = new double[]{degrees(), degrees()};
        Envelope box = box(oneOf(3) ? 0 : random.nextInt(4), oneOf(3) ? 0 : random.nextInt(4));
        d.bbox = oneOf(3)
                ? new double[0]
                : new double[]{box.getMinY(), box.getMinX(), box.getMaxY(), box.getMaxX()};
    }

    /** Some are so close to others that the index of the database finds both. */
    private double degrees() {
        return random.nextInt(21) / 2.0 - 5 + (oneOf(6) ? 1e-7 : 0);
    }

    private Envelope box(double width, double height) {
        double west = degrees();
        double south = degrees();
        return new Envelope(west, west + width, south, south + height);
    }

    public Expression expression(int depth) {
        int kind = random.nextInt(depth > 0 ? 16 : 10);
        if (kind >= 10) {
            return kind < 12
                    ? new Not(expression(depth - 1))
                    : kind < 14 ? new And(operands(depth - 1)) : new Or(operands(depth - 1));
        }
        return switch (kind) {
            case 0 -> new Intersects(geometry(2));
            case 1 -> oneOf(3)
                    ? new Constant(random.nextBoolean())
                    : new Ids(random.longs(random.nextInt(200), 0, 400).boxed().toList());
            case 2 -> new IsNull(new Operand(one(queryables), false));
            default -> condition();
        };
    }

    private List<Expression> operands(int depth) {
        return Stream.generate(() -> expression(depth)).limit(2 + random.nextInt(2)).toList();
    }

    private Expression condition() {
        Queryable property = one(queryables);
        while (property.type() == Type.GEOMETRY) {
            property = one(queryables);
        }
        Type type = property.type();
        boolean isText = type == Type.TEXT || type == Type.TEXTS || type == Type.ID || type == Type.IDENTIFIER;
        Operand operand = new Operand(property, isText && oneOf(3));
        Supplier<Literal> literal = () -> switch (type) {
            case INTEGER, NUMBER -> new Literal.Number(new BigDecimal(one(NUMBERS)));
            case BOOLEAN -> new Literal.Bool(random.nextBoolean());
            case TIME -> new Literal.Time(new ExactInstant(one(TIMES), random.nextBoolean()));
            default -> new Literal.Text(oneOf(3) ? one(otherTexts) : one(TEXTS), oneOf(3));
        };
        return switch (random.nextInt(isText ? 5 : 4)) {
            case 0 -> new Between(operand, literal.get(), literal.get());
            case 1 -> new In(operand, Stream.generate(literal).limit(1 + random.nextInt(oneOf(5) ? 150 : 4)).toList());
            case 4 -> new Like(operand, new Literal.Text(one(PATTERNS), oneOf(3)));
            default -> new Comparison(operand, one(List.of(Operator.values())), literal.get());
        };
    }

    /** A valid geometry of any type. Its coordinates are those of datasets, so that many only touch. */
    public Geometry geometry(int depth) {
        return switch (random.nextInt(depth > 0 ? 10 : 6)) {
            case 0 -> point();
            case 1 -> line(2);
            case 2 -> line(2 + random.nextInt(4));
            case 3 -> GEOMETRIES.toGeometry(box(1 + random.nextInt(5), 1 + random.nextInt(5)));
            case 4 -> triangle();
            case 5 -> frame();
            case 6 -> GEOMETRIES.createMultiPoint(
                    Stream.generate(this::point).limit(1 + random.nextInt(25)).toArray(Point[]::new));
            case 7 -> GEOMETRIES.createMultiLineString(
                    Stream.generate(() -> line(2)).limit(1 + random.nextInt(3)).toArray(LineString[]::new));
            case 8 -> GEOMETRIES.createMultiPolygon(new Polygon[]{
                    (Polygon) GEOMETRIES.toGeometry(new Envelope(-5, -4, -5, random.nextInt(10) - 4)),
                    (Polygon) GEOMETRIES.toGeometry(new Envelope(2, 4, -5, random.nextInt(10) - 4))});
            default -> GEOMETRIES.createGeometryCollection(
                    Stream.generate(() -> geometry(depth - 1)).limit(random.nextInt(4)).toArray(Geometry[]::new));
        };
    }

    private Point point() {
        return GEOMETRIES.createPoint(new Coordinate(degrees(), degrees()));
    }

    private LineString line(int points) {
        List<Coordinate> line = new ArrayList<>();
        while (line.size() < points) {
            Coordinate next = new Coordinate(degrees(), degrees());
            if (oneOf(2) && !line.isEmpty()) {
                next.y = line.get(line.size() - 1).y;
            }
            if (line.isEmpty() || !next.equals2D(line.get(line.size() - 1))) {
                line.add(next);
            }
        }
        return GEOMETRIES.createLineString(line.toArray(Coordinate[]::new));
    }

    private Polygon triangle() {
        while (true) {
            Coordinate first = new Coordinate(degrees(), degrees());
            Polygon triangle = GEOMETRIES.createPolygon(new Coordinate[]{first, new Coordinate(degrees(), degrees()),
                    new Coordinate(degrees(), degrees()), first});
            if (triangle.isValid()) {
                return triangle;
            }
        }
    }

    /** A rectangle with a hole. */
    private Geometry frame() {
        Envelope outer = box(3 + random.nextInt(4), 3 + random.nextInt(4));
        Envelope inner = new Envelope(outer);
        inner.expandBy(-0.5);
        return GEOMETRIES.toGeometry(outer).difference(GEOMETRIES.toGeometry(inner));
    }
}
