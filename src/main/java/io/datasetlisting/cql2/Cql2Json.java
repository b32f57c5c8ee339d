package io.datasetlisting.cql2;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.cql2.Expression.Literal;
import io.datasetlisting.cql2.Expression.Operator;
import io.datasetlisting.input.StrictJson;

/** Parses filters in <a href="https://docs.ogc.org/is/21-065r2/21-065r2.html#cql2-json">CQL2 JSON</a>. */
public final class Cql2Json {

    /** The only member of an object that is neither an operation nor a GeoJSON geometry. */
    private static final List<String> OPERANDS = List.of("property", "timestamp", "date", "bbox");

    private final Map<String, Queryable> queryables;
    private final Limits limits;

    /**
     * @param queryables
     *            the properties that a filter can name, by name
     */
    public Cql2Json(Map<String, Queryable> queryables, Limits limits) {
        this.queryables = queryables;
        this.limits = limits;
    }

    /**
     * @throws ApiException
     *             400 with the place of the error, a JSON pointer
     */
    public Expression parse(JsonNode json) {
        return Predicates.expression(new Parser(queryables, limits).term(json, new Place.Root("filter")));
    }

    /** Parses one filter. */
    private static final class Parser {

        private final Usage usage;
        private final Predicates predicates;
        private final GeometryReader geometries;

        Parser(Map<String, Queryable> queryables, Limits limits) {
            usage = new Usage(limits);
            predicates = new Predicates(queryables, usage);
            geometries = new GeometryReader(usage);
        }

        Term term(JsonNode json, Place place) {
            return switch (json.getNodeType()) {
                case STRING -> text(json, place);
                case NUMBER -> number(json, place);
                case BOOLEAN -> predicates.value(new Literal.Bool(json.booleanValue()), place);
                case OBJECT -> object(json, place);
                default -> throw place.refuse("Expected a condition, a property or a value");
            };
        }

        private Term text(JsonNode json, Place place) {
            if (!json.isTextual()) {
                throw place.refuse("Expected a text");
            }
            usage.addCharacters(json.textValue().length(), place);
            return predicates.text(json.textValue(), place);
        }

        private Term number(JsonNode json, Place place) {
            BigDecimal number = StrictJson.number(json);
            if (number == null) {
                throw place.refuse("A number outside the range of a double");
            }
            return predicates.value(new Literal.Number(number), place);
        }

        private Term object(JsonNode json, Place place) {
            if (json.has("type")) {
                return predicates.shape(geometries.read(json, place), place);
            }
            if (json.has("op")) {
                checkMembers(json, place, Set.of("op", "args"));
                usage.enter(place);
                Term operation = operation(json.get("op").asText(), json.path("args"), place);
                usage.leave();
                return operation;
            }
            String name = OPERANDS.stream().filter(json::has).findFirst()
                    .orElseThrow(() -> place.refuse("Expected a member 'op', 'type' or one of " + OPERANDS));
            checkMembers(json, place, Set.of(name));
            Place at = place.member(name);
            JsonNode value = json.path(name);
            return switch (name) {
                case "property" -> predicates.property(value.isTextual() ? value.textValue() : "", at);
                case "timestamp" -> predicates.time(text(value, at), false);
                case "date" -> predicates.time(text(value, at), true);
                // "bbox"
                default -> predicates.shape(GeometryBuilder.box(geometries.numbers(value, at), at), place);
            };
        }

        /** An unknown member could change the meaning. */
        private static void checkMembers(JsonNode json, Place place, Set<String> allowed) {
            for (Iterator<String> names = json.fieldNames(); names.hasNext();) {
                String name = names.next();
                if (!allowed.contains(name)) {
                    throw place.refuse("Unknown member " + Place.quote(name));
                }
            }
        }

        private Term operation(String op, JsonNode args, Place place) {
            Place at = place.member("args");
            if (!args.isArray()) {
                throw at.refuse("Expected an array");
            }
            return switch (op) {
                case "and" -> predicates.and(operands(args, at, 2, Integer.MAX_VALUE));
                case "or" -> predicates.or(operands(args, at, 2, Integer.MAX_VALUE));
                case "not" -> predicates.not(operands(args, at, 1, 1).get(0), place);
                case "=" -> comparison(Operator.EQUAL, args, at);
                case "<>" -> comparison(Operator.NOT_EQUAL, args, at);
                case "<" -> comparison(Operator.LESS, args, at);
                case "<=" -> comparison(Operator.LESS_OR_EQUAL, args, at);
                case ">" -> comparison(Operator.GREATER, args, at);
                case ">=" -> comparison(Operator.GREATER_OR_EQUAL, args, at);
                case "isNull" -> predicates.isNull(operands(args, at, 1, 1).get(0));
                case "casei" -> predicates.casei(operands(args, at, 1, 1).get(0));
                case "like" -> {
                    List<Term> terms = operands(args, at, 2, 2);
                    yield predicates.like(terms.get(0), terms.get(1));
                }
                case "between" -> between(args, at);
                case "in" -> in(args, at);
                case "s_intersects" -> {
                    List<Term> terms = operands(args, at, 2, 2);
                    yield predicates.intersects(terms.get(0), terms.get(1), place);
                }
                default -> throw place.member("op").refuse("Unknown operator " + Place.quote(op));
            };
        }

        private Term comparison(Operator operator, JsonNode args, Place place) {
            List<Term> terms = operands(args, place, 2, 2);
            return predicates.comparison(terms.get(0), operator, terms.get(1));
        }

        /** The bounds follow the property, or are an array of their own. */
        private Term between(JsonNode args, Place place) {
            if (args.size() == 2 && args.get(1).isArray()) {
                List<Term> bounds = operands(args.get(1), place.member(1), 2, 2);
                return predicates.between(term(args.get(0), place.member(0)), bounds.get(0), bounds.get(1));
            }
            List<Term> terms = operands(args, place, 3, 3);
            return predicates.between(terms.get(0), terms.get(1), terms.get(2));
        }

        private Term in(JsonNode args, Place place) {
            if (args.size() != 2 || !args.get(1).isArray()) {
                throw place.refuse("Expected a property and an array of values");
            }
            Term property = term(args.get(0), place.member(0));
            return predicates.in(property, operands(args.get(1), place.member(1), 1, Integer.MAX_VALUE));
        }

        private List<Term> operands(JsonNode args, Place place, int min, int max) {
            if (args.size() < min || args.size() > max) {
                throw place.refuse("Expected " + (min == max ? "" : "at least ") + min
                        + (min == 1 ? " element" : " elements"));
            }
            List<Term> operands = new ArrayList<>();
            for (int i = 0; i < args.size(); i++) {
                operands.add(term(args.get(i), place.member(i)));
            }
            return operands;
        }
    }
}
