package io.datasetlisting.dataset.cql2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.locationtech.jts.geom.Geometry;

import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Term.Condition;
import io.datasetlisting.dataset.cql2.Term.Property;
import io.datasetlisting.dataset.cql2.Term.Shape;
import io.datasetlisting.dataset.cql2.Term.Value;
import io.datasetlisting.http.input.StrictJson;

/**
 * Makes the conditions of a filter from their terms, and checks names and types. Both parsers use it, so that they have the same
 * rules.
 */
final class Predicates {

    private static final String PREFIX = "properties.";

    private final Map<String, Queryable> queryables;
    private final Reading reading;

    Predicates(Map<String, Queryable> queryables, Reading reading) {
        this.queryables = queryables;
        this.reading = reading;
    }

    Property property(String name) {
        Queryable queryable = queryables.get(name);
        if (queryable == null && name.startsWith(PREFIX)) {
            queryable = queryables.get(name.substring(PREFIX.length()));
        }
        if (queryable == null) {
            throw reading.refuse("Unknown property " + Place.quote(name));
        }
        reading.addNode();
        return new Property(new Operand(queryable, false), reading.here());
    }

    Value value(Literal literal) {
        reading.addNode();
        return new Value(literal, reading.here());
    }

    /**
     * @param geometry
     *            null for a box that is above or below every item
     */
    Shape shape(Geometry geometry) {
        reading.addNode();
        return new Shape(geometry, reading.here());
    }

    Value text(String value) {
        if (value.indexOf('\0') >= 0 || StrictJson.loneSurrogate(value) >= 0) {
            // PostgreSQL cannot store such a text.
            throw reading.refuse("A text with a NUL character or half of a surrogate pair");
        }
        return value(new Literal.Text(value, false));
    }

    /**
     * @param date
     *            whether the text is a date alone
     */
    Value time(Term text, boolean date) {
        if (text instanceof Value value && value.literal() instanceof Literal.Text literal && !literal.casei()) {
            ExactInstant time = date
                    ? ExactInstant.parseDate(literal.value())
                    : ExactInstant.parse(literal.value());
            if (time != null) {
                return new Value(new Literal.Time(time), text.place());
            }
        }
        throw text.place().refuse(date
                ? "Expected a date of RFC 3339 ('2020-12-31')"
                : "Expected a time of RFC 3339 ('2020-12-31T23:59:59Z')");
    }

    Term casei(Term term) {
        if (term instanceof Property property) {
            return new Property(new Operand(textual(property, "CASEI"), true), property.place());
        }
        if (term instanceof Value value && value.literal() instanceof Literal.Text text) {
            return new Value(new Literal.Text(text.value(), true), value.place());
        }
        throw term.place().refuse("Expected a text or a property in CASEI");
    }

    Condition comparison(Term left, Operator operator, Term right) {
        boolean turned = right instanceof Property;
        if (turned == left instanceof Property) {
            throw right.place().refuse(turned
                    ? "A property cannot be compared with a property"
                    : "A comparison without a property");
        }
        Operand property = operand(turned ? right : left);
        Literal literal = literal(property.property(), turned ? left : right);
        boolean isOrder = operator != Operator.EQUAL;
        countIfCostly(property, isOrder, literal, left);
        return condition(new Expression.Comparison(property, turned ? turn(operator) : operator, literal), left);
    }

    private static Operator turn(Operator operator) {
        return switch (operator) {
            case EQUAL, NOT_EQUAL -> operator;
            case LESS -> Operator.GREATER;
            case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
            case GREATER -> Operator.LESS;
            case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
        };
    }

    /** An index finds the arrays that contain a text whose case is not folded. */
    private void countIfCostly(Operand property, boolean isOrder, Literal literal, Term place) {
        boolean isFolded = property.casei() || literal instanceof Literal.Text text && text.casei();
        if (property.property().type() == Queryable.Type.TEXTS && (isOrder || isFolded)) {
            reading.addPattern(place);
        }
    }

    Condition between(Term property, Term low, Term high) {
        Operand operand = operand(property);
        countIfCostly(operand, true, null, property);
        return condition(new Expression.Between(operand, literal(operand.property(), low),
                literal(operand.property(), high)), property);
    }

    /** At least one value. */
    Condition in(Term property, List<Term> values) {
        Operand operand = operand(property);
        List<Literal> literals = new ArrayList<>(values.size());
        for (Term value : values) {
            literals.add(literal(operand.property(), value));
        }
        Literal folded = literals.stream()
                .filter(literal -> literal instanceof Literal.Text text && text.casei()).findAny()
                .orElse(literals.get(0));
        countIfCostly(operand, false, folded, property);
        return condition(new Expression.In(operand, List.copyOf(literals)), property);
    }

