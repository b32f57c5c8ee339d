package io.datasetlisting.catalogue.query;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.regex.Pattern;

import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Queryable.Type;

/**
 * A literal as a value that PostgreSQL can compare with the values of a property, whatever the literal is.
 *
 * @param value
 *            of the property's type. If it is not exact: the next smaller time or integer, or the least one; nothing for other
 *            types
 * @param isExact
 *            whether the value compares as the literal does; otherwise no stored value equals the literal
 */
public record LiteralValue(Object value, boolean isExact) {

    /** Every stored time is after the first and before the second. PostgreSQL cannot read all times of literals. */
    private static final Instant BEFORE_ALL = Instant.parse("0000-12-31T23:59:59Z");
    private static final Instant AFTER_ALL = Instant.parse("+10000-01-01T00:00:00Z");

    private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public static LiteralValue of(Type type, Literal literal) {
        return switch (type) {
            case ID -> id(((Literal.Text) literal).value());
            case IDENTIFIER -> uuid(((Literal.Text) literal).value());
            case TEXT, TEXTS -> exact(((Literal.Text) literal).value());
            case INTEGER -> integer(((Literal.Number) literal).value());
            // As JSON and Java read numbers: 0.1 is the double next to it.
            case NUMBER -> exact(((Literal.Number) literal).value().doubleValue());
            case BOOLEAN -> exact(((Literal.Bool) literal).value());
            case TIME -> time(((Literal.Time) literal).value());
            case GEOMETRY -> throw new IllegalArgumentException("No literal is compared with a geometry.");
        };
    }

    private static LiteralValue exact(Object value) {
        return new LiteralValue(value, true);
    }

    /** Only the text that PostgreSQL writes for a number equals the number. */
    private static LiteralValue id(String text) {
        try {
            long id = Long.parseLong(text);
            return new LiteralValue(id, Long.toString(id).equals(text));
        } catch (NumberFormatException e) {
            return new LiteralValue(null, false);
        }
    }

    private static LiteralValue uuid(String text) {
        return UUID_TEXT.matcher(text).matches()
                ? exact(UUID.fromString(text))
                : new LiteralValue(null, false);
    }

    private static LiteralValue integer(BigDecimal number) {
        if (number.compareTo(MAX_LONG) > 0) {
            return new LiteralValue(Long.MAX_VALUE, false);
        }
        if (number.compareTo(MIN_LONG) < 0) {
            // No stored number is as small as this one.
            return new LiteralValue(Long.MIN_VALUE, false);
        }
        BigDecimal floor = number.setScale(0, RoundingMode.FLOOR);
        return new LiteralValue(floor.longValueExact(), floor.compareTo(number) == 0);
    }

    private static LiteralValue time(ExactInstant time) {
        if (time.floor().isBefore(BEFORE_ALL)) {
            return exact(BEFORE_ALL.atOffset(ZoneOffset.UTC));
        }
        return time.floor().isAfter(AFTER_ALL)
                ? exact(AFTER_ALL.atOffset(ZoneOffset.UTC))
                : new LiteralValue(time.floor().atOffset(ZoneOffset.UTC), time.isExact());
    }

    /** The operator that compares a stored value with this value as the given operator compares it with the literal. */
    public Operator operator(Operator ofLiteral) {
        return isExact ? ofLiteral : switch (ofLiteral) {
            case LESS, LESS_OR_EQUAL -> Operator.LESS_OR_EQUAL;
            case GREATER, GREATER_OR_EQUAL -> Operator.GREATER;
            case EQUAL, NOT_EQUAL -> ofLiteral;
        };
    }
}
