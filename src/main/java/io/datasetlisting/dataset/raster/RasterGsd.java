package io.datasetlisting.dataset.raster;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.http.input.StrictJson;

/** The distance between the rows of the finest raster of a dataset, in metres, as a filter and as an order. */
public final class RasterGsd {

    /** Its name in items and in orders. */
    public static final String NAME = RasterHeader.GSD;
    /** The column that contains it. */
    public static final String COLUMN = "raster_headers";
    public static final Queryable QUERYABLE = new Queryable(NAME, Queryable.Type.NUMBER, value(""), COLUMN, null);

    private RasterGsd() {
    }

    private static String value(String prefix) {
        return "raster_gsd(" + prefix + COLUMN + ')';
    }

    /**
     * The expression that orders by it. Datasets without a known distance are last.
     *
     * @param prefix
     *            of the column
     */
    public static String key(String prefix, boolean descending) {
        return "coalesce(" + value(prefix) + (descending ? ", '-infinity')" : ", 'infinity')");
    }

    /** That of the headers of a dataset, which may be null; 0 if none is known. */
    public static double finest(String headers) {
        return headers == null
                ? 0
                : StrictJson.parse(headers).valueStream().map(header -> header.path(NAME)).filter(JsonNode::isNumber)
                        .mapToDouble(JsonNode::doubleValue).min().orElse(0);
    }
}
