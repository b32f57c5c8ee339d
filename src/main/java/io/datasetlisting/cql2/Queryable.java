package io.datasetlisting.cql2;

/**
 * A property that a filter can name.
 *
 * @param name
 *            as in the properties of an item, {@code dataset:user} for example
 * @param sql
 *            expression of its value in a row of the table {@code dataset}
 */
public record Queryable(String name, Type type, String sql) {

    /** The type of the values. It decides which literals a value is compared with. */
    public enum Type {
        /** Text of digits for clients, bigint in the database. */
        ID,
        /** Text for clients, uuid in the database. */
        IDENTIFIER, TEXT, INTEGER, NUMBER, BOOLEAN, TIME,
        /** An array of texts. A comparison holds if it holds for any element. */
        TEXTS,
        /** The geometry of the item. */
        GEOMETRY
    }
}
