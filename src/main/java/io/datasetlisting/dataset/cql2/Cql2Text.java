package io.datasetlisting.dataset.cql2;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.Cql2Lexer.Kind;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Term.Value;

/** Parses filters in <a href="https://docs.ogc.org/is/21-065r2/21-065r2.html#cql2-text">CQL2 text</a>. */
public final class Cql2Text {

    private static final String PARAMETER = "filter";

    private final Map<String, Queryable> queryables;
    private final Limits limits;

    /**
     * @param queryables
     *            the properties that a filter can name, by name
     */
    public Cql2Text(Map<String, Queryable> queryables, Limits limits) {
        this.queryables = queryables;
        this.limits = limits;
    }

    /**
     * @throws ApiException
     *             400 with the position of the error
     */
    public Expression parse(String text) {
        return new Parser(queryables, limits, text).parse();
    }

    /** Parses one filter by recursive descent: one method for each level of precedence. */
    private static final class Parser {

        private final Cql2Lexer lexer;
        private final Reading reading;
        private final Predicates predicates;
        private final WktParser geometries;

        Parser(Map<String, Queryable> queryables, Limits limits, String text) {
            lexer = new Cql2Lexer(PARAMETER, text);
            reading = new Reading(limits, PARAMETER);
            reading.addCharacters(text.length());
            predicates = new Predicates(queryables, reading);
            geometries = new WktParser(lexer, reading);
        }

        Expression parse() {
            lexer.next();
            Expression expression = Predicates.expression(alternative());
            if (lexer.kind() != Kind.END) {
                throw unexpected("AND, OR or the end of the filter");
            }
            return expression;
        }

        private Term alternative() {
            return chain("OR", () -> chain("AND", this::factor, predicates::and), predicates::or);
        }

        /** Terms with the same operator between them are the operands of one condition. */
        private Term chain(String operator, Supplier<Term> operand, Function<List<Term>, Term> join) {
            Term first = operand.get();
            if (!lexer.isKeyword(operator)) {
                return first;
            }
            List<Term> operands = new ArrayList<>(List.of(first));
            while (lexer.skipKeyword(operator)) {
                operands.add(operand.get());
            }
            return join.apply(operands);
        }

        private Term factor() {
            return lexer.isKeyword("NOT") ? reading.at(lexer.place(), this::negation) : predicate();
        }

        private Term negation() {
            lexer.next();
            return predicates.not(reading.nested(this::factor), reading.here());
        }

        private Term predicate() {
            Term left = operand();
            Optional<Operator> operator = Operator.of(lexer.kind() == Kind.SYMBOL ? lexer.value() : "");
            if (operator.isPresent()) {
                lexer.next();
                return predicates.comparison(left, operator.get(), operand());
            }
            if (lexer.skipKeyword("IS")) {
                boolean negated = lexer.skipKeyword("NOT");
                lexer.expectKeyword("NULL");
                return negateIf(negated, predicates.isNull(left));
            }
            boolean negated = lexer.skipKeyword("NOT");
            if (lexer.skipKeyword("LIKE")) {
                return negateIf(negated, predicates.like(left, operand()));
            }
            if (lexer.skipKeyword("BETWEEN")) {
                Term low = operand();
                lexer.expectKeyword("AND");
                return negateIf(negated, predicates.between(left, low, operand()));
            }
            if (lexer.skipKeyword("IN")) {
                return negateIf(negated, predicates.in(left, arguments()));
            }
            if (negated) {
                throw unexpected("LIKE, BETWEEN or IN");
            }
            return left;
        }

        private Term negateIf(boolean negated, Term condition) {
            return negated ? predicates.not(condition, condition.place()) : condition;
        }

        /** Terms in brackets. */
        private List<Term> arguments() {
            List<Term> arguments = new ArrayList<>();
            lexer.expectSymbol("(");
            do {
                arguments.add(operand());
            } while (lexer.skipSymbol(","));
            lexer.expectSymbol(")");
            return arguments;
        }

        private Term operand() {
            return reading.at(lexer.place(), this::readOperand);
        }

        private Term readOperand() {
            String value = lexer.value();
            return switch (lexer.kind()) {
                case TEXT -> {
                    lexer.next();
                    yield predicates.text(value);
                }
                case NUMBER -> predicates.value(new Literal.Number(lexer.takeNumber()));
                case QUOTED_NAME -> {
                    lexer.next();
                    yield predicates.property(value);
                }
                case NAME -> named(value);
                case SYMBOL, END -> inBracketsOrSigned();
            };
        }

        private Term inBracketsOrSigned() {
            if (lexer.skipSymbol("(")) {
                Term inner = reading.nested(this::alternative);
                lexer.expectSymbol(")");
                return inner;
            }
            if (lexer.isSymbol("-") || lexer.isSymbol("+")) {
                return signed();
            }
            throw unexpected("a property or a value");
        }

        private Term signed() {
            boolean negative = lexer.isSymbol("-");
            lexer.next();
            Term operand = reading.nested(this::operand);
            if (operand instanceof Value value && value.literal() instanceof Literal.Number number) {
                BigDecimal signed = negative ? number.value().negate() : number.value();
                return new Value(new Literal.Number(signed), reading.here());
            }
            throw operand.place().refuse("Expected a number after the sign");
        }

        /** A property, a word of the language, or a function. */
        private Term named(String name) {
            lexer.next();
            String word = name.toUpperCase(Locale.ROOT);
            return switch (word) {
                case "TRUE", "FALSE" -> predicates.value(new Literal.Bool(word.equals("TRUE")));
                case "AND", "OR", "NOT", "IS", "NULL", "LIKE", "BETWEEN", "IN" -> throw reading
                        .refuse("Expected a property or a value instead of " + word);
                default -> {
                    boolean isGeometry = WktParser.isType(word)
                            && (lexer.isSymbol("(") || lexer.isKeyword("Z") || lexer.isKeyword("EMPTY"));
                    if (isGeometry) {
                        yield predicates.shape(geometries.parse(word));
                    }
                    yield lexer.isSymbol("(")
                            ? reading.nested(() -> function(name, word))
                            : predicates.property(name);
                }
            };
        }

        private Term function(String name, String word) {
            return switch (word) {
                case "BBOX" -> predicates.shape(geometries.box());
                case "CASEI" -> predicates.casei(argument());
                case "TIMESTAMP" -> predicates.time(argument(), false);
                case "DATE" -> predicates.time(argument(), true);
                case "S_INTERSECTS" -> {
                    lexer.expectSymbol("(");
                    Term first = operand();
                    lexer.expectSymbol(",");
                    Term second = operand();
                    lexer.expectSymbol(")");
                    yield predicates.intersects(first, second);
                }
                default -> throw reading.refuse("Unknown function " + Place.quote(name));
            };
        }

        /** The only argument of a function. */
        private Term argument() {
            lexer.expectSymbol("(");
            Term argument = operand();
            lexer.expectSymbol(")");
            return argument;
        }

        private ApiException unexpected(String expected) {
            return lexer.place().refuse("Expected " + expected);
        }
    }
}
