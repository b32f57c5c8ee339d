package io.datasetlisting.catalogue.query;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Envelope;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Box;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Words;
import io.datasetlisting.postgres.database.Sql;

/**
 * Makes the SQL conditions of a listing: what the caller may see, and what the filters select. Every value but a boolean is a
 * bound parameter.
 */
public final class FilterSql {

    /**
     * The condition of a box, of west, south, east and north. The operator, which has the index, also finds footprints that
     * are up to 1e-6 degrees away; the comparisons are exact. They stand in a {@code case} because the planner then assumes
     * that they keep half of what the operator finds. Of four separate conditions it would assume that they keep a hundredth.
     */
    private static final String WITHIN = """
            footprint && box(point({west}, {south}), point({east}, {north})) \
            and case when (footprint[0])[0] >= {west} and (footprint[1])[0] <= {east} \
            and (footprint[0])[1] >= {south} and (footprint[1])[1] <= {north} then true else false end""";

    /**
     * Datasets whose bbox has no area. Their geometry is the point at the coordinates; the geometry of all others is the
     * footprint. The same text as in the condition of the index {@code dataset_flat_coordinates_idx}.
     */
    private static final String FLAT = " and cardinality(bbox) = 4 and (bbox[1] = bbox[3] or bbox[2] = bbox[4])";
    /** The subquery reads the index of the few flat datasets, so that a count reads the index of footprints alone. */
    private static final String NOT_FLAT = " and not id in (select id from dataset where true" + FLAT + ")";

    /**
     * Datasets whose geometry is an area: their bbox has one.
     */
    static final String AREA = "(footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1]";

    private static final String FLAT_WITHIN = """
            coordinates[2] between {west} and {east} and coordinates[1] between {south} and {north}""";

    private static final String POINT = "id, coordinates[2], coordinates[1], coordinates[2], coordinates[1]";
    private static final String FOOTPRINT = """
            id, (footprint[1])[0], (footprint[1])[1], (footprint[0])[0], (footprint[0])[1]""";

    /**
     * The condition stands in a subquery, so that the planner does not search for flat datasets through the index of an
     * order.
     */
    private static final String FLAT_IDS = "id = any (array(select id from dataset where ";

    /** The conditions of the filter, each behind {@code and}. */
    private final Sql condition;
    /** The condition of flat datasets; null if they need none of their own. */
    private final Sql flat;

    private FilterSql(Expression filter) {
        condition = conditions(filter, WITHIN);
        flat = Intersections.all(filter).findAny().isPresent() ? conditions(filter, FLAT_WITHIN) : null;
    }

    private static Sql conditions(Expression filter, String touches) {
        return filter.equals(Expression.ALL) ? Sql.of("") : new ExpressionSql(touches).where(filter).in(" and ", "");
    }

    /** The datasets that the caller sees in a listing, as disjoint sets. */
    public static List<SelectionSql> visible(Expression filter, Caller caller) {
        FilterSql sql = new FilterSql(filter);
        Stream<SelectionSql> all = sql.selections(Visibility.PUBLIC.condition());
        return (caller.isAnonymous()
                ? all
                : Stream.concat(all, sql.selections(caller.isAdmin()
                        ? Visibility.PRIVATE.condition()
                        : Visibility.PRIVATE.ownedBy(Sql.value(caller.accountId())))))
                .toList();
    }

    /** The datasets that the caller sees in a listing, and other sets, as disjoint sets. */
    public static List<SelectionSql> visible(Expression filter, Caller caller, Set<Visibility> others) {
        FilterSql sql = new FilterSql(filter);
        return Stream.concat(visible(filter, caller).stream(),
                others.stream().flatMap(each -> sql.selections(each.condition()))).toList();
    }

    /** The public and all private datasets, as disjoint sets. */
    public static List<SelectionSql> listed(Expression filter) {
        FilterSql sql = new FilterSql(filter);
        return Stream.of(Visibility.PUBLIC, Visibility.PRIVATE)
                .flatMap(each -> sql.selections(each.condition())).toList();
    }

    /** The datasets of an export, in which an admin also sees drafts and deleted datasets. */
    public static List<SelectionSql> exported(Expression filter, Caller caller) {
        return caller.isAdmin()
                ? new FilterSql(filter).selections(Visibility.ALL.condition()).toList()
                : visible(filter, caller);
    }

    /**
     * Reads the extents of listed datasets whose bbox has no area and whose point touches boxes around a geometry, in any order.
     */
    public static Sql flat(Intersects intersects, int limit) {
        return extents(listed(intersects).stream().filter(SelectionSql::isFlat), limit);
    }

    /** Reads the extents of the datasets of sets that match, in any order. Of a geometry, boxes around it decide. */
    public static Sql extents(Expression filter, Set<Visibility> sets, int limit) {
        FilterSql sql = new FilterSql(filter);
        return extents(sets.stream().flatMap(each -> sql.selections(each.condition())), limit);
    }

    /** Reads id, west, south, east and north. */
    private static Sql extents(Stream<SelectionSql> datasets, int limit) {
        return Sql.of("{all} limit {limit}", Map.of("limit", Sql.value((long) limit), "all",
                Sql.unionAll(datasets.map(each -> each.select(each.isFlat() ? POINT : FOOTPRINT)))));
    }

    /** The datasets of a set that match. If the filter has a geometry, flat datasets are a set of their own. */
    private Stream<SelectionSql> selections(Sql datasets) {
        Sql matching = Sql.join("", Stream.of(datasets, condition));
        if (flat == null) {
            return Stream.of(new SelectionSql(false, matching));
        }
        Sql ids = Sql.join("", Stream.of(datasets, flat)).in(FLAT_IDS, FLAT + "))");
        return Stream.of(new SelectionSql(false, matching.in("", NOT_FLAT)),
                new SelectionSql(true, ids));
    }

    /**
     * The {@code from} item of all datasets of these sets. Several sets are sorted one by one, each by its index, and merged.
     */
    public static Sql datasetsFrom(List<SelectionSql> visible, Sql order) {
        return visible.size() == 1
                ? visible.get(0).select("*").in("(", ")")
                : Sql.unionAll(visible.stream().map(each -> Sql.of("({datasets} order by {order})",
                        Map.of("datasets", each.select("*"), "order", order)))).in("(", ")");
    }

    /** Whether a filter has a condition on the words of a dataset, which only an index decides quickly. */
    public static boolean hasWords(Expression filter) {
        return Filter.parts(filter).anyMatch(part -> part instanceof Words || part instanceof Expression.FreeText);
    }

    /** The {@code from} item of these datasets. Without {@code offset 0} the planner would go through the index of an order. */
    public static Sql datasetsFrom(Long[] ids) {
        return Sql.value(ids).in("(select * from dataset where id = any (", "::bigint[]) offset 0)");
    }

    /** The condition of a box of the map. */
    static Sql within(Box box) {
        return box.crossesAntimeridian()
                ? Sql.or(Stream.of(new Box(box.west(), box.south(), 180, box.north()),
                        new Box(-180, box.south(), box.east(), box.north())).map(FilterSql::within).toList())
                : within(WITHIN, new Envelope(box.west(), box.east(), box.south(), box.north()));
    }

    /** The condition that the geometry of a dataset touches a box. */
    static Sql within(String touches, Envelope box) {
        return Sql.of(touches, Map.of("west", Sql.value(box.getMinX()), "south", Sql.value(box.getMinY()),
                "east", Sql.value(box.getMaxX()), "north", Sql.value(box.getMaxY())));
    }
}
