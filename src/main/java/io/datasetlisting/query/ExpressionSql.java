package io.datasetlisting.query;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.cql2.Expression;
import io.datasetlisting.cql2.Expression.And;
import io.datasetlisting.cql2.Expression.Between;
import io.datasetlisting.cql2.Expression.Comparison;
import io.datasetlisting.cql2.Expression.Constant;
import io.datasetlisting.cql2.Expression.HasArea;
import io.datasetlisting.cql2.Expression.Ids;
import io.datasetlisting.cql2.Expression.In;
import io.datasetlisting.cql2.Expression.Intersects;
import io.datasetlisting.cql2.Expression.IsNull;
import io.datasetlisting.cql2.Expression.Like;
import io.datasetlisting.cql2.Expression.Literal;
import io.datasetlisting.cql2.Expression.Not;
import io.datasetlisting.cql2.Expression.Operand;
import io.datasetlisting.cql2.Expression.Operator;
import io.datasetlisting.cql2.Expression.Or;
import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.cql2.Queryable.Type;

/**
 * Makes the SQL condition of an {@link Expression}. Every literal is a bound parameter; the only other text from outside are the
 * expressions of the queryables. The logic is that of SQL: a comparison with a missing value is neither true nor false.
 */
final class ExpressionSql {

    /** Collation of all comparisons of the order of texts, which the columns that a listing sorts by have, too. */
    private static final String IN_ORDER = " collate \"und-x-icu\" ";

    /**
     * Longer lists are hashed. PostgreSQL compares each dataset with each element of an array that is a parameter, but the array is
     * needed for an index.
     */
    private static final int MAX_COMPARED = 100;

    private static final String AND = " and ";

    private static final String FOLDED_ELEMENTS = "array(select case_folded(element) from unnest(%s) element)";

    private final FilterSql filter;
    /** The columns whose case several conditions fold, each with the name of the folded column. */
    private final Map<String, String> folded = new LinkedHashMap<>();

    /**
     * @param filter
     *            binds the values
     */
    ExpressionSql(FilterSql filter) {
        this.filter = filter;
    }

    /**
     * The condition of a whole expression. Folding the case of a text takes longer than any comparison. So a column whose case several
     * conditions fold is folded once for each dataset, in a subquery that the planner does not flatten. The other conditions
     * stand outside of it, where an index can be used.
     */
    String where(Expression expression) {
        Map<Queryable, Long> uses = operands(expression).filter(Operand::casei)
                .collect(Collectors.groupingBy(Operand::property, LinkedHashMap::new, Collectors.counting()));
        uses.values().removeIf(number -> number < 2);
        if (uses.isEmpty()) {
            return condition(expression);
        }
        List<String> columns = new ArrayList<>();
        for (Queryable column : uses.keySet()) {
            String name = "folded.f" + (columns.size() + 1);
            columns.add(folded(column) + " as f" + (columns.size() + 1));
            folded.put(column.sql(), name);
        }
        Map<Boolean, List<String>> conditions = conjuncts(expression).collect(Collectors.partitioningBy(
                each -> operands(each)
                        .anyMatch(operand -> operand.casei() && folded.containsKey(operand.property().sql())),
                Collectors.mapping(this::condition, Collectors.toList())));
        List<String> all = new ArrayList<>(conditions.get(false));
        all.add("(select " + String.join(AND, conditions.get(true)) + " from (select " + String.join(", ", columns)
                + " offset 0) folded)");
        return all.stream().collect(Collectors.joining(AND, "(", ")"));
    }

    private static Stream<Expression> conjuncts(Expression expression) {
        return expression instanceof And and
                ? and.operands().stream().flatMap(ExpressionSql::conjuncts)
                : Stream.of(expression);
    }

    /** The properties that are compared with values. */
    private static Stream<Operand> operands(Expression expression) {
        if (expression instanceof And and) {
            return and.operands().stream().flatMap(ExpressionSql::operands);
        } else if (expression instanceof Or or) {
            return or.operands().stream().flatMap(ExpressionSql::operands);
        } else if (expression instanceof Not not) {
            return operands(not.operand());
        } else if (expression instanceof Comparison comparison) {
            return Stream.of(comparison.property());
        } else if (expression instanceof Between between) {
            return Stream.of(between.property());
        } else if (expression instanceof In in) {
            return Stream.of(in.property());
        } else if (expression instanceof Like like) {
            return Stream.of(like.property());
        }
        return Stream.of();
    }

