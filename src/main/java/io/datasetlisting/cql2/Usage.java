package io.datasetlisting.cql2;

/** Counts what one filter uses of its limits, and refuses it while it is read, before more of it is built. */
final class Usage {

    private static final int MAX_MENDED_POINTS = 500;

    private final Limits limits;
    private int depth;
    private int length;
    private int nodes;
    private int vertices;
    private int patterns;
    private int mendedPoints;

    Usage(Limits limits) {
        this.limits = limits;
    }

    void enter(Place place) {
        depth++;
        check(depth, limits.depth(), "levels of nesting", place);
    }

    void leave() {
        depth--;
    }

    void addCharacters(int count, Place place) {
        length += count;
        check(length, limits.length(), "characters", place);
    }

    void addNode(Place place) {
        nodes++;
        check(nodes, limits.nodes(), "properties and values", place);
    }

    void addVertex(Place place) {
        vertices++;
        check(vertices, limits.vertices(), "vertices", place);
    }

    /**
     * Whether a geometry with this number of points may be mended, in addition to the geometries that were mended before. People draw no
     * more points, and to mend the many points of a program would take long.
     */
    boolean mayMend(int points) {
        mendedPoints += points;
        return mendedPoints <= MAX_MENDED_POINTS;
    }

    void addPattern(Place place) {
        patterns++;
        check(patterns, limits.patterns(), "conditions with LIKE or on single elements of arrays", place);
    }

    private static void check(int used, int limit, String unit, Place place) {
        if (used > limit) {
            throw place.refuse("More than " + limit + ' ' + unit);
        }
    }
}
