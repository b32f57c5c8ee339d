package io.datasetlisting.facet;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.query.Filter;

/** A parsed request for a histogram. */
record HistogramQuery(Expression filter, Interval interval) {

    static final String INTERVAL = "interval";

    /** @throws io.datasetlisting.base.ApiException 400 with all wrong filters, or for an unknown interval */
    static HistogramQuery parse(QueryString query, DatasetFields fields, Caller caller) {
        Expression filter = Filter.parse(query, fields, caller);
        DrfFields parameters = DrfFields.of(query);
        String title = parameters.has(INTERVAL) ? parameters.choice(INTERVAL, Interval.TITLES) : Interval.YEAR.title();
        parameters.check();
        return new HistogramQuery(filter, Interval.of(title));
    }
}
