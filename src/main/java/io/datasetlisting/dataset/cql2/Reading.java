package io.datasetlisting.dataset.cql2;

import java.util.function.Supplier;

import io.datasetlisting.base.ApiException;

/**
 * The state of a parser: the place that it reads, which errors name, and what the filter uses of its limits. A filter above a
 * limit is refused while it is read, before more of it is built.
 */
final class Reading {

    private static final int MAX_MENDED_POINTS = 500;

    private final Limits limits;
    private Place here;
    private int depth;
    private int length;
    private int nodes;
    private int vertices;
    private int patterns;
    private int mendedPoints;

    /**
     * @param parameter
     *            its name in error messages
     */
    Reading(Limits limits, String parameter) {
        this.limits = limits;
        here = new Place(parameter);
    }

    /** The place of the part that is read. */
    Place here() {
        return here;
    }

    /** The error of status 400 for the part that is read. */
    ApiException refuse(String reason) {
        return here.refuse(reason);
    }

    /** Reads the part that begins at a place. */
    <T> T at(Place place, Supplier<T> part) {
        Place outer = here;
        here = place;
        T result = part.get();
        here = outer;
        return result;
    }

    /** Reads a member of the JSON object, or an element of the array, that is read. */
    <T> T member(Object key, Supplier<T> part) {
        return at(here.member(key), part);
    }

    /** Reads a part that is one level deeper. */
    <T> T nested(Supplier<T> part) {
        depth++;
        check(depth, limits.depth(), "levels of nesting", here);
        T result = part.get();
        depth--;
        return result;
    }

    void addCharacters(int count) {
        length += count;
        check(length, limits.length(), "characters", here);
    }

    void addNode() {
        nodes++;
        check(nodes, limits.nodes(), "properties and values", here);
    }

    void addVertex() {
        vertices++;
        check(vertices, limits.vertices(), "vertices", here);
    }

    void addPattern(Term pattern) {
        patterns++;
        check(patterns, limits.patterns(), "conditions with LIKE or on single elements of arrays", pattern.place());
    }

    /**
     * Whether a geometry with this number of points may be mended, in addition to the geometries that were mended before. People
     * draw no more points, and to mend the many points of a program would take long.
     */
    boolean mayMend(int points) {
        mendedPoints += points;
        return mendedPoints <= MAX_MENDED_POINTS;
    }

    private static void check(int used, int limit, String unit, Place place) {
        if (used > limit) {
            throw place.refuse("More than " + limit + ' ' + unit);
        }
    }
}
