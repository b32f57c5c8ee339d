package io.datasetlisting.faces.item;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Box;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.FreeText;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Expression.Or;
import io.datasetlisting.dataset.cql2.Expression.VisibleSince;
import io.datasetlisting.dataset.cql2.Expression.Words;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.Ordering;

/**
 * The search of the STAC API that finds the datasets of a view, in the same order.
 *
 * @param box
 *            west, south, east, north; empty without a box
 * @param filter
 *            CQL2 text; empty without a condition
 * @param leftOut
 *            the parameters of the view that a search cannot express. The search finds more datasets than the view
 */
public record StacSearch(List<String> box, String filter, String sortby, int limit, List<String> leftOut) {

    /** Later times have a year of five digits, which RFC 3339 does not have. */
    private static final Instant END = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final Map<Operator, String> OPERATORS = Map.of(Operator.EQUAL, " = ", Operator.LESS, " < ",
            Operator.LESS_OR_EQUAL, " <= ",
            Operator.GREATER_OR_EQUAL, " >= ");

    public static StacSearch of(ListingQuery view, DatasetFields fields) {
        Box box = Filter.boxOf(view.filter());
        List<String> conditions = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (Expression condition : Filter.everywhere(view.filter()).conjuncts()) {
            String text = text(condition);
            if (text == null) {
                leftOut.add(parameter(condition));
            } else {
                conditions.add(text);
            }
        }
        return new StacSearch(box == null ? List.of() : corners(box), String.join(" and ", conditions),
                sortby(view.request().ordering(), fields), view.request().pageSize(), List.copyOf(leftOut));
    }

    /** The query of the search by GET. */
    public String query() {
        QueryString query = QueryString.parse(null).with("limit", Integer.toString(limit)).with("sortby", sortby);
        query = box.isEmpty() ? query : query.with("bbox", String.join(",", box));
        return (filter.isEmpty() ? query : query.with("filter", filter)).toString();
    }

    /** A condition in CQL2; null if it has none of the same meaning. */
    private static String text(Expression condition) {
        if (condition instanceof In in && Filter.isMine(in)) {
            return null;
        }
        if (condition instanceof In in) {
            return in.property().property().name() + in.literals().stream().map(StacSearch::text)
                    .collect(Collectors.joining(", ", " in (", ")"));
        }
        if (condition instanceof Intersects intersects) {
            return "s_intersects(geometry, " + intersects.geometry().toText() + ")";
        }
        if (!(condition instanceof Comparison comparison)
                || comparison.literal() instanceof Literal.Time time && time.value().floor().isAfter(END)) {
            return null;
        }
        return comparison.property().property().name() + OPERATORS.get(comparison.operator())
                + text(comparison.literal());
    }

    private static String text(Literal literal) {
        if (literal instanceof Literal.Text text) {
            return "'" + text.value().replace("\\", "\\\\").replace("'", "''") + "'";
        } else if (literal instanceof Literal.Time time) {
            return "timestamp('" + time.value().floor() + "')";
        }
        return literal instanceof Literal.Number number
                ? number.value().toPlainString()
                : Boolean.toString(((Literal.Bool) literal).value());
    }

    /**
     * The parameter of a condition that CQL2 does not have. A number is also the id of an owner, which is no property of an
     * item.
     */
    private static String parameter(Expression condition) {
        if (condition instanceof Comparison time) {
            return time.operator() == Operator.LESS ? "captured_before" : "captured_after";
        }
        if (condition instanceof FreeText) {
            return "q";
        }
        if (condition instanceof VisibleSince) {
            return "updated_since";
        }
        if (condition instanceof In) {
            return "mine";
        }
        return condition instanceof Or ? "user" : condition instanceof Words ? "search" : "has_stats";
    }

    private static String sortby(Ordering ordering, DatasetFields fields) {
        return ordering.keys().stream()
                .map(key -> (key.descending() ? "-" : "")
                        + (key.field().equals(RasterGsd.NAME) ? key.field() : fields.get(key.field()).property()))
                .collect(Collectors.joining(","));
    }

    private static List<String> corners(Box box) {
        return DoubleStream.of(box.west(), box.south(), box.east(), box.north())
                .mapToObj(degrees -> BigDecimal.valueOf(degrees).stripTrailingZeros().toPlainString()).toList();
    }
}
