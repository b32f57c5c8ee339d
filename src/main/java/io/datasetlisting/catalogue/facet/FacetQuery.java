package io.datasetlisting.catalogue.facet;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.index.FilterCounts.By;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;

/**
 * A request for facets.
 *
 * @param filter
 *            all filters
 * @param filters
 *            for each facet, the filters without those of the facet itself
 * @param hasSummary
 *            whether the {@linkplain Facets.Summary summary} is asked for
 */
public record FacetQuery(Expression filter, Map<Facet, Expression> filters, boolean hasSummary) {

    private static final String PARAMETER = "facets";
    private static final Set<By> SUMMARY = EnumSet.of(By.OWNER, By.DAY);

    /** @throws io.datasetlisting.base.ApiException 400 with all wrong filters, or for an unknown facet */
    static FacetQuery parse(QueryString query, DatasetFields fields, Caller caller) {
        return of(Filter.parse(query, fields, caller), facets(query), false);
    }

    /** All facets and the summary of the datasets that a filter of parameters finds. */
    static FacetQuery ofAll(Expression filter) {
        return of(filter, EnumSet.allOf(Facet.class), true);
    }

    private static FacetQuery of(Expression filter, Set<Facet> facets, boolean hasSummary) {
        Map<Facet, Expression> filters = new EnumMap<>(Facet.class);
        facets.forEach(facet -> filters.put(facet, facet.others(filter)));
        return new FacetQuery(filter, filters, hasSummary);
    }

    /** The filter of the {@linkplain Facets.Summary#privates private datasets}. */
    Expression ofAnyPrivacy() {
        return Filter.without(filter, "is_private");
    }

    private static Set<Facet> facets(QueryString query) {
        DrfFields parameters = DrfFields.of(query);
        List<String> titles = parameters.texts(PARAMETER, Facet.NAMES.size());
        titles.stream().filter(title -> !Facet.NAMES.contains(title)).findFirst()
                .ifPresent(title -> parameters.refuse(PARAMETER, DrfFields.notAChoice(title)));
        parameters.check();
        Set<Facet> facets = EnumSet.noneOf(Facet.class);
        titles.forEach(title -> facets.add(Facet.of(title)));
        return facets.isEmpty() ? EnumSet.allOf(Facet.class) : facets;
    }

    /** All filters, each once. */
    Set<Expression> distinctFilters() {
        Set<Expression> distinct = new LinkedHashSet<>(filters.values());
        distinct.add(filter);
        if (hasSummary) {
            distinct.add(ofAnyPrivacy());
        }
        return distinct;
    }

    /** What the datasets of a filter are counted by. */
    Set<By> counted(Expression of) {
        Set<By> counted = EnumSet.noneOf(By.class);
        filters.forEach((facet, each) -> counted.addAll(each.equals(of) ? Set.of(facet.by()) : Set.of()));
        if (hasSummary && of.equals(filter)) {
            counted.addAll(SUMMARY);
        }
        return counted;
    }

    Set<Column> columns() {
        Set<Column> columns = EnumSet.of(Column.MARKS);
        distinctFilters().forEach(each -> counted(each).forEach(by -> columns.addAll(by.columns())));
        return columns;
    }
}
