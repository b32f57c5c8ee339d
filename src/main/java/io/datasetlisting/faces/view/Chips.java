package io.datasetlisting.faces.view;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.place.Gazetteer;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.faces.view.FilterForm.Field;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;

/** Makes the chips of a view. */
public final class Chips {

    private static final String AREA = "in_bbox";
    public static final String DRAWN = "intersects";
    /** Finds names, categories and the texts of owners. */
    public static final String TEXTS = "q";
    /** The parameter that names the place whose box the area is. A name that is not one of such a place is ignored. */
    public static final String PLACE = "place";
    /** The parameter that makes the list a gallery. */
    public static final String VIEW = "view";
    public static final String WORKSPACE = "workspace";
    /** The parameter with the number of the page. */
    static final String NUMBER = "p";
    /** The filters of which a view may have several values. */
    private static final List<String> LISTS = List.of("category", "available_rasters", "has_stats", "band", "user",
            WORKSPACE);
    private static final List<String> OTHERS = List.of("search", TEXTS, AREA, DRAWN, PLACE, FilterForm.MINE,
            FilterForm.PRIVATE,
            "is_shareable", "updated_since", FilterForm.COARSEST, FilterForm.FINEST);
    public static final String[] TIMES = {"captured_after", LastDay.MOMENT, LastDay.PARAMETER};
    /** What a view has besides its filters. */
    private static final List<String> OF_THE_LIST = List.of(NUMBER, "page_size", "ordering", VIEW);
    static final List<String> KNOWN = Stream.of(LISTS, OTHERS, List.of(TIMES), OF_THE_LIST)
            .flatMap(List::stream).toList();
    /** In characters, of the parameters that are no filters. */
    private static final int LONGEST = 300;
    private static final int MAX_ITEMS = 100;
    private static final MathContext DIGITS = new MathContext(2);
    /** In square kilometres. */
    private static final double SMALLEST = 1e-6;

    private final QueryString query;
    private final Language language;
    private final Map<String, String> workspaces;
    private final List<Chip> chips = new ArrayList<>();

    private Chips(QueryString query, Language language, Map<String, String> workspaces) {
        this.query = query;
        this.language = language;
        this.workspaces = workspaces;
    }

    /**
     * @param query
     *            without the number of the page, and without an order that is not chosen
     * @param workspaces
     *            the names of workspaces that have one, by number
     */
    public static List<Chip> of(QueryString query, Language language, Map<String, String> workspaces) {
        return new Chips(query, language, workspaces).all();
    }

    /** The query without all filters. */
    public static QueryString clear(QueryString query) {
        return query.without(LISTS.toArray(String[]::new)).without(OTHERS.toArray(String[]::new)).without(TIMES);
    }

    /** The filters of a view, without what only the list has. */
    public static QueryString filters(QueryString query) {
        return query.without("p", "page_size", "ordering", "fields", "format", VIEW);
    }

    /**
     * The query without what means nothing to a view, which each of its hundred links would repeat: the name of a place that the
     * area is not, and long values of parameters that are no filters.
     */
    public static QueryString meaningful(QueryString query) {
        QueryString named = place(query) == null ? query.without(PLACE) : query;
        if (clear(named).appendTo("").length() <= LONGEST) {
            return named;
        }
        QueryString known = QueryString.parse(null);
        for (String name : KNOWN) {
            List<String> values = named.getAll(name);
            if (!values.isEmpty() && (!OF_THE_LIST.contains(name) || String.join("", values).length() <= LONGEST)) {
                known = known.with(name, values);
            }
        }
        return known;
    }

    /** The address of a view. */
    public static String href(QueryString query) {
        return query.appendTo("./");
    }

    /** The values of a filter of which a view may have several. */
    public static List<String> values(QueryString query, String name) {
        return DrfFields.of(query).texts(name, MAX_ITEMS);
    }

    /** The address of the view without one value of a filter. */
    static String without(QueryString query, String name, String value) {
        return href(query.with(name, values(query, name).stream().filter(each -> !each.equals(value)).toList()));
    }

    private List<Chip> all() {
        LISTS.subList(0, 1).forEach(this::addValues);
        addTimes();
        LISTS.subList(1, LISTS.size()).forEach(this::addValues);
        if (FilterForm.bool(query, FilterForm.MINE).equals("true")) {
            add(FilterForm.MINE, "", "", FilterForm.MINE);
        }
        String isPrivate = FilterForm.bool(query, FilterForm.PRIVATE);
        if (!isPrivate.isEmpty()) {
            add("private-" + isPrivate, "", "", FilterForm.PRIVATE);
        }
        String shareable = FilterForm.bool(query, "is_shareable");
        if (!shareable.isEmpty()) {
            add("shareable-" + shareable, "", "", "is_shareable");
        }
        List.of("updated_since", FilterForm.COARSEST, FilterForm.FINEST).forEach(this::addText);
        String place = place(query);
        if (place == null) {
            addText(AREA);
        } else {
            add(PLACE, place, "", AREA, PLACE);
        }
        if (query.get(DRAWN) != null) {
            add(DRAWN, drawn(query.get(DRAWN)), "", DRAWN);
        }
        addText(TEXTS);
        addText("search");
        return chips;
    }

    /** The name of the place whose box the area is; null if it is another area. */
    public static String place(QueryString query) {
        String name = query.get(PLACE);
        String box = query.get(AREA);
        return name != null && box != null && Gazetteer.isPlace(name, box) ? name : null;
    }

    /** The size of the drawn area in square kilometres; empty for a text that is no area. */
    private String drawn(String text) {
        try {
            double size = SphericalArea.squareKilometres(Filter.geometryOf(text));
            return size < SMALLEST
                    ? ""
                    : ValueLabels.number(new BigDecimal(size).round(DIGITS).stripTrailingZeros(), language);
        } catch (ApiException e) {
            // The page says that the filter is wrong.
            return "";
        }
    }

    private void addValues(String name) {
        for (String value : values(query, name)) {
            String label = name.equals(WORKSPACE)
                    ? workspaces.getOrDefault(value, value)
                    : ValueLabels.of(name, value, language);
            chips.add(Chip.of(name, label, "", without(query, name, value), language));
        }
    }

    private void addText(String name) {
        if (query.get(name) != null) {
            add(name, query.get(name), "", name);
        }
    }

    private void add(String kind, String value, String until, String... names) {
        chips.add(Chip.of(kind, value, until, href(query.without(names)), language));
    }

    private void addTimes() {
        Field first = Field.first(query);
        Field end = Field.end(query);
        if (first.isDay() && end.isDay()) {
            addDays(LocalDate.parse(first.value()), LocalDate.parse(end.value()));
            return;
        }
        if (!first.value().isEmpty()) {
            add("from", first.value(), "", "captured_after");
        }
        if (!end.value().isEmpty()) {
            add(end.name().equals(LastDay.PARAMETER) ? "until" : "before", end.value(), "", LastDay.MOMENT,
                    LastDay.PARAMETER);
        }
    }

    private void addDays(LocalDate first, LocalDate last) {
        boolean isYears = first.getDayOfYear() == 1 && last.plusDays(1).getDayOfYear() == 1;
        String from = isYears ? FacetGroups.year(first) : first.toString();
        String until = isYears ? FacetGroups.year(last) : last.toString();
        add(from.equals(until) ? "day" : "days", from, until, TIMES);
    }
}
