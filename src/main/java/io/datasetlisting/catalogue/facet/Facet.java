package io.datasetlisting.catalogue.facet;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.cql2.Expression;

/** A property of datasets whose values are choices of a filter. */
public enum Facet {

    CATEGORY("category", Column.MARKS), AVAILABLE_RASTERS("available_rasters", Column.MARKS), HAS_STATS(
            Filter.STATS, Column.MARKS), BAND(Filter.BANDS_OF_DATASET, Column.BANDS,
                    Column.IDS), USER("owner_name", Column.OWNERS), YEAR("captured_date", Column.TIMES);

    static final List<String> NAMES = Stream.of(values()).map(Facet::title).toList();

    private final String filtered;
    private final Set<Column> columns;

    /** @param filtered what the conditions of its own filter compare, see {@link Filter#without} */
    Facet(String filtered, Column... columns) {
        this.filtered = filtered;
        this.columns = Set.of(columns);
    }

    /** Its name in requests and responses, which is that of its filter; a year has no filter of this name. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Facet of(String title) {
        return valueOf(title.toUpperCase(Locale.ROOT));
    }

    /** The columns from which its choices are counted. */
    Set<Column> columns() {
        return columns;
    }

    /** A filter without the conditions of its own filter. */
    Expression others(Expression filter) {
        return Filter.without(filter, filtered);
    }
}
