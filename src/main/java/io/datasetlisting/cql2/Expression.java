package io.datasetlisting.cql2;

import java.math.BigDecimal;
import java.util.List;

import org.locationtech.jts.geom.Geometry;

/**
 * A filter as a tree: a condition that a dataset meets, or does not meet, or for which this is unknown, because a value is missing.
 * Names, types and nesting are checked when a tree is made.
 *
 * @see <a href="https://docs.ogc.org/is/21-065r2/21-065r2.html">Common Query Language (CQL2)</a>
 */
public sealed interface Expression {

    /** Holds if each operand holds. At least two operands. */
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

    /** {@code %} stands for any characters, {@code _} for one character; a backslash before them removes their meaning. */
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

    /** Holds for the datasets with these ids. */
    record Ids(List<Long> ids) implements Expression {
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
        EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL
    }

    /** A value of the type of the property that it is compared with. */
    sealed interface Literal {

        /**
         * A value for a property of the types {@code TEXT}, {@code TEXTS}, {@code ID} and {@code IDENTIFIER}.
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
