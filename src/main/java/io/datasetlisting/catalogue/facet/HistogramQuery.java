package io.datasetlisting.catalogue.facet;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.index.Interval;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;

/** A parsed request for a histogram. */
record HistogramQuery(Expression filter, Interval interval) {

    static final String INTERVAL = "interval";
    static final Set<Interval> INTERVALS = EnumSet.of(Interval.YEAR, Interval.MONTH, Interval.DAY);
    private static final List<String> IDS = INTERVALS.stream().map(Interval::id).toList();

    /** @throws io.datasetlisting.base.ApiException 400 with all wrong filters, or for an unknown interval */
    static HistogramQuery parse(QueryString query, DatasetFields fields, Caller caller) {
        Expression filter = Filter.parse(query, fields, caller);
        DrfFields parameters = DrfFields.of(query);
        String id = parameters.has(INTERVAL) ? parameters.choice(INTERVAL, IDS) : Interval.YEAR.id();
        parameters.check();
        return new HistogramQuery(filter, Interval.valueOf(id.toUpperCase(Locale.ROOT)));
    }
}
