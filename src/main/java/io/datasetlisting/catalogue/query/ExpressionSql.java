package io.datasetlisting.catalogue.query;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Envelope;

import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Between;
import io.datasetlisting.dataset.cql2.Expression.Box;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.FreeText;
import io.datasetlisting.dataset.cql2.Expression.HasArea;
import io.datasetlisting.dataset.cql2.Expression.HasStats;
import io.datasetlisting.dataset.cql2.Expression.Ids;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.IsNull;
import io.datasetlisting.dataset.cql2.Expression.Like;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Expression.Or;
import io.datasetlisting.dataset.cql2.Expression.VisibleSince;
import io.datasetlisting.dataset.cql2.Expression.Words;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.cql2.Queryable.Type;
import io.datasetlisting.postgres.database.Sql;

/**
 * Makes the SQL condition of an {@link Expression}. Every literal but a boolean is a bound parameter; the only other text from
 * outside are the expressions of the queryables. The logic is that of SQL: a comparison with a missing value is neither true
 * nor false.
 */
final class ExpressionSql {

    /** Collation of all comparisons of the order of texts, which the columns that a listing sorts by have, too. */
    private static final String IN_ORDER = " collate \"und-x-icu\" ";

    /**
     * Longer lists are hashed. PostgreSQL compares each dataset with each element of an array that is a parameter, but the
     * array is needed for an index.
     */
    private static final int MAX_COMPARED = 100;
    /** An index finds the datasets with so many ids in less time than all words of their names are compared. */
    private static final int MAX_IDS = 500;

    private static final String FOLDED_ELEMENTS = "array(select case_folded(element) from unnest({array}) element)";

    private static final String FOLD = "case_folded(";
    private static final Sql ID = Sql.of("id");

    private static final String NOT_NULL_AND_ANY = """
            case when {array} is not null then exists (select from unnest({elements}) element where {condition}) end""";

    private final String touches;
    /** The columns whose case several conditions fold, each with the name of the folded column. */
    private final Map<String, Sql> folded = new LinkedHashMap<>();
    /** The conditions of ids, each behind {@code and}. */
    private Sql ids = Sql.of("");

    /**
     * @param touches
     *            the condition of datasets that touch a box, with the names of its edges
     */
    ExpressionSql(String touches) {
        this.touches = touches;
    }

    /**
     * The condition of a whole expression. Folding the case of a text takes longer than any comparison. So a column whose
     * case several conditions fold is folded once for each dataset, in a subquery that the planner does not flatten. The
     * other conditions stand outside of it, where an index can be used.
     */
    Sql where(Expression expression) {
        ids = Sql.join("", expression.conjuncts().stream().filter(Ids.class::isInstance)
                .map(each -> condition(each).in(" and ", "")));
        Map<Queryable, Long> uses = operands(expression).filter(Operand::casei)
                .collect(Collectors.groupingBy(Operand::property, LinkedHashMap::new, Collectors.counting()));
        uses.values().removeIf(number -> number < 2);
        if (uses.isEmpty()) {
            return condition(expression);
        }
        List<Sql> columns = new ArrayList<>();
        for (Queryable column : uses.keySet()) {
            String name = "f" + (columns.size() + 1);
            columns.add(folded(column).in("", " as " + name));
            folded.put(column.sql(), Sql.of("folded." + name));
        }
        Map<Boolean, List<Sql>> conditions = expression.conjuncts().stream().collect(Collectors.partitioningBy(
                each -> operands(each)
                        .anyMatch(operand -> operand.casei() && folded.containsKey(operand.property().sql())),
                Collectors.mapping(this::condition, Collectors.toList())));
        List<Sql> all = new ArrayList<>(conditions.get(false));
        all.add(Sql.of("(select {conditions} from (select {columns} offset 0) folded)",
                Map.of("conditions", Sql.and(conditions.get(true)), "columns", Sql.join(", ", columns.stream()))));
        return Sql.and(all).in("(", ")");
    }

    /** The properties that are compared with values. */
    private static Stream<Operand> operands(Expression expression) {
        return Filter.parts(expression).map(Filter::operand).filter(Objects::nonNull);
    }

    private static Sql folded(Queryable column) {
        return column.type() == Type.TEXTS
                ? Sql.of(FOLDED_ELEMENTS, Map.of("array", Sql.of(column.sql())))
                : text(column).in(FOLD, ")");
    }

