package io.datasetlisting.dataset.cql2;

/**
 * Limits of a filter. They bound the work of the parser, of the database's planner and of the geometry checks.
 *
 * @param depth
 *            largest number of levels: brackets, {@code not}, nested operators, collections of geometries
 * @param length
 *            largest number of characters of a filter in CQL2 text, and of all texts in CQL2 JSON
 * @param nodes
 *            largest number of properties and values. It bounds the number of conditions, too
 * @param vertices
 *            largest number of vertices of all geometries
 * @param patterns
 *            largest number of conditions that take the database long for each dataset: those with a pattern, and those that look
 *            at each element of an array
 */
public record Limits(int depth, int length, int nodes, int vertices, int patterns) {
}
