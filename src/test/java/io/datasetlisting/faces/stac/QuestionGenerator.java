package io.datasetlisting.faces.stac;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.query.ExpressionGenerator;
import io.datasetlisting.dataset.cql2.Cql2Writer;
import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.stac.SearchModel.Question;
import io.datasetlisting.faces.stac.SearchModel.Sort;

/** Makes random searches, each as a query, as a JSON body, and as the model reads it. */
final class QuestionGenerator {

    private static final List<String> TIMES = List.of("0001-01-01T00:00:00Z", "2020-01-01T00:00:00Z",
            "2020-01-01T00:00:00.000001Z", "2020-01-01T00:00:01Z", "2021-03-04T05:06:07Z", "2021-06-01T12:00:00Z",
            "9999-12-31T23:59:59Z");

    private static final List<double[]> FAR_BOXES = List.of(new double[]{-180, -90, 180, 90},
            new double[]{170, -90, -170, 90}, new double[]{180, -10, -180, 10}, new double[]{-180, 0, -180, 0},
            new double[]{-180, 80, 180, 90}, new double[]{179.9999999, -90, 180, 90},
            new double[]{-180, -90, 180, -89.9999999}, new double[]{1, -5, -1, 5});

    /** The id stays: the test reads it. */
    private static final List<String> FIELDS = List.of("geometry", "bbox", "properties", "links", "stac_extensions",
            "title", "properties.title", "properties.datetime", "dataset:user", "properties.dataset:bands", "assets",
            "assets.thumbnail", "collection", "providers", "unknown", "properties.unknown");

    private final Random random;
    private final ItemProperties properties;
    private final ExpressionGenerator expressions;
    private final Cql2Writer writer;
    private final ObjectNode body = JsonNodeFactory.instance.objectNode();
    private final List<String> query = new ArrayList<>();

    QuestionGenerator(Random random, ItemProperties properties, List<String> otherTexts) {
        this.random = random;
        this.properties = properties;
        expressions = new ExpressionGenerator(random, List.copyOf(properties.queryables().values()), otherTexts);
        writer = new Cql2Writer(random);
    }

    /** The parameters of the query, each with name, equals sign and unencoded value. */
    List<String> query() {
        return query;
    }

    ObjectNode body() {
        return body;
    }

