package io.datasetlisting.dataset.cql2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.CoordinateFilter;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

import io.datasetlisting.base.ApiException;
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
import io.datasetlisting.dataset.cql2.Queryable.Type;
import io.datasetlisting.http.input.StrictJson;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Tests both parsers with random trees and with random and damaged filters. */
class GeneratedFiltersTest {

    private static final List<Queryable> COMPARED = Filters.QUERYABLES.values().stream()
            .filter(queryable -> queryable.type() != Type.GEOMETRY).toList();

    /** Parts of filters, correct and not. */
    private static final List<String> WORDS = List.of("and", "or", "not", "NOT ", "is", "null", "like", "between", "in",
            "true", "private", "title", "category", "geometry", "datetime", "\"depth\"", "casei(", "date(",
            "timestamp(",
            "S_INTERSECTS(geometry,", "POINT", "POLYGON Z", "MULTIPOINT((", "GEOMETRYCOLLECTION(", "BBOX(", "EMPTY",
            "(",
            ")", "((", ",", "'", "''", "\\", "'a%'", "'2020-01-01'", "5", "-", "+", ".", "1e", "1e400", "-1 2", "181 1",
            "=", "<>", "<", ">=", "!=", "*", ";", "--", "\"", "{\"op\":", "[", "]}", "\0", "\ud800", "\"\\ud800\"",
            "\"property\":", "\"args\":", "🛰", "\u00a0", "\n");

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void aTreeIsTheSameFromTextAndFromJson(@ForAll @From("trees") Expression tree, @ForAll long seed) {
        Cql2Writer writer = writer(seed);
        String text = writer.text(tree);
        assertEquals(tree, Filters.text(text), text);
        String json = writer.json(tree).toString();
        assertEquals(tree, Filters.json(json), json);
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void arbitraryTextIsAFilterOrAnError(@ForAll @From("nonsense") String filter) {
        parsesAsText(filter);
        parsesAsJson(filter);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void aDamagedFilterIsAFilterOrAnError(@ForAll @From("trees") Expression tree,
            @ForAll @From("nonsense") String nonsense,
            @ForAll @IntRange(max = 10_000) int from, @ForAll @IntRange(max = 10) int length, @ForAll long seed) {
        Cql2Writer writer = writer(seed);
        parsesAsText(damage(writer.text(tree), nonsense, from, length));
        parsesAsJson(damage(writer.json(tree).toString(), nonsense, from, length));
    }

    private static Cql2Writer writer(long seed) {
        return new Cql2Writer(new Random(seed));
    }

    /** Every prefix of a filter ends at another step of the parser. */
    @Test
    void aPrefixOfAFilterIsAFilterOrAnError() {
        String filter = "not (casei(title) like casei('a\\'b%') or \"depth\" not between -1.5e-3 and +(.5)) and private "
                + "and datetime in (timestamp('2020-01-01T00:00:00Z'), date('2020-01-01'))"
                + "or s_intersects(geometry, geometrycollection z(point(1 2), polygon((0 0, 1 0, 1 1, 0 0))))"
                + "and s_intersects(bbox(1, 2, 3, 4), properties.geometry) and title is not null";
        Expression tree = Filters.text(filter);
        String json = writer(1).json(tree).toString();
        assertEquals(tree, Filters.json(json));
        for (String whole : List.of(filter, json)) {
            for (int end = 0; end < whole.length(); end++) {
                parsesAsText(whole.substring(0, end));
                parsesAsJson(whole.substring(0, end));
            }
        }
    }

    private static String damage(String filter, String nonsense, int from, int length) {
        int start = from % filter.length();
        return filter.substring(0, start) + nonsense + filter.substring(Math.min(filter.length(), start + length));
    }

    private static void parsesAsText(String filter) {
        parses(filter, Filters::text, "filter: ");
    }

    private static void parsesAsJson(String filter) {
        // JSON is decoded from UTF-8, so that only escapes make halves of surrogate pairs.
        parses(new String(filter.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8), Filters::json, "");
    }

    private static void parses(String filter, Function<String, Expression> parser, String prefix) {
        try {
            assertTimeout(Duration.ofMinutes(1), () -> parser.apply(filter));
        } catch (ApiException e) {
            assertEquals(400, e.status());
            assertTrue(e.getMessage().startsWith(prefix), e.getMessage());
            assertTrue(e.getMessage().length() < 600, e.getMessage());
            assertTrue(!e.getMessage().startsWith("filter: ") || StrictJson.loneSurrogate(e.getMessage()) < 0,
                    e.getMessage());
        }
    }

    @Provide
    Arbitrary<String> nonsense() {
        return Arbitraries.oneOf(
                Arbitraries.of(WORDS).list().ofMaxSize(12).map(words -> String.join(" ", words)),
                Arbitraries.of(WORDS).list().ofMaxSize(5).map(words -> String.join("", words)),
                Arbitraries.strings().ofMaxLength(20));
    }

    @Provide
    Arbitrary<Expression> trees() {
        return trees(3);
    }

    private static Arbitrary<Expression> trees(int depth) {
        if (depth == 0) {
            return leaves();
        }
        Arbitrary<List<Expression>> operands = Arbitraries.lazy(() -> trees(depth - 1)).list().ofMinSize(2)
                .ofMaxSize(3);
        return Arbitraries.oneOf(leaves(), operands.map(And::new), operands.map(Or::new),
                Arbitraries.lazy(() -> trees(depth - 1)).map(Not::new));
    }

    private static Arbitrary<Expression> leaves() {
        Arbitrary<Expression> comparisons = Arbitraries.of(COMPARED).flatMap(GeneratedFiltersTest::comparisons);
        return Arbitraries.oneOf(comparisons, comparisons, Arbitraries.of(true, false).map(Constant::new),
                geometries().map(Intersects::new), Arbitraries.just(new IsNull(Filters.operand("geometry"))));
    }

    private static Arbitrary<Expression> comparisons(Queryable property) {
        boolean isText = texts(property);
        Arbitrary<Operand> operand = (isText ? Arbitraries.of(true, false) : Arbitraries.just(false))
                .map(casei -> new Operand(property, casei));
        Arbitrary<Literal> literal = literals(property);
        List<Arbitrary<? extends Expression>> kinds = List.of(
                Combinators.combine(operand, Arbitraries.of(Operator.class), literal).as(Comparison::new),
                Combinators.combine(operand, literal, literal).as(Between::new),
                Combinators.combine(operand, literal.list().ofMinSize(1).ofMaxSize(3)).as(In::new),
                operand.map(IsNull::new),
                // The last one, because it is for texts only.
                Combinators.combine(operand, patterns()).as(Like::new));
        return Arbitraries.of(kinds.subList(0, isText ? 5 : 4)).flatMap(kind -> kind.map(Expression.class::cast));
    }

    private static boolean texts(Queryable property) {
        return switch (property.type()) {
            case ID, IDENTIFIER, TEXT, TEXTS -> true;
            default -> false;
        };
    }

    private static Arbitrary<Literal> literals(Queryable property) {
        return switch (property.type()) {
            case INTEGER, NUMBER ->
                Arbitraries.bigDecimals().between(new BigDecimal(-1_000_000), new BigDecimal(1_000_000))
                        .ofScale(3).map(Literal.Number::new);
            case BOOLEAN -> Arbitraries.of(true, false).map(Literal.Bool::new);
            case TIME -> Combinators.combine(Arbitraries.longs().between(-62_167_219_200L, 253_402_300_799L),
                    Arbitraries.longs().between(0, 999_999), Arbitraries.of(true, false))
                    .as((second, micros, isExact) -> new Literal.Time(
                            new ExactInstant(Instant.ofEpochSecond(second, micros * 1_000), isExact)));
            default ->
                literalTexts(Arbitraries.of("a", "B", "ß", "'", "\"", "\\", "\\n", "%", "(", "🛰", "\n", "\t", "n"));
        };
    }

    private static Arbitrary<Literal.Text> patterns() {
        return literalTexts(Arbitraries.of("a", "%", "_", "\\%", "\\_", "\\\\", "'", "\\'", "\\n"));
    }

    private static <T extends Literal> Arbitrary<T> literalTexts(Arbitrary<String> parts) {
        @SuppressWarnings("unchecked")
        Arbitrary<T> texts = (Arbitrary<T>) Combinators
                .combine(parts.list().ofMaxSize(5).map(list -> String.join("", list)), Arbitraries.of(true, false))
                .as(Literal.Text::new);
        return texts;
    }

    private static Arbitrary<Geometry> geometries() {
        GeometryFactory factory = new GeometryFactory();
        // Sums of eighths are exact, so that JTS writes all digits.
        Arbitrary<Double> longitude = Arbitraries.integers().between(-180 * 8, 170 * 8).map(eighths -> eighths / 8.0);
        Arbitrary<Double> latitude = Arbitraries.integers().between(-90 * 8, 80 * 8).map(eighths -> eighths / 8.0);
        Arbitrary<Geometry> boxes = Combinators.combine(longitude, latitude, longitude, latitude)
                .as((x, y, x2, y2) -> GeometryBuilder.box(Math.min(x, x2), Math.min(y, y2), Math.max(x, x2),
                        Math.max(y, y2)));
        Arbitrary<Geometry> shapes = Combinators.combine(longitude, latitude, Arbitraries.of(
                "POINT(0 0)", "MULTIPOINT(0 0, 1 1)", "LINESTRING(0 0, 5 5, 0 5)",
                "MULTILINESTRING((0 0, 5 5), (1 0, 2 0))",
                "POLYGON((0 0, 5 0, 5 5, 0 0))", "POLYGON((0 0, 0 9, 9 9, 9 0, 0 0), (1 1, 2 1, 2 2, 1 1))",
                "MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)), ((3 3, 3 4, 4 4, 3 3), (3.125 3.25, 3.125 3.75, 3.5 3.75, 3.125 3.25)))",
                "GEOMETRYCOLLECTION(POINT(0 0), GEOMETRYCOLLECTION(LINESTRING(0 0, 1 1)))"))
                .as((x, y, wkt) -> {
                    Geometry geometry = Filters.geometry(wkt);
                    geometry.apply((CoordinateFilter) vertex -> {
                        vertex.x += x;
                        vertex.y += y;
                    });
                    return factory.createGeometry(geometry);
                });
        return Arbitraries.oneOf(boxes, shapes);
    }
}