    private static String folded(Queryable column) {
        return column.type() == Type.TEXTS
                ? FOLDED_ELEMENTS.formatted(column.sql())
                : "case_folded(" + text(column) + ")";
    }

    /** The condition. It can stand beside {@code and} without further brackets. */
    private String condition(Expression expression) {
        if (expression instanceof And and) {
            return joined(and.operands(), AND);
        } else if (expression instanceof Or or) {
            return joined(or.operands(), " or ");
        } else if (expression instanceof Not not) {
            return "not (" + condition(not.operand()) + ")";
        } else if (expression instanceof Constant constant) {
            return Boolean.toString(constant.value());
        } else if (expression instanceof Comparison comparison) {
            return compared(comparison.property(), comparison.operator(), comparison.literal());
        } else if (expression instanceof Between between) {
            return between(between);
        } else if (expression instanceof In in) {
            return in(in.property(), in.literals());
        } else if (expression instanceof Like like) {
            return onText(like.property(), text -> text + " like " + text(LiteralValue.pattern(like.pattern())));
        } else if (expression instanceof IsNull isNull) {
            return isNull.property().property().sql() + " is null";
        } else if (expression instanceof Intersects intersects) {
            return filter.touchesAny(CoveringBoxes.of(intersects.geometry()).boxes());
        } else if (expression instanceof HasArea) {
            return "(" + FilterSql.AREA + ")";
        } else if (expression instanceof Ids ids) {
            return isAny("id", "id", bind(ids.ids().toArray(Long[]::new), "bigint[]"), ids.ids().size());
        }
        throw new IllegalArgumentException(expression.toString());
    }

    private String joined(List<Expression> operands, String operator) {
        return operands.stream().map(this::condition).collect(Collectors.joining(operator, "(", ")"));
    }

    private String compared(Operand property, Operator operator, Literal literal) {
        if (operator == Operator.EQUAL) {
            return in(property, List.of(literal));
        }
        Type type = property.property().type();
        if (operator == Operator.NOT_EQUAL && type != Type.TEXTS) {
            return "not (" + in(property, List.of(literal)) + ")";
        }
        if (literal instanceof Literal.Text text) {
            return onText(property, value -> value + IN_ORDER + symbol(operator) + text(text));
        }
        LiteralValue value = LiteralValue.of(type, literal);
        return property.property().sql() + symbol(value.operator(operator)) + bind(value.value(), sqlType(type));
    }

    private String between(Between between) {
        Operand property = between.property();
        return between.low() instanceof Literal.Text low && between.high() instanceof Literal.Text high
                // One element of an array must be between both.
                ? onText(property, text -> "(" + text + IN_ORDER + "between " + text(low) + " and " + text(high) + ")")
                : "(" + compared(property, Operator.GREATER_OR_EQUAL, between.low()) + " and "
                        + compared(property, Operator.LESS_OR_EQUAL, between.high()) + ")";
    }

    /** Literals whose case is folded and other literals are compared apart, each as one array. */
    private String in(Operand property, List<Literal> literals) {
        Queryable queryable = property.property();
        Type type = property.casei() ? Type.TEXT : queryable.type();
        List<String> folded = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (Literal literal : literals) {
            if (literal instanceof Literal.Text text && text.casei()) {
                folded.add(LiteralValue.text(text));
            } else {
                LiteralValue value = LiteralValue.of(type, literal);
                if (value.isExact()) {
                    values.add(value.value());
                }
            }
        }
        List<String> conditions = new ArrayList<>();
        if (!folded.isEmpty()) {
            String array = "array(select case_folded(literal) from unnest("
                    + bind(folded.toArray(String[]::new), "text[]") + ") literal)";
            conditions.add(onText(property, text -> isAny(text, queryable.sql(), array, folded.size())));
        }
        if (!values.isEmpty() && property.casei()) {
            conditions.add(onText(property, text -> isAny(text, queryable.sql(), values, type)));
        } else if (!values.isEmpty()) {
            conditions.add(type == Type.TEXTS
                    // The index supports this operator.
                    ? queryable.sql() + " && " + bind(array(values), "text[]")
                    : ofIndex(queryable, values, type) + isAny(queryable.sql(), queryable.sql(), values, type));
        }
        return conditions.isEmpty()
                // Unknown if the value is missing, otherwise false.
                ? "(" + queryable.sql() + " is null and null::boolean)"
                : conditions.stream().collect(Collectors.joining(" or ", "(", ")"));
    }

