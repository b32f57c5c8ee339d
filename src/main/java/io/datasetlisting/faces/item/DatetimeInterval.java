package io.datasetlisting.faces.item;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Queryable;

/**
 * The parameter {@code datetime}: an instant, or an interval that has at least one end. Both ends belong to an interval.
 *
 * @param start
 *            null for an open start
 * @param end
 *            null for an open end; the same as the start for an instant
 */
public record DatetimeInterval(ExactInstant start, ExactInstant end) {

    private static final Pattern FRACTION = Pattern.compile("\\.\\d+");

    /** @throws ApiException 400 for a malformed or reversed interval */
    public static DatetimeInterval parse(String text) {
        String[] ends = text.split("/", -1);
        if (ends.length == 1) {
            ExactInstant instant = instant(text);
            return new DatetimeInterval(instant, instant);
        }
        ExactInstant start = end(ends[0]);
        ExactInstant end = end(ends[1]);
        if (ends.length > 2 || start == null && end == null) {
            throw refuse("an instant, or an interval with at least one end, is expected.");
        }
        if (start != null && end != null && isAfter(start, ends[0], end, ends[1])) {
            throw refuse("the interval ends before it starts.");
        }
        return new DatetimeInterval(start, end);
    }

    private static ExactInstant end(String text) {
        return text.isEmpty() || text.equals("..") ? null : instant(text);
    }

    private static ExactInstant instant(String text) {
        ExactInstant instant = ExactInstant.parse(text);
        if (instant == null) {
            throw refuse("\"" + ApiException.shorten(text) + "\" is no date with time and zone of RFC 3339.");
        }
        return instant;
    }

    /** Whether an instant is after another; below the microsecond the digits of their texts tell. */
    private static boolean isAfter(ExactInstant start, String startText, ExactInstant end, String endText) {
        int order = start.floor().compareTo(end.floor());
        return order > 0 || order == 0 && fraction(startText).compareTo(fraction(endText)) > 0;
    }

    private static BigDecimal fraction(String text) {
        Matcher digits = FRACTION.matcher(text);
        return digits.find() ? new BigDecimal(digits.group()) : BigDecimal.ZERO;
    }

    private static ApiException refuse(String reason) {
        return new ApiException(400, "datetime: " + reason);
    }

    /** The conditions of a property of this type. */
    public List<Expression> of(Queryable property) {
        Expression.Operand operand = new Expression.Operand(property, false);
        List<Expression> conditions = new ArrayList<>();
        if (start != null) {
            conditions.add(new Expression.Comparison(operand, start == end ? Operator.EQUAL : Operator.GREATER_OR_EQUAL,
                    new Literal.Time(start)));
        }
        if (end != null && start != end) {
            conditions.add(new Expression.Comparison(operand, Operator.LESS_OR_EQUAL, new Literal.Time(end)));
        }
        return conditions;
    }
}
