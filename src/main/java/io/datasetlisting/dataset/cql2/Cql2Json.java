package io.datasetlisting.dataset.cql2;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.http.input.StrictJson;

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
        return Predicates.expression(new Parser(queryables, limits).term(json));
    }

    /** Parses one filter. */
    private static final class Parser {

        private final Reading reading;
        private final Predicates predicates;
        private final GeometryReader geometries;

        Parser(Map<String, Queryable> queryables, Limits limits) {
            reading = new Reading(limits, "filter");
            predicates = new Predicates(queryables, reading);
            geometries = new GeometryReader(reading);
        }

        Term term(JsonNode json) {
            return switch (json.getNodeType()) {
                case STRING -> text(json);
                case NUMBER -> number(json);
                case BOOLEAN -> predicates.value(new Literal.Bool(json.booleanValue()));
                case OBJECT -> object(json);
                default -> throw reading.refuse("Expected a condition, a property or a value");
            };
        }

        private Term text(JsonNode json) {
            if (!json.isTextual()) {
                throw reading.refuse("Expected a text");
            }
            reading.addCharacters(json.textValue().length());
            return predicates.text(json.textValue());
        }

        private Term number(JsonNode json) {
            BigDecimal number = StrictJson.number(json);
            if (number == null) {
                throw reading.refuse("A number outside the range of a double");
            }
            return predicates.value(new Literal.Number(number));
        }

        private Term object(JsonNode json) {
            if (json.has("type")) {
                return predicates.shape(geometries.read(json));
            }
            if (json.has("op")) {
                checkMembers(json, Set.of("op", "args"));
                return reading.nested(() -> operation(json.get("op").asText(), json.path("args")));
            }
            String name = OPERANDS.stream().filter(json::has).findFirst()
                    .orElseThrow(() -> reading.refuse("Expected a member 'op', 'type' or one of " + OPERANDS));
            checkMembers(json, Set.of(name));
            JsonNode value = json.path(name);
            return switch (name) {
                case "property" ->
                    reading.member(name, () -> predicates.property(value.isTextual() ? value.textValue() : ""));
                case "timestamp" -> predicates.time(reading.member(name, () -> text(value)), false);
                case "date" -> predicates.time(reading.member(name, () -> text(value)), true);
                // "bbox"
                default -> predicates.shape(reading.member(name, () -> geometries.box(value)));
            };
        }

        /** An unknown member could change the meaning. */
        private void checkMembers(JsonNode json, Set<String> allowed) {
            for (Iterator<String> names = json.fieldNames(); names.hasNext();) {
                String name = names.next();
                if (!allowed.contains(name)) {
                    throw reading.refuse("Unknown member " + Place.quote(name));
                }
            }
        }

        private Term operation(String op, JsonNode args) {
            if (!args.isArray()) {
                throw reading.here().member("args").refuse("Expected an array");
            }
            return switch (op) {
                case "and" -> predicates.and(operands(args, 2, Integer.MAX_VALUE));
                case "or" -> predicates.or(operands(args, 2, Integer.MAX_VALUE));
                case "not" -> predicates.not(operands(args, 1, 1).get(0), reading.here());
                case "isNull" -> predicates.isNull(operands(args, 1, 1).get(0));
                case "casei" -> predicates.casei(operands(args, 1, 1).get(0));
                case "like" -> {
                    List<Term> terms = operands(args, 2, 2);
                    yield predicates.like(terms.get(0), terms.get(1));
                }
                case "between" -> reading.member("args", () -> between(args));
                case "in" -> reading.member("args", () -> in(args));
                case "s_intersects" -> {
                    List<Term> terms = operands(args, 2, 2);
                    yield predicates.intersects(terms.get(0), terms.get(1));
                }
                default -> {
                    Operator operator = Operator.of(op).orElseThrow(
                            () -> reading.here().member("op").refuse("Unknown operator " + Place.quote(op)));
                    List<Term> terms = operands(args, 2, 2);
                    yield predicates.comparison(terms.get(0), operator, terms.get(1));
                }
            };
        }

        /** The bounds follow the property, or are an array of their own. */
        private Term between(JsonNode args) {
            if (args.size() == 2 && args.get(1).isArray()) {
                List<Term> bounds = reading.member(1, () -> elements(args.get(1), 2, 2));
                return predicates.between(element(args, 0), bounds.get(0), bounds.get(1));
            }
            List<Term> terms = elements(args, 3, 3);
            return predicates.between(terms.get(0), terms.get(1), terms.get(2));
        }

        private Term in(JsonNode args) {
            if (args.size() != 2 || !args.get(1).isArray()) {
                throw reading.refuse("Expected a property and an array of values");
            }
            Term property = element(args, 0);
            return predicates.in(property, reading.member(1, () -> elements(args.get(1), 1, Integer.MAX_VALUE)));
        }

        private List<Term> operands(JsonNode args, int min, int max) {
            return reading.member("args", () -> elements(args, min, max));
        }

        private List<Term> elements(JsonNode args, int min, int max) {
            if (args.size() < min || args.size() > max) {
                throw reading.refuse("Expected " + (min == max ? "" : "at least ") + min
                        + (min == 1 ? " element" : " elements"));
            }
            return IntStream.range(0, args.size()).mapToObj(index -> element(args, index)).toList();
        }

        private Term element(JsonNode args, int index) {
            return reading.member(index, () -> term(args.get(index)));
        }
    }
}
