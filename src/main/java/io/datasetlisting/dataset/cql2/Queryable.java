package io.datasetlisting.dataset.cql2;

import java.util.function.Function;

/**
 * A property that a filter can name.
 *
 * @param name
 *            as in the properties of an item, {@code dataset:user} for example
 * @param sql
 *            expression of its value in a row of the table {@code dataset}
 * @param column
 *            the column that orders by this property. It has the value unless the value is computed
 * @param idOfComputed
 *            the id of the only dataset whose computed value is a text, or null; itself null when no value is computed
 */
public record Queryable(String name, Type type, String sql, String column, Function<String, Long> idOfComputed) {

    /** A property whose value is always that of the column. */
    public Queryable(String name, Type type, String sql) {
        this(name, type, sql, sql, null);
    }

    /**
     * The name alone. The text of a filter is part of what a token signs, so it must be the same in every process, which the text
     * of a function is not.
     */
    @Override
    public String toString() {
        return name;
    }

    /** The type of the values. It decides which literals a value is compared with. */
    public enum Type {
        /** Text of digits for clients. */
        ID("bigint"),
        /** Text for clients. */
        IDENTIFIER("uuid"), TEXT("text"), INTEGER("bigint"), NUMBER("float8"), BOOLEAN("boolean"), TIME("timestamptz"),
        /** An array of texts. A comparison holds if it holds for any element. */
        TEXTS("text"),
        /** The geometry of the item. */
        GEOMETRY(null);

        private final String sql;

        Type(String sql) {
            this.sql = sql;
        }

        /** The type of a value in PostgreSQL, or of an element. */
        public String sql() {
            return sql;
        }
    }
}