    Condition like(Term property, Term pattern) {
        Operand operand = operand(property);
        textual((Property) property, "LIKE");
        reading.addPattern(property);
        if (!(pattern instanceof Value value && value.literal() instanceof Literal.Text text)) {
            throw pattern.place().refuse("Expected a text as the pattern of LIKE");
        }
        int end = text.value().length();
        while (end > 0 && text.value().charAt(end - 1) == '\\') {
            end--;
        }
        if ((text.value().length() - end) % 2 == 1) {
            throw pattern.place().refuse("A pattern of LIKE that ends with a single backslash");
        }
        return condition(new Expression.Like(operand, text), property);
    }

    Condition isNull(Term term) {
        if (!(term instanceof Property property)) {
            throw term.place().refuse("Expected a property for IS NULL");
        }
        return condition(new Expression.IsNull(property.operand()), term);
    }

    Condition intersects(Term first, Term second) {
        Term property = second instanceof Property ? second : first;
        Term shape = second instanceof Property ? first : second;
        if (!(property instanceof Property named) || named.operand().property().type() != Queryable.Type.GEOMETRY) {
            throw property.place().refuse("Expected a property with geometries in S_INTERSECTS");
        }
        if (!(shape instanceof Shape drawn)) {
            throw shape.place().refuse("Expected a geometry in S_INTERSECTS");
        }
        return new Condition(drawn.geometry() == null
                ? new Expression.Constant(false)
                : new Expression.Intersects(drawn.geometry()), reading.here());
    }

    Condition not(Term operand, Place place) {
        return new Condition(new Expression.Not(expression(operand)), place);
    }

    /** At least two operands. */
    Condition and(List<Term> operands) {
        return condition(new Expression.And(expressions(operands)), operands.get(0));
    }

    /** At least two operands. */
    Condition or(List<Term> operands) {
        return condition(new Expression.Or(expressions(operands)), operands.get(0));
    }

    private static List<Expression> expressions(List<Term> terms) {
        return terms.stream().map(Predicates::expression).toList();
    }

    /** The condition that a term is. A boolean property and a boolean literal are conditions, too. */
    static Expression expression(Term term) {
        if (term instanceof Condition condition) {
            return condition.expression();
        }
        if (term instanceof Value value && value.literal() instanceof Literal.Bool bool) {
            return new Expression.Constant(bool.value());
        }
        if (term instanceof Property property && property.operand().property().type() == Queryable.Type.BOOLEAN) {
            return new Expression.Comparison(property.operand(), Operator.EQUAL, new Literal.Bool(true));
        }
        throw term.place().refuse("Expected a condition");
    }

    /** The condition begins where its first term does. */
    private static Condition condition(Expression expression, Term first) {
        return new Condition(expression, first.place());
    }

    /** A property that is compared with literals. */
    private static Operand operand(Term term) {
        if (!(term instanceof Property property)) {
            throw term.place().refuse("Expected a property");
        }
        if (property.operand().property().type() == Queryable.Type.GEOMETRY) {
            throw term.place().refuse("A geometry outside S_INTERSECTS and IS NULL");
        }
        return property.operand();
    }

    private static Queryable textual(Property property, String operator) {
        Queryable queryable = property.operand().property();
        return switch (queryable.type()) {
            case ID, IDENTIFIER, TEXT, TEXTS -> queryable;
            case INTEGER, NUMBER, BOOLEAN, TIME, GEOMETRY -> throw property.place()
                    .refuse(operator + " needs a text, but the property '" + queryable.name() + "' has none");
        };
    }

    /** The literal, if it can be compared with the property. */
    private Literal literal(Queryable property, Term term) {
        if (term instanceof Property) {
            throw term.place().refuse("Expected a value for the property '" + property.name() + "'");
        }
        Literal literal = term instanceof Value value ? value.literal() : null;
        return switch (property.type()) {
            case ID, IDENTIFIER, TEXT, TEXTS ->
                expect(literal instanceof Literal.Text, literal, "a text", property, term);
            case INTEGER, NUMBER -> expect(literal instanceof Literal.Number, literal, "a number", property, term);
            case BOOLEAN -> expect(literal instanceof Literal.Bool, literal, "true or false", property, term);
            case TIME -> time(literal, property, term);
            case GEOMETRY -> throw new IllegalStateException(property.name());
        };
    }

    private static Literal time(Literal literal, Queryable property, Term term) {
        Literal time = literal;
        if (literal instanceof Literal.Text text && !text.casei()) {
            ExactInstant instant = ExactInstant.parse(text.value());
            instant = instant == null ? ExactInstant.parseDate(text.value()) : instant;
            time = instant == null ? null : new Literal.Time(instant);
        }
        return expect(time instanceof Literal.Time, time, "a time of RFC 3339", property, term);
    }

    private static Literal expect(boolean fits, Literal literal, String type, Queryable property, Term term) {
        if (!fits) {
            throw term.place().refuse("Expected " + type + " for the property '" + property.name() + "'");
        }
        return literal;
    }
}
