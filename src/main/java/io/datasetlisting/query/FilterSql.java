package io.datasetlisting.query;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Envelope;

import io.datasetlisting.account.Caller;
import io.datasetlisting.database.Sql;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.query.Filter.Box;

/**
 * Makes the SQL conditions of a listing: what the caller may see, and what the filters select. Every value is a bound
 * parameter.
 */
public final class FilterSql {

    /** The same text as in the conditions of the indexes for single categories and rasters. */
    private static final Map<String, Sql> OF_CHOICE = Stream
            .concat(DatasetFields.CATEGORIES.stream().map(category -> Map.entry(category, "category")),
                    DatasetFields.RASTERS.stream().map(raster -> Map.entry(raster, "available_rasters")))
            .collect(Collectors.toMap(Map.Entry::getKey,
                    choice -> Sql.of(choice.getValue() + " && '{\"" + choice.getKey() + "\"}'")));

    /**
     * The condition of a box, of west, south, east and north. The operator, which has the index, also finds footprints that
     * are up to 1e-6 degrees away; the comparisons are exact. They stand in a {@code case} because the planner then assumes that they keep half of what the operator finds. Of four
     * separate conditions it would assume that they keep a hundredth.
     */
    private static final String WITHIN = """
            footprint && box(point({west}, {south}), point({east}, {north})) \
            and case when (footprint[0])[0] >= {west} and (footprint[1])[0] <= {east} \
            and (footprint[0])[1] >= {south} and (footprint[1])[1] <= {north} then true else false end""";

    /**
     * Datasets whose bbox has no area. Their geometry is the point at the coordinates; the geometry of all others is the footprint.
     * The same text as in the condition of the index {@code dataset_flat_coordinates_idx}.
     */
    private static final String FLAT = " and cardinality(bbox) = 4 and (bbox[1] = bbox[3] or bbox[2] = bbox[4])";
    /** The subquery reads the index of the few flat datasets, so that a count reads the index of footprints alone. */
    private static final String NOT_FLAT = " and not id in (select id from dataset where true" + FLAT + ")";

    /**
     * Datasets whose geometry is an area: their bbox has one. The same text as in the conditions of the indexes
     * {@code dataset_listed_areas_idx} and {@code dataset_listed_points_idx}.
     */
    public static final String AREA = "(footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1]";

    private static final String FLAT_WITHIN = """
            coordinates[2] between {west} and {east} and coordinates[1] between {south} and {north}""";

    /** The condition stands in a subquery, so that the planner does not search for flat datasets through the index of an order. */
    private static final String FLAT_IDS = "id = any (array(select id from dataset where ";

    private static final String EXTENT = "id, (footprint[1])[0], (footprint[1])[1], (footprint[0])[0], (footprint[0])[1]";
    private static final String FLAT_EXTENT = "id, coordinates[2], coordinates[1], coordinates[2], coordinates[1]";

    private final Filter filter;
    /** The conditions of the filter, each behind {@code and}; see {@link SelectionSql}. */
    private final Sql condition;
    private final Sql check;
    /** The condition of flat datasets; null if they need none of their own. */
    private final Sql flat;

    private FilterSql(Filter filter) {
        this.filter = filter;
        List<Sql> conditions = conditions(filter, WITHIN);
        Sql words = Sql.value(filter.search());
        Sql found = words.in("words_query(", ")");
        condition = all(conditions, found);
        check = all(conditions, words.in("(select words_query(", "))"));
        flat = ExpressionSql.hasGeometry(filter.expression()) ? all(conditions(filter, FLAT_WITHIN), found) : null;
    }

    private Sql all(List<Sql> conditions, Sql words) {
        Stream<Sql> search = filter.search() == null
                ? Stream.of()
                : Stream.of(words.in("array_to_tsvector(search_words(dataset_name)) @@ ", ""));
        return Sql.join("", Stream.concat(conditions.stream(), search).map(each -> each.in(" and ", "")));
    }

    /** The datasets that the caller sees in a listing, as disjoint sets. */
    public static List<SelectionSql> visible(Filter filter, Caller caller) {
        FilterSql sql = new FilterSql(filter);
        Stream<SelectionSql> all = sql.selections(Visibility.PUBLIC, Visibility.PUBLIC.condition());
        return (caller.isAnonymous()
                ? all
                : Stream.concat(all, sql.selections(Visibility.PRIVATE, caller.isAdmin()
                        ? Visibility.PRIVATE.condition()
                        : Visibility.PRIVATE.ownedBy(Sql.value(caller.accountId())))))
                .toList();
    }

    /** The datasets of an export, in which an admin also sees drafts and deleted datasets. */
    public static List<SelectionSql> exported(Filter filter, Caller caller) {
        return caller.isAdmin()
                ? new FilterSql(filter).selections(Visibility.ALL, Visibility.ALL.condition()).toList()
                : visible(filter, caller);
    }

    /**
     * The statement that reads id and extent (west, south, east, north) of the geometry of the first datasets that the caller sees, in any
     * order.
     *
     * @param filter
     *            has a geometry
     */
    public static Sql extents(Filter filter, Caller caller, int limit) {
        return Sql.of("{all} limit {limit}", Map.of("limit", Sql.value((long) limit), "all",
                Sql.unionAll(visible(filter, caller).stream()
                        .map(each -> each.select(each.isFlat() ? FLAT_EXTENT : EXTENT)))));
    }

