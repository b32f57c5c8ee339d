package io.datasetlisting.catalogue.facet;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;

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
