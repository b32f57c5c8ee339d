package io.datasetlisting.dataset.cql2;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Geometry;

/**
 * A filter as a tree: a condition that a dataset meets, or does not meet, or for which this is unknown, because a value is
 * missing. Names, types and nesting are checked when a tree is made.
 *
 * @see <a href="https://docs.ogc.org/is/21-065r2/21-065r2.html">Common Query Language (CQL2)</a>
 */
public sealed interface Expression {

    /** Holds for every dataset. */
    Expression ALL = new And(List.of());

    /** Holds if each operand holds. Without operands, it is the whole filter. */
    record And(List<Expression> operands) implements Expression {
    }

    /** Holds if any operand holds. At least two operands. */
    record Or(List<Expression> operands) implements Expression {
    }

    record Not(Expression operand) implements Expression {
    }

    record Constant(boolean value) implements Expression {
    }

    /** A boolean property alone is compared with {@code true}. */
    record Comparison(Operand property, Operator operator, Literal literal) implements Expression {
    }

    /** The bounds are part of the range. */
    record Between(Operand property, Literal low, Literal high) implements Expression {
    }

    record In(Operand property, List<Literal> literals) implements Expression {
    }

    /**
     * {@code %} stands for any characters, {@code _} for one character; a backslash before them removes their meaning. The
     * last character is no backslash that removes a meaning.
     */
    record Like(Operand property, Literal.Text pattern) implements Expression {
    }

    record IsNull(Operand property) implements Expression {
    }

    /** Holds if the item's geometry has a point in common with this one, of degrees in the order longitude, latitude. */
    record Intersects(Geometry geometry) implements Expression {
    }

    /** Holds if the item's geometry is an area, not a point. */
    record HasArea() implements Expression {
    }

    /**
     * Holds if the item's geometry touches this part of the map, in degrees. If west is greater than east, the box crosses the
     * antimeridian.
     */
    record Box(double west, double south, double east, double north) implements Expression {

        public static final Box WORLD = new Box(-180, -90, 180, 90);

        public boolean crossesAntimeridian() {
            return west > east;
        }
    }

    /** Holds if each word is the beginning of a word of the dataset's name. It is a conjunct of the whole filter. */
    record Words(String text) implements Expression {
    }

    /**
     * Holds if any of these terms is in the name, in a category or in a text of the owner: its words follow each other there,
     * whatever their case and accents. It is a conjunct of the whole filter.
     */
    record FreeText(List<String> terms) implements Expression {
    }

    /** Holds if any of these rasters has statistics. */
    record HasStats(List<String> rasters) implements Expression {
    }

    /**
     * Holds for the datasets that became visible in their present form at this time or later. It also holds for some that were
     * changed a few seconds before, and for those that were changed since a change began that became visible late.
     */
    record VisibleSince(ExactInstant time) implements Expression {
    }

    /** Holds for the datasets with these ids. */
    record Ids(List<Long> ids) implements Expression {
    }

    /** Holds if all of these hold. */
    static Expression and(List<Expression> conditions) {
        return conditions.size() == 1 ? conditions.get(0) : new And(List.copyOf(conditions));
    }

    /** Holds if both hold. */
    default Expression and(Expression other) {
        return and(Stream.of(this, other).flatMap(each -> each.conjuncts().stream()).toList());
    }

    /** The conditions that all hold if this one holds. */
    default List<Expression> conjuncts() {
        return this instanceof And and
                ? and.operands.stream().flatMap(operand -> operand.conjuncts().stream()).toList()
                : List.of(this);
    }

    /**
     * A property of a comparison.
     *
     * @param casei
     *            whether its case is folded before it is compared
     */
    record Operand(Queryable property, boolean casei) {
    }

    /** How a property is compared with a literal, which is on the right. */
    enum Operator {
        EQUAL("="), NOT_EQUAL("<>"), LESS("<"), LESS_OR_EQUAL("<="), GREATER(">"), GREATER_OR_EQUAL(">=");

        /** In CQL2 and in SQL. */
        public final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        static Optional<Operator> of(String symbol) {
            return Stream.of(values()).filter(each -> each.symbol.equals(symbol)).findAny();
        }
    }

    /** A value of the type of the property that it is compared with. */
    sealed interface Literal {

        /**
         * A value for a property of the types {@code TEXT}, {@code TEXTS}, {@code ID} and {@code IDENTIFIER}: a text that
         * PostgreSQL can store, so without NUL and halves of surrogate pairs.
         *
         * @param casei
         *            whether its case is folded before it is compared
         */
        record Text(String value, boolean casei) implements Literal {
        }

        /** A value for a property of the types {@code INTEGER} and {@code NUMBER}. */
        record Number(BigDecimal value) implements Literal {
        }

        record Bool(boolean value) implements Literal {
        }

        record Time(ExactInstant value) implements Literal {
        }
    }
}
