package io.datasetlisting.catalogue.facet;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import io.datasetlisting.catalogue.column.Column;

/** A property of datasets whose values are choices of a filter. */
public enum Facet {

    CATEGORY(EnumSet.of(Column.MARKS), "category"), AVAILABLE_RASTERS(EnumSet.of(Column.MARKS),
            "available_rasters"), HAS_STATS(EnumSet.of(Column.MARKS),
                    "has_stats"), BAND(EnumSet.of(Column.BANDS, Column.IDS), "band"), USER(EnumSet.of(Column.OWNERS),
                            "user"), YEAR(EnumSet.of(Column.TIMES), "captured_after", "captured_before");

    static final List<String> NAMES = Stream.of(values()).map(Facet::title).toList();

    private final Set<Column> columns;
    private final String[] parameters;

    Facet(Set<Column> columns, String... parameters) {
        this.columns = columns;
        this.parameters = parameters;
    }

    /** Its name in requests and responses. */
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

    /** The parameters of the listing that choose from it. */
    public String[] parameters() {
        return parameters.clone();
    }
}
