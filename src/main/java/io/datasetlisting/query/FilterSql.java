package io.datasetlisting.query;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Envelope;

import io.datasetlisting.account.Caller;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.query.Filter.Box;

/**
 * Makes the SQL conditions of a listing: what the caller may see, and what the filters select. Every value is a bound
 * parameter.
 */
public final class FilterSql {

    /**
     * The same text as in the conditions of the partial indexes. Only then PostgreSQL reads ids and counts from an
     * index alone.
     */
    public static final String PUBLIC = "not is_deleted and not is_private and coordinates is not null";
    private static final String PRIVATE = "not is_deleted and is_private and coordinates is not null";

    /** The same text as in the conditions of the indexes for single categories and rasters. */
    private static final Map<String, String> OF_CHOICE = Stream
            .concat(DatasetFields.CATEGORIES.stream().map(category -> Map.entry(category, "category")),
                    DatasetFields.RASTERS.stream().map(raster -> Map.entry(raster, "available_rasters")))
            .collect(Collectors.toMap(Map.Entry::getKey,
                    choice -> choice.getValue() + " && '{\"" + choice.getKey() + "\"}'"));

    /**
     * The condition of a box, of west, south, east and north. The operator, which has the index, also finds footprints that
     * are up to 1e-6 degrees away; the comparisons are exact. They stand in a {@code case} because the planner then assumes that they keep half of what the operator finds. Of four
     * separate conditions it would assume that they keep a hundredth.
     */
    private static final String WITHIN = """
            footprint && box(point(%1$s, %2$s), point(%3$s, %4$s)) \
            and case when (footprint[0])[0] >= %1$s and (footprint[1])[0] <= %3$s \
            and (footprint[0])[1] >= %2$s and (footprint[1])[1] <= %4$s then true else false end""";

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
            coordinates[2] between %1$s and %3$s and coordinates[1] between %2$s and %4$s""";

    /**
     * The flat datasets of a condition. The condition stands in a subquery, so that the planner does not search for them through the index
     * of an order.
     */
    private static final String FLAT_IDS = "id = any (array(select id from dataset where ";

    private static final String EXTENTS = """
            select id, (footprint[1])[0], (footprint[1])[1], (footprint[0])[0], (footprint[0])[1] from dataset where %s""";
    private static final String FLAT_EXTENTS = """
            select id, coordinates[2], coordinates[1], coordinates[2], coordinates[1] from dataset where %s""";

    private final List<Object> values;
    /** The condition that the geometry of a dataset touches a box. */
    private String touches = WITHIN;
    private boolean hasGeometry;

    private FilterSql(List<Object> values) {
        this.values = values;
    }

    /**
     * The conditions of the datasets that the caller sees in a listing. The conditions select disjoint sets, and each
     * set has indexes of its own.
     *
     * @param values
     *            receives the bound values, after those that it already contains
     */
    public static List<String> visible(Filter filter, Caller caller, List<Object> values) {
        return new FilterSql(values).visible(filter, caller);
    }

    /** Whether a condition finds only public datasets, and stands in no subquery. */
    public static boolean isPublic(String condition) {
        return condition.startsWith(PUBLIC);
    }

    private List<String> visible(Filter filter, Caller caller) {
        return caller.isAnonymous()
                ? disjoint(List.of(PUBLIC), filter)
                : disjoint(List.of(PUBLIC,
                        caller.isAdmin() ? PRIVATE : PRIVATE + " and owner_id = " + bind(caller.accountId())), filter);
    }

    /** The conditions of the datasets of a filter. If it has a geometry, flat datasets have conditions apart. */
    private List<String> disjoint(List<String> datasets, Filter filter) {
        String asked = filterConditions(filter);
        if (!hasGeometry) {
            return datasets.stream().map(all -> all + asked).toList();
        }
        touches = FLAT_WITHIN;
        String askedFlat = filterConditions(filter);
        return datasets.stream()
                .flatMap(all -> Stream.of(all + asked + NOT_FLAT, FLAT_IDS + all + askedFlat + FLAT + "))")).toList();
    }

    /**
     * The statement that reads id and extent (west, south, east, north) of the geometry of the first datasets that the caller sees, in any
     * order.
     */
    public static String extents(Filter filter, Caller caller, int limit, List<Object> values) {
        FilterSql sql = new FilterSql(values);
        sql.hasGeometry = true;
        return sql.visible(filter, caller).stream()
                .map(condition -> (condition.startsWith(FLAT_IDS) ? FLAT_EXTENTS : EXTENTS).formatted(condition))
                .collect(Collectors.joining(" union all ")) + " limit " + sql.bind((long) limit);
    }

    /** The same for an export, in which an admin also sees drafts and deleted datasets. */
    public static List<String> exported(Filter filter, Caller caller, List<Object> values) {
        return caller.isAdmin()
                ? new FilterSql(values).disjoint(List.of("true"), filter)
                : visible(filter, caller, values);
    }

    /**
     * The {@code from} item of the ids that match a condition, for a statement that reads all of them, for example to
     * count them. For several categories or rasters without other filters it unites their indexes.
     * @see <a href="../../../../../../docs/adr/0009-filters-share-one-index-and-count-from-bitmaps.md">ADR 9</a>
     */
    public static String idsFrom(String condition, Filter filter) {
        return filter.onlyChoices().size() > 1 && condition.startsWith(PUBLIC)
                ? filter.onlyChoices().stream()
                        .map(choice -> "select id from dataset where " + PUBLIC + " and " + OF_CHOICE.get(choice))
                        .collect(Collectors.joining(" union ", "(", ") dataset"))
                : "dataset where " + condition;
    }

    /**
     * The {@code from} item of the datasets of all conditions. Several conditions are sorted one by one, each by its
     * index, and merged.
     */
    public static String datasetsFrom(List<String> conditions, String order) {
        return conditions.size() == 1
                ? "(select * from dataset where " + conditions.get(0) + ")"
                : conditions.stream()
                        .map(condition -> "(select * from dataset where " + condition + " order by " + order + ")")
                        .collect(Collectors.joining(" union all ", "(", ")"));
    }

    /**
     * A condition for datasets that are not found by its index. In a plan for all values, PostgreSQL would otherwise make the words of a
     * search anew for each dataset, which takes longer than the rest of the condition.
     */
    public static String withoutIndex(String condition) {
        return condition.replaceAll("words_query\\(\\$\\d+\\)", "(select $0)");
    }

    /** Adds a value, and returns its parameter. */
    String bind(Object value) {
        values.add(value);
        return "$" + values.size();
    }

    /** One value is compared with {@code =}: the planner would plan a list anew for each number of values. */
    private String oneOf(String column, Object[] values) {
        return values.length == 1 ? column + " = " + bind(values[0]) : column + " = any (" + bind(values) + ")";
    }

    private String anyOf(List<String> texts) {
        return bind(texts.toArray(String[]::new)) + "::text[]";
    }

    /** The conditions of the filters. Each begins with "and", so no filter gives an empty text. */
    private String filterConditions(Filter filter) {
        List<String> all = new ArrayList<>();
        if (!filter.workspaces().isEmpty()) {
            all.add(oneOf("workspace", filter.workspaces().toArray(Long[]::new)));
        }
        if (!filter.users().isEmpty()) {
            all.add(user(filter.users()));
        }
        if (!filter.onlyChoices().isEmpty()) {
            all.add(filter.onlyChoices().stream().map(OF_CHOICE::get).collect(Collectors.joining(" or ", "(", ")")));
        } else {
            if (!filter.categories().isEmpty()) {
                all.add("category && " + anyOf(filter.categories()));
            }
            if (!filter.rasters().isEmpty()) {
                all.add("available_rasters && " + anyOf(filter.rasters()));
            }
        }
        if (filter.shareable() != null) {
            all.add(filter.shareable() ? "is_shareable" : "not is_shareable");
        }
        if (filter.capturedAfter() != null) {
            all.add("captured_date >= " + bind(filter.capturedAfter().atOffset(ZoneOffset.UTC)));
        }
        if (filter.capturedBefore() != null) {
            all.add("captured_date < " + bind(filter.capturedBefore().atOffset(ZoneOffset.UTC)));
        }
        if (filter.search() != null) {
            all.add("array_to_tsvector(search_words(dataset_name)) @@ words_query(" + bind(filter.search()) + ")");
        }
        filter.boxes().forEach(box -> all.add(within(box)));
        if (!filter.bands().isEmpty()) {
            all.add("band_labels(band_stats) && " + anyOf(filter.bands()));
        }
        if (!filter.stats().isEmpty()) {
            all.add("rasters_with_stats(band_stats) && " + anyOf(filter.stats()));
        }
        if (filter.updatedSince() != null) {
            all.add("updated_at >= " + bind(filter.updatedSince().atOffset(ZoneOffset.UTC)));
        }
        if (filter.expression() != null) {
            all.add(new ExpressionSql(this).where(filter.expression()));
        }
        StringBuilder conditions = new StringBuilder();
        all.forEach(condition -> conditions.append(" and ").append(condition));
        return conditions.toString();
    }

    /** A username may consist of digits, so a number is compared with names and ids. */
    private String user(List<String> users) {
        String named = oneOf("owner_name", users.toArray(String[]::new));
        Long[] ids = users.stream().filter(user -> user.matches("\\d{1,18}")).map(Long::valueOf).distinct()
                .toArray(Long[]::new);
        return ids.length == 0 ? named : "(" + named + " or " + oneOf("owner_id", ids) + ")";
    }

    private String within(Box box) {
        return box.crossesAntimeridian()
                ? "(" + within(box.west(), box.south(), 180, box.north()) + " or "
                        + within(-180, box.south(), box.east(), box.north()) + ")"
                : within(box.west(), box.south(), box.east(), box.north());
    }

    private String within(double west, double south, double east, double north) {
        return WITHIN.formatted(bind(west), bind(south), bind(east), bind(north));
    }

    /** The condition that the geometry of a dataset touches any of the boxes. */
    String touchesAny(List<Envelope> boxes) {
        hasGeometry = true;
        return boxes.isEmpty()
                ? "false"
                : boxes.stream().map(box -> touches.formatted(bind(box.getMinX()), bind(box.getMinY()),
                        bind(box.getMaxX()), bind(box.getMaxY()))).collect(Collectors.joining(" or ", "(", ")"));
    }
}