    /** The condition. It can stand beside {@code and} without further brackets. */
    private Sql condition(Expression expression) {
        if (expression instanceof And and) {
            return Sql.and(conditions(and.operands())).in("(", ")");
        } else if (expression instanceof Or or) {
            return Sql.or(conditions(or.operands()));
        } else if (expression instanceof Not not) {
            return condition(not.operand()).in("not (", ")");
        } else if (expression instanceof Constant constant) {
            return Sql.of(Boolean.toString(constant.value()));
        } else if (expression instanceof Comparison comparison) {
            return compared(comparison.property(), comparison.operator(), comparison.literal());
        } else if (expression instanceof Between between) {
            return between(between);
        } else if (expression instanceof In in) {
            return in(in.property(), in.literals());
        } else if (expression instanceof Like like) {
            return onText(like.property(), text -> Sql.of("{text} like {pattern}",
                    Map.of("text", text, "pattern", text(like.pattern()))));
        } else if (expression instanceof IsNull isNull) {
            return Sql.of(isNull.property().property().sql() + " is null");
        } else if (expression instanceof Intersects intersects) {
            return touchesAny(CoveringBoxes.of(intersects.geometry()).boxes());
        } else if (expression instanceof Box box) {
            return FilterSql.within(box);
        } else if (expression instanceof HasStats stats) {
            return bind(stats.rasters().toArray(String[]::new), "text[]").in("rasters_with_stats(band_stats) && ", "");
        } else if (expression instanceof Words words) {
            return Sql.value(words.text()).in(FreeTextSql.WORDS_OF_NAME + " @@ words_query(", ")");
        } else if (expression instanceof FreeText text) {
            return FreeTextSql.condition(text.terms(), ids);
        } else if (expression instanceof HasArea) {
            return Sql.of("(" + FilterSql.AREA + ")");
        } else if (expression instanceof VisibleSince since) {
            Object time = LiteralValue.of(Type.TIME, new Literal.Time(since.time())).value();
            // The planner must know the time, and in a condition the function would run for each row.
            return bind(new Sql.Lookup("select visible_since($1)", time), Type.TIME.sql()).in("updated_at >= ", "");
        } else if (expression instanceof Ids ids) {
            return isAny(ID, ID, bind(ids.ids().toArray(Long[]::new), "bigint[]"), ids.ids().size() <= MAX_IDS);
        }
        throw new IllegalArgumentException(expression.toString());
    }

    private List<Sql> conditions(List<Expression> operands) {
        return operands.stream().map(this::condition).toList();
    }

    /** The condition that the geometry of a dataset touches any of the boxes. */
    private Sql touchesAny(List<Envelope> boxes) {
        return boxes.isEmpty()
                ? Sql.of("false")
                : Sql.or(boxes.stream().map(box -> FilterSql.within(touches, box)).toList());
    }

    private Sql compared(Operand property, Operator operator, Literal literal) {
        if (operator == Operator.EQUAL) {
            return literal instanceof Literal.Bool bool
                    // The planner knows how many datasets have this value.
                    ? Sql.of((bool.value() ? "(" : "not (") + property.property().sql() + ")")
                    : in(property, List.of(literal));
        }
        Type type = property.property().type();
        if (operator == Operator.NOT_EQUAL && type != Type.TEXTS) {
            return in(property, List.of(literal)).in("not (", ")");
        }
        if (literal instanceof Literal.Text text) {
            return onText(property, value -> Sql.join(IN_ORDER + symbol(operator), Stream.of(value, text(text))));
        }
        LiteralValue value = LiteralValue.of(type, literal);
        return bind(value.value(), type.sql()).in(property.property().sql() + symbol(value.operator(operator)), "");
    }

    private Sql between(Between between) {
        Operand property = between.property();
        return between.low() instanceof Literal.Text low && between.high() instanceof Literal.Text high
                // One element of an array must be between both.
                ? onText(property, text -> Sql.of("({text}" + IN_ORDER + "between {low} and {high})",
                        Map.of("text", text, "low", text(low), "high", text(high))))
                : compared(property, Operator.GREATER_OR_EQUAL, between.low())
                        .and(compared(property, Operator.LESS_OR_EQUAL, between.high())).in("(", ")");
    }

