package io.datasetlisting.listing;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.account.Caller;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.listing.Filter.Box;

/** What is visible and asked for, as SQL: the words are this class' own, every value is bound. */
final class FilterSql {

    /** The same words as in the indexes' own conditions, so that ids and counts come from an index alone. */
    private static final String PUBLIC = "not is_deleted and not is_private and coordinates is not null";
    private static final String PRIVATE = "not is_deleted and is_private and coordinates is not null";

    /** The same words as in the indexes' own conditions, again: each category and each raster has one. */
    private static final Map<String, String> OF_CHOICE = Stream
            .concat(DatasetFields.CATEGORIES.stream().map(category -> Map.entry(category, "category")),
                    DatasetFields.RASTERS.stream().map(raster -> Map.entry(raster, "available_rasters")))
            .collect(Collectors.toMap(Map.Entry::getKey,
                    choice -> choice.getValue() + " && '{\"" + choice.getKey() + "\"}'"));

    private final List<Object> values;

    private FilterSql(List<Object> values) {
        this.values = values;
    }

    /**
     * What the caller gets to see of what is asked for, in parts that have indexes of their own and no dataset in common.
     *
     * @param values
     *            takes what the conditions bind, behind what is there
     */
    static List<String> visible(Filter filter, Caller caller, List<Object> values) {
        FilterSql conditions = new FilterSql(values);
        String asked = conditions.asked(filter);
        if (caller.isAdmin()) {
            return List.of(PUBLIC + asked, PRIVATE + asked);
        }
        if (caller.isAnonymous()) {
            return List.of(PUBLIC + asked);
        }
        return List.of(PUBLIC + asked, PRIVATE + " and owner_id = " + conditions.bind(caller.accountId()) + asked);
    }

    /** The same for an export, in which an admin sees drafts and deleted ones, too. */
    static List<String> exported(Filter filter, Caller caller, List<Object> values) {
        return caller.isAdmin()
                ? List.of("true" + new FilterSql(values).asked(filter))
                : visible(filter, caller, values);
    }

    /**
     * The ids of a part's datasets, as they stand behind {@code from}, for a statement that sees all of them, to count them
     * for example: where several categories, or rasters, are all that is asked for, the indexes have them.
     *
     * @see <a href="../../../../../../docs/adr/0009-filters-share-one-index-and-count-from-bitmaps.md">ADR 9</a>
     */
    static String all(String condition, Filter filter) {
        return filter.choices().size() > 1 && condition.startsWith(PUBLIC)
                ? filter.choices().stream()
                        .map(choice -> "select id from dataset where " + PUBLIC + " and " + OF_CHOICE.get(choice))
                        .collect(Collectors.joining(" union ", "(", ") dataset"))
                : "dataset where " + condition;
    }

    /**
     * The datasets of these parts. Several are sorted one by one, each by an index if it has one, and merged where they are
     * read.
     */
    static String rows(List<String> conditions, String order) {
        return conditions.size() == 1
                ? "(select * from dataset where " + conditions.get(0) + ")"
                : conditions.stream()
                        .map(condition -> "(select * from dataset where " + condition + " order by " + order + ")")
                        .collect(Collectors.joining(" union all ", "(", ")"));
    }

    private String bind(Object value) {
        values.add(value);
        return "$" + values.size();
    }

    /** A single one is no list: what may be in a list is more than the planner plans for once and for all. */
    private String oneOf(String column, Object[] values) {
        return values.length == 1 ? column + " = " + bind(values[0]) : column + " = any (" + bind(values) + ")";
    }

    private String anyOf(List<String> texts) {
        return bind(texts.toArray(String[]::new)) + "::text[]";
    }

    /** Each begins with "and", so that nothing is no condition. */
    private String asked(Filter filter) {
        List<String> all = new ArrayList<>();
        if (!filter.workspaces().isEmpty()) {
            all.add(oneOf("workspace", filter.workspaces().toArray(Long[]::new)));
        }
        if (!filter.users().isEmpty()) {
            all.add(user(filter.users()));
        }
        if (!filter.choices().isEmpty()) {
            all.add(filter.choices().stream().map(OF_CHOICE::get).collect(Collectors.joining(" or ", "(", ")")));
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
        if (filter.box() != null) {
            all.add(within(filter.box()));
        }
        if (!filter.bands().isEmpty()) {
            all.add("band_labels(band_stats) && " + anyOf(filter.bands()));
        }
        if (!filter.stats().isEmpty()) {
            all.add("rasters_with_stats(band_stats) && " + anyOf(filter.stats()));
        }
        if (filter.updatedSince() != null) {
            all.add("updated_at >= " + bind(filter.updatedSince().atOffset(ZoneOffset.UTC)));
        }
        StringBuilder conditions = new StringBuilder();
        all.forEach(condition -> conditions.append(" and ").append(condition));
        return conditions.toString();
    }

    /** A number may be a name as well. */
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
        return "footprint && box(point(" + bind(west) + ", " + bind(south) + "), point(" + bind(east) + ", "
                + bind(north) + "))";
    }
}