    /** The datasets of a set that match. If the filter has a geometry, flat datasets are a set of their own. */
    private Stream<SelectionSql> selections(Visibility visibility, Sql datasets) {
        Sql matching = Sql.of("{all}{matching}", Map.of("all", datasets, "matching", condition));
        Sql checked = Sql.of("{all}{matching}", Map.of("all", datasets, "matching", check));
        return flat == null
                ? Stream.of(selection(visibility, false, matching, checked))
                : Stream.of(selection(visibility, false, matching.in("", NOT_FLAT), checked.in("", NOT_FLAT)),
                        flat(visibility, Sql.of("{all}{matching}", Map.of("all", datasets, "matching", flat))));
    }

    private SelectionSql flat(Visibility visibility, Sql matching) {
        Sql ids = matching.in(FLAT_IDS, FLAT + "))");
        return selection(visibility, true, ids, ids);
    }

    /**
     * Counts several categories or rasters without other filters in the union of their indexes.
     *
     * @see <a href="../../../../../../docs/adr/0009-filters-share-one-index-and-count-from-bitmaps.md">ADR 9</a>
     */
    private SelectionSql selection(Visibility visibility, boolean isFlat, Sql condition, Sql check) {
        Sql ids = visibility == Visibility.PUBLIC && filter.onlyChoices().size() > 1
                ? Sql.join(" union ", filter.onlyChoices().stream()
                        .map(choice -> visibility.condition().and(OF_CHOICE.get(choice))
                                .in("select id from dataset where ", "")))
                        .in("(", ") dataset")
                : condition.in("dataset where ", "");
        return new SelectionSql(visibility, isFlat, condition, check, ids);
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

    /** One value is compared with {@code =}: the planner would plan a list anew for each number of values. */
    private static Sql oneOf(String column, Object[] values) {
        return values.length == 1
                ? Sql.value(values[0]).in(column + " = ", "")
                : Sql.value(values).in(column + " = any (", ")");
    }

    private static Sql anyOf(String column, List<String> texts) {
        return Sql.value(texts.toArray(String[]::new)).in(column + " && ", "::text[]");
    }

    private static Sql compared(String comparison, Instant time) {
        return Sql.value(time.atOffset(ZoneOffset.UTC)).in(comparison, "");
    }

    /** The conditions of the filters except the words of a search. */
    private static List<Sql> conditions(Filter filter, String touches) {
        List<Sql> all = new ArrayList<>();
        if (!filter.workspaces().isEmpty()) {
            all.add(oneOf("workspace", filter.workspaces().toArray(Long[]::new)));
        }
        if (!filter.users().isEmpty()) {
            all.add(user(filter.users()));
        }
        if (!filter.onlyChoices().isEmpty()) {
            all.add(Sql.or(filter.onlyChoices().stream().map(OF_CHOICE::get).toList()));
        } else {
            if (!filter.categories().isEmpty()) {
                all.add(anyOf("category", filter.categories()));
            }
            if (!filter.rasters().isEmpty()) {
                all.add(anyOf("available_rasters", filter.rasters()));
            }
        }
        if (filter.shareable() != null) {
            all.add(Sql.of(filter.shareable() ? "is_shareable" : "not is_shareable"));
        }
        if (filter.capturedAfter() != null) {
            all.add(compared("captured_date >= ", filter.capturedAfter()));
        }
        if (filter.capturedBefore() != null) {
            all.add(compared("captured_date < ", filter.capturedBefore()));
        }
        filter.boxes().forEach(box -> all.add(within(box)));
        if (!filter.bands().isEmpty()) {
            all.add(anyOf("band_labels(band_stats)", filter.bands()));
        }
        if (!filter.stats().isEmpty()) {
            all.add(anyOf("rasters_with_stats(band_stats)", filter.stats()));
        }
        if (filter.updatedSince() != null) {
            all.add(compared("updated_at >= ", filter.updatedSince()));
        }
        if (filter.expression() != null) {
            all.add(new ExpressionSql(touches).where(filter.expression()));
        }
        return all;
    }

    /** A username may consist of digits, so a number is compared with names and ids. */
    private static Sql user(List<String> users) {
        Sql named = oneOf("owner_name", users.toArray(String[]::new));
        Long[] ids = users.stream().filter(user -> user.matches("\\d{1,18}")).map(Long::valueOf).distinct()
                .toArray(Long[]::new);
        return ids.length == 0 ? named : Sql.or(List.of(named, oneOf("owner_id", ids)));
    }

    private static Sql within(Box box) {
        return box.crossesAntimeridian()
                ? Sql.or(List.of(within(WITHIN, new Envelope(box.west(), 180, box.south(), box.north())),
                        within(WITHIN, new Envelope(-180, box.east(), box.south(), box.north()))))
                : within(WITHIN, new Envelope(box.west(), box.east(), box.south(), box.north()));
    }

    /** The condition that the geometry of a dataset touches a box. */
    static Sql within(String touches, Envelope box) {
        return Sql.of(touches, Map.of("west", Sql.value(box.getMinX()), "south", Sql.value(box.getMinY()),
                "east", Sql.value(box.getMaxX()), "north", Sql.value(box.getMaxY())));
    }
}