    /** Literals whose case is folded and other literals are compared apart, each as one array. */
    private Sql in(Operand property, List<Literal> literals) {
        Queryable queryable = property.property();
        Sql sql = Sql.of(queryable.sql());
        Type type = property.casei() ? Type.TEXT : queryable.type();
        List<String> folded = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (Literal literal : literals) {
            if (literal instanceof Literal.Text text && text.casei()) {
                folded.add(text.value());
            } else {
                LiteralValue value = LiteralValue.of(type, literal);
                if (value.isExact()) {
                    values.add(value.value());
                }
            }
        }
        List<Sql> conditions = new ArrayList<>();
        if (!folded.isEmpty()) {
            Sql array = bind(folded.toArray(String[]::new), "text[]")
                    .in("array(select case_folded(literal) from unnest(", ") literal)");
            conditions.add(onText(property, text -> isAny(text, sql, array, folded.size() <= MAX_COMPARED)));
        }
        if (!values.isEmpty() && property.casei()) {
            conditions.add(onText(property, text -> isAny(text, sql, values, type)));
        } else if (!values.isEmpty()) {
            conditions.add(type == Type.TEXTS
                    // The index supports this operator.
                    ? bind(array(values), "text[]").in(queryable.sql() + " && ", "")
                    : ofIndex(queryable, values, type, isAny(sql, sql, values, type)));
        }
        return conditions.isEmpty()
                // Unknown if the value is missing, otherwise false.
                ? sql.in("(", " is null and null::boolean)")
                : Sql.or(conditions);
    }

    /** A condition, and before it that of the indexes: the value is in the column, or computed from one of some ids. */
    private Sql ofIndex(Queryable queryable, List<Object> values, Type type, Sql condition) {
        if (queryable.idOfComputed() == null) {
            return condition;
        }
        Sql column = Sql.of(queryable.column());
        Sql stored = isAny(column, column, values, type);
        List<Object> ids = values.stream().<Object>map(value -> queryable.idOfComputed().apply((String) value))
                .filter(Objects::nonNull).toList();
        return (ids.isEmpty() ? stored : Sql.or(List.of(stored, isAny(ID, ID, ids, Type.ID)))).and(condition);
    }

    /** One value is compared with {@code =}: the planner would plan a list anew for each number of values. */
    private Sql isAny(Sql sql, Sql column, List<Object> values, Type type) {
        return values.size() == 1
                ? Sql.join(" = ", Stream.of(sql, bind(values.get(0), type.sql())))
                : isAny(sql, column, bind(array(values), type.sql() + "[]"), values.size() <= MAX_COMPARED);
    }

    /** The {@code case} keeps PostgreSQL from a join, which would compare each pair, because the planner expects ten elements. */
    private static Sql isAny(Sql sql, Sql column, Sql array, boolean isShort) {
        return Sql.of(isShort
                ? "{sql} = any ({array})"
                : "case when {column} is not null then {sql} in (select unnest({array})) end",
                Map.of("sql", sql, "column", column, "array", array));
    }

    /** An array of the class of the values. */
    private static Object[] array(List<Object> values) {
        return values.toArray(size -> (Object[]) Array.newInstance(values.get(0).getClass(), size));
    }

    private static Sql bind(Object value, String type) {
        return Sql.value(value).in("", "::" + type);
    }

    /** The condition of the value as text; for an array, whether it holds for any element. */
    private Sql onText(Operand property, UnaryOperator<Sql> condition) {
        Queryable queryable = property.property();
        boolean isArray = queryable.type() == Type.TEXTS;
        Sql shared = property.casei() ? folded.get(queryable.sql()) : null;
        Sql text = isArray ? Sql.of("element") : shared == null ? text(queryable) : shared;
        Sql ofText = condition.apply(property.casei() && shared == null ? text.in(FOLD, ")") : text);
        Sql array = Sql.of(queryable.sql());
        return isArray
                ? Sql.of(NOT_NULL_AND_ANY, Map.of("array", array, "elements", shared == null ? array : shared,
                        "condition", ofText))
                : ofText;
    }

    private static Sql text(Queryable queryable) {
        return Sql.of(queryable.type() == Type.TEXT ? queryable.sql() : "cast(" + queryable.sql() + " as text)");
    }

    /** The subquery folds the case once for the statement instead of once for each dataset. */
    private static Sql text(Literal.Text literal) {
        Sql bound = bind(literal.value(), "text");
        return literal.casei() ? bound.in("(select " + FOLD, "))") : bound;
    }

    private static String symbol(Operator operator) {
        return ' ' + operator.symbol + ' ';
    }
}
