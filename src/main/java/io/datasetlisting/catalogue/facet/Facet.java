package io.datasetlisting.catalogue.facet;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.datasetlisting.catalogue.index.FilterCounts.By;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.cql2.Expression;

/** A property of datasets whose values are choices of a filter. */
public enum Facet {

    CATEGORY("category", By.CATEGORY), AVAILABLE_RASTERS("available_rasters", By.RASTER), HAS_STATS(Filter.STATS,
            By.STATS), BAND(Filter.BANDS_OF_DATASET,
                    By.BAND), USER("owner_name", By.OWNER), YEAR("captured_date", By.DAY);

    static final List<String> NAMES = Stream.of(values()).map(Facet::title).toList();

    private final String filtered;
    private final By by;

    /** @param filtered what the conditions of its own filter compare, see {@link Filter#without} */
    Facet(String filtered, By by) {
        this.filtered = filtered;
        this.by = by;
    }

    /** Its name in requests and responses, which is that of its filter; a year has no filter of this name. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Facet of(String title) {
        return valueOf(title.toUpperCase(Locale.ROOT));
    }

    /** What the datasets of a choice have in common. */
    By by() {
        return by;
    }

    /** A filter without the conditions of its own filter. */
    Expression others(Expression filter) {
        return Filter.without(filter, filtered);
    }
}
