package io.datasetlisting.postgres.database;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * A statement or a part of one, with the values of its parameters. Parts have no numbers: {@link #statement} numbers the
 * parameters of a whole statement once. A value that stands in several places of a statement is one parameter. So the text
 * of a statement depends only on its shape, not on its values.
 */
public final class Sql {

    /** Stands for each parameter in the text of a part. */
    private static final char PARAMETER = '?';

    private final String text;
    /** One value for each parameter in the text. */
    private final List<Value> values;
    private final boolean isPlannedOnce;

    /** Two values are one parameter only if they are the same object. */
    private record Value(Object value) {
    }

    /**
     * A statement as PostgreSQL reads it.
     *
     * @param text
     *            with the parameters $1, $2 and so on
     * @param isPlannedOnce
     *            see {@link Sql#plannedOnce}
     */
    public record Statement(String text, List<Object> values, boolean isPlannedOnce) {
    }

    /** A value that a statement with one parameter returns, before the server plans the statement that needs the value. */
    public record Lookup(String sql, Object argument) {
    }

    private Sql(String text, List<Value> values) {
        this(text, values, false);
    }

    private Sql(String text, List<Value> values, boolean isPlannedOnce) {
        this.text = text;
        this.values = values;
        this.isPlannedOnce = isPlannedOnce;
    }

    /** A text without parameters. */
    public static Sql of(String text) {
        if (text.indexOf(PARAMETER) >= 0) {
            throw new IllegalArgumentException(text);
        }
        return new Sql(text, List.of());
    }

    /** A parameter with a value that may be null or a {@link Lookup}. */
    public static Sql value(Object value) {
        return new Sql(String.valueOf(PARAMETER), List.of(new Value(value)));
    }

    /**
     * A text with parts.
     *
     * @param template
     *            has the names of the parts in braces
     */
    public static Sql of(String template, Map<String, Sql> parts) {
        StringBuilder text = new StringBuilder(template.length() * 2);
        List<Value> values = new ArrayList<>();
        int end = 0;
        for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', end)) {
            int close = template.indexOf('}', open);
            Sql part = Objects.requireNonNull(parts.get(template.substring(open + 1, close)), template);
            text.append(template, end, open).append(part.text);
            values.addAll(part.values);
            end = close + 1;
        }
        return new Sql(text.append(template, end, template.length()).toString(), values);
    }

    public static Sql join(String separator, Stream<Sql> parts) {
        StringJoiner text = new StringJoiner(separator);
        List<Value> values = new ArrayList<>();
        parts.forEach(part -> {
            text.add(part.text);
            values.addAll(part.values);
        });
        return new Sql(text.toString(), values);
    }

    /** The condition that all of these conditions hold. It can stand beside {@code and} without brackets. */
    public static Sql and(List<Sql> conditions) {
        return join(" and ", conditions.stream());
    }

    public Sql and(Sql condition) {
        return and(List.of(this, condition));
    }

    /** The condition that any of these conditions holds, in brackets. */
    public static Sql or(List<Sql> conditions) {
        return join(" or ", conditions.stream()).in("(", ")");
    }

    public static Sql unionAll(Stream<Sql> queries) {
        return join(" union all ", queries);
    }

    /** This part between two texts. */
    public Sql in(String before, String after) {
        return new Sql(before + text + after, values);
    }

    /**
     * This whole statement, for which one plan suits all values, because it reads rows by their keys, or all rows of small
     * tables. In a snapshot, PostgreSQL plans it once for each connection, in place of each time.
     */
    public Sql plannedOnce() {
        return new Sql(text, values, true);
    }

    /**
     * The whole statement.
     *
     * @param first
     *            the parameters with the first numbers, also if they do not stand first in the text
     */
    public Statement statement(Sql... first) {
        Map<Value, String> numbers = new IdentityHashMap<>();
        List<Object> all = new ArrayList<>();
        for (Sql parameter : first) {
            number(parameter.values.get(0), numbers, all);
        }
        StringBuilder numbered = new StringBuilder(text.length() + 2 * values.size());
        int end = 0;
        for (Value value : values) {
            int start = text.indexOf(PARAMETER, end);
            numbered.append(text, end, start).append(number(value, numbers, all));
            end = start + 1;
        }
        return new Statement(numbered.append(text, end, text.length()).toString(), Collections.unmodifiableList(all),
                isPlannedOnce);
    }

    private static String number(Value value, Map<Value, String> numbers, List<Object> all) {
        return numbers.computeIfAbsent(value, absent -> {
            all.add(absent.value);
            return "$" + all.size();
        });
    }

    @Override
    public String toString() {
        return statement().toString();
    }
}