    /** The condition that finds a value that may be computed by indexes: in the column, or by the id of the computed values. */
    private String ofIndex(Queryable queryable, List<Object> values, Type type) {
        if (queryable.idOfComputed() == null) {
            return "";
        }
        String stored = isAny(queryable.column(), queryable.column(), values, type);
        List<Object> ids = values.stream().<Object>map(value -> queryable.idOfComputed().apply((String) value))
                .filter(Objects::nonNull).toList();
        return (ids.isEmpty() ? stored : "(" + stored + " or " + isAny("id", "id", ids, Type.ID) + ")") + AND;
    }

    /** One value is compared with {@code =}: the planner would plan a list anew for each number of values. */
    private String isAny(String sql, String column, List<Object> values, Type type) {
        return values.size() == 1
                ? sql + " = " + bind(values.get(0), sqlType(type))
                : isAny(sql, column, bind(array(values), sqlType(type) + "[]"), values.size());
    }

    /** The {@code case} keeps PostgreSQL from a join, which would compare each pair, because the planner expects ten elements. */
    private static String isAny(String sql, String column, String array, int size) {
        return size <= MAX_COMPARED
                ? sql + " = any (" + array + ")"
                : "case when " + column + " is not null then " + sql + " in (select unnest(" + array + ")) end";
    }

    /** An array of the class of the values. */
    private static Object[] array(List<Object> values) {
        return values.toArray(size -> (Object[]) Array.newInstance(values.get(0).getClass(), size));
    }

    private String bind(Object value, String type) {
        return filter.bind(value) + "::" + type;
    }

    /** The condition of the value as text; for an array, whether it holds for any element. */
    private String onText(Operand property, Function<String, String> condition) {
        Queryable queryable = property.property();
        String sql = queryable.sql();
        boolean isArray = queryable.type() == Type.TEXTS;
        String shared = property.casei() ? folded.get(sql) : null;
        String text = isArray ? "element" : shared == null ? text(queryable) : shared;
        String ofText = condition.apply(property.casei() && shared == null ? "case_folded(" + text + ")" : text);
        return isArray
                ? "case when %s is not null then exists (select from unnest(%s) element where %s) end"
                        .formatted(sql, shared == null ? sql : shared, ofText)
                : ofText;
    }

    private static String text(Queryable queryable) {
        return queryable.type() == Type.TEXT ? queryable.sql() : "cast(" + queryable.sql() + " as text)";
    }

    /** The subquery folds the case once for the statement instead of once for each dataset. */
    private String text(Literal.Text literal) {
        String bound = bind(LiteralValue.text(literal), "text");
        return literal.casei() ? "(select case_folded(" + bound + "))" : bound;
    }

    private static String sqlType(Type type) {
        return switch (type) {
            case ID, INTEGER -> "bigint";
            case IDENTIFIER -> "uuid";
            case NUMBER -> "float8";
            case BOOLEAN -> "boolean";
            case TIME -> "timestamptz";
            case TEXT, TEXTS -> "text";
            case GEOMETRY -> throw new IllegalArgumentException("No literal is compared with a geometry.");
        };
    }

    private static String symbol(Operator operator) {
        return switch (operator) {
            case EQUAL -> " = ";
            case NOT_EQUAL -> " <> ";
            case LESS -> " < ";
            case LESS_OR_EQUAL -> " <= ";
            case GREATER -> " > ";
            case GREATER_OR_EQUAL -> " >= ";
        };
    }
}
