package io.datasetlisting.catalogue.query;

import java.util.Arrays;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Or;

/**
 * Rewrites filters for PostgreSQL, which knows boxes alone: each {@link Intersects} of a geometry that does not consist of boxes
 * is replaced by the ids of datasets that intersect it, which columns find.
 *
 * @see <a href="../../../../../../../docs/adr/0023-exact-intersection.md">ADR 23</a>
 */
public final class Intersections {

    private Intersections() {
    }

    /** The geometries in a filter. */
    public static Stream<Intersects> all(Expression filter) {
        return Filter.parts(filter).filter(Intersects.class::isInstance).map(Intersects.class::cast);
    }

    /** The conditions in a filter that PostgreSQL does not decide. */
    public static Set<Intersects> undecided(Expression filter) {
        return all(filter).filter(each -> !CoveringBoxes.of(each.geometry()).areExact()).collect(Collectors.toSet());
    }

    /** The filter with the ids of all datasets that intersect a geometry. */
    public static Expression decided(Expression filter, Function<Intersects, Ids> found) {
        return rewritten(filter, true, (intersects, isPositive) -> found.apply(intersects));
    }

    /**
     * The condition for the datasets that intersect a geometry.
     *
     * @param ids
     *            fails with {@link #tooMany} if they are null or more than {@code max}
     */
    public static Ids ids(long[] ids, int max) {
        if (ids == null || ids.length > max) {
            throw tooMany(max);
        }
        return new Ids(Arrays.stream(ids).boxed().toList());
    }

    /** Says that a filter cannot be decided. */
    public static ApiException tooMany(int max) {
        return new ApiException(400, "More than " + max
                + " datasets are in the geometry. With this order, or with these other "
                + "conditions, at most this number is possible. Use a smaller geometry, a bbox, or the order of id or datetime.");
    }

    /**
     * A filter that holds for each dataset for which this one holds, and for few others. For {@link #decided}, the ids of these
     * candidates that intersect a geometry are enough.
     *
     * <p>
     * In the order false, unknown, true the connectives are minimum, maximum and complement. So a filter becomes more true, or
     * stays as it is, when conditions under an odd number of negations become false: it holds for candidates alone. For a
     * dataset that is no candidate, all lists of ids are false. Under an odd number of negations they are false for the
     * candidates, too, and elsewhere a false condition makes the filter less true: the decided filter does not hold either. For
     * a candidate each list has the value of the condition.
     */
    public static Expression candidates(Expression filter) {
        return rewritten(filter, true, (intersects, isPositive) -> isPositive ? intersects : new Constant(false));
    }

    /**
     * The same tree with other expressions in place of the undecided conditions.
     *
     * @param isPositive
     *            whether the number of negations around the expression is even; also an argument of the replacement
     */
    private static Expression rewritten(Expression expression, boolean isPositive,
            BiFunction<Intersects, Boolean, Expression> replacement) {
        UnaryOperator<Expression> inner = operand -> rewritten(operand, isPositive, replacement);
        if (expression instanceof And and) {
            return new And(and.operands().stream().map(inner).toList());
        } else if (expression instanceof Or or) {
            return new Or(or.operands().stream().map(inner).toList());
        } else if (expression instanceof Not not) {
            return new Not(rewritten(not.operand(), !isPositive, replacement));
        } else if (expression instanceof Intersects intersects
                && !CoveringBoxes.of(intersects.geometry()).areExact()) {
            return replacement.apply(intersects, isPositive);
        }
        return expression;
    }
}