    private boolean oneOf(int number) {
        return random.nextInt(number) == 0;
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /**
     * Adds a selection of the members of items.
     *
     * @return the names, excluded ones with a minus sign; null for whole items
     */
    List<String> fields() {
        if (!oneOf(4)) {
            return null;
        }
        List<String> fields = Stream.generate(() -> (oneOf(3) ? "-" : "") + one(FIELDS)).limit(random.nextInt(4))
                .toList();
        query.add("fields=" + String.join(",", fields));
        ObjectNode object = body.putObject("fields");
        ArrayNode include = object.putArray("include");
        ArrayNode exclude = object.putArray("exclude");
        fields.forEach(field -> (field.startsWith("-") ? exclude : include)
                .add(field.startsWith("-") ? field.substring(1) : field));
        return fields;
    }

    Question question() {
        List<Expression> conditions = new ArrayList<>();
        double[] bbox = oneOf(3) ? bbox() : null;
        if (bbox == null && oneOf(3)) {
            intersects(conditions);
        }
        if (oneOf(4)) {
            datetime(conditions);
        }
        if (oneOf(2)) {
            filter(conditions);
        }
        List<String> ids = oneOf(8)
                ? texts("ids", random.nextInt(300), () -> oneOf(9)
                        ? one(List.of("0", "x", "007", "99999999999999999999", "-1", "1.0", "é"))
                        : Integer.toString(random.nextInt(400)))
                : null;
        List<String> collections = oneOf(10)
                ? texts("collections", random.nextInt(2), () -> one(
                        List.of("datasets", "areas", "points", "workspace-0", "workspace-1", "workspace-70", "x")))
                : null;
        Expression condition = switch (conditions.size()) {
            case 0 -> null;
            case 1 -> conditions.get(0);
            default -> new Expression.And(conditions);
        };
        return new Question(bbox, ids, collections, condition, oneOf(3) ? null : sortby());
    }

    private double degrees() {
        return random.nextInt(21) / 2.0 - 5;
    }

    private double[] bbox() {
        double west = degrees();
        double south = degrees();
        double[] box = oneOf(4)
                ? one(FAR_BOXES)
                : new double[]{west, south, west + (oneOf(4) ? 0 : random.nextInt(6)),
                        south + (oneOf(4) ? 0 : random.nextInt(6))};
        if (oneOf(4)) {
            double low = one(List.of(0.0, -5.5, 0.5));
            box = new double[]{box[0], box[1], low, box[2], box[3], low + one(List.of(0.0, 5.0, 8.0))};
        }
        ArrayNode array = body.putArray("bbox");
        List<String> numbers = new ArrayList<>();
        for (double number : box) {
            array.add(number);
            numbers.add(Double.toString(number));
        }
        query.add("bbox=" + String.join(",", numbers));
        return box;
    }

    private void intersects(List<Expression> conditions) {
        Expression.Intersects intersects;
        do {
            intersects = new Expression.Intersects(expressions.geometry(2));
        } while (!Cql2Writer.canWrite(intersects));
        conditions.add(intersects);
        body.set("intersects", Cql2Writer.geometry(intersects.geometry()));
        query.add("intersects=" + body.get("intersects"));
    }

    private void datetime(List<Expression> conditions) {
        int first = random.nextInt(TIMES.size());
        int second = first + random.nextInt(TIMES.size() - first);
        boolean isInterval = !oneOf(3);
        boolean hasStart = !isInterval || !oneOf(3);
        boolean hasEnd = isInterval && (!hasStart || !oneOf(3));
        String start = hasStart
                ? end(TIMES.get(first), isInterval ? Operator.GREATER_OR_EQUAL : Operator.EQUAL,
                        first < second, conditions)
                : one(List.of("", ".."));
        String end = hasEnd
                ? end(TIMES.get(second), Operator.LESS_OR_EQUAL, true, conditions)
                : one(List.of("", ".."));
        add("datetime", isInterval ? start + '/' + end : start);
    }

    private String end(String time, Operator operator, boolean mayHaveMoreDigits, List<Expression> conditions) {
        ExactInstant end = new ExactInstant(Instant.parse(time), !mayHaveMoreDigits || random.nextBoolean());
        conditions.add(new Expression.Comparison(new Operand(properties.queryables().get("datetime"), false), operator,
                new Expression.Literal.Time(end)));
        return writer.time(end);
    }

    private void filter(List<Expression> conditions) {
        Expression expression;
        do {
            expression = expressions.expression(random.nextInt(4));
        } while (!Cql2Writer.canWrite(expression));
        conditions.add(expression);
        boolean isText = random.nextBoolean();
        String language = isText ? "cql2-text" : "cql2-json";
        if (isText) {
            add("filter", writer.text(expression));
        } else {
            body.set("filter", writer.json(expression));
            query.add("filter=" + body.get("filter"));
        }
        // Text is the default of a query, JSON that of a body.
        if (!isText || oneOf(2)) {
            query.add("filter-lang=" + language);
        }
        if (isText || oneOf(2)) {
            body.put("filter-lang", language);
        }
        if (oneOf(4)) {
            add("filter-crs", "http://www.opengis.net/def/crs/OGC/1.3/CRS84");
        }
    }

    private void add(String name, String value) {
        query.add(name + '=' + value);
        body.put(name, value);
    }

    private List<String> texts(String name, int count, Supplier<String> text) {
        List<String> texts = Stream.generate(text).limit(count + 1L).toList();
        texts.forEach(body.putArray(name)::add);
        query.add(name + '=' + String.join(",", texts));
        return texts;
    }

    private List<Sort> sortby() {
        List<String> names = properties.sortables().values().stream().map(Queryable::name).toList();
        List<Sort> order = Stream.generate(() -> new Sort(one(names), random.nextBoolean()))
                .limit(1L + random.nextInt(3)).toList();
        List<String> texts = new ArrayList<>();
        ArrayNode array = body.putArray("sortby");
        for (Sort sort : order) {
            String name = (oneOf(3) ? "properties." : "") + sort.property();
            texts.add((sort.descending() ? "-" : one(List.of("", "+"))) + name);
            ObjectNode key = array.addObject().put("field", name);
            if (sort.descending() || oneOf(2)) {
                key.put("direction", sort.descending() ? "desc" : "asc");
            }
        }
        query.add("sortby=" + String.join(",", texts));
        return order;
    }
}
