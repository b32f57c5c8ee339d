package io.datasetlisting.dataset.cql2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.cql2.Queryable.Type;
import io.datasetlisting.http.input.StrictJson;

/** Parses filters of tests, with a property of each type and those of the standard's examples. */
final class Filters {

    static final Map<String, Queryable> QUERYABLES = Stream
            .of(queryable("id", Type.ID), queryable("uid", Type.IDENTIFIER), queryable("title", Type.TEXT),
                    queryable("dataset:workspace", Type.INTEGER), queryable("adjustment.mean", Type.NUMBER),
                    queryable("private", Type.BOOLEAN), queryable("datetime", Type.TIME),
                    queryable("dataset:category", Type.TEXTS), queryable("geometry", Type.GEOMETRY),
                    queryable("city", Type.TEXT), queryable("updated", Type.TIME), queryable("depth", Type.NUMBER),
                    queryable("category", Type.INTEGER), queryable("road_class", Type.TEXT),
                    queryable("date", Type.TIME), queryable("Größe", Type.NUMBER))
            .collect(Collectors.toMap(Queryable::name, Function.identity()));

    static final Limits LIMITS = new Limits(50, 20_000, 500, 1_000, 50);

    private Filters() {
    }

    private static Queryable queryable(String name, Type type) {
        return new Queryable(name, type, "d." + name);
    }

    static Expression text(String filter) {
        return new Cql2Text(QUERYABLES, LIMITS).parse(filter);
    }

    static Expression json(String filter) {
        return new Cql2Json(QUERYABLES, LIMITS).parse(StrictJson.parseDeep(filter));
    }

    static String textError(String filter) {
        return error(() -> text(filter));
    }

    static String jsonError(String filter) {
        return error(() -> json(filter));
    }

    /** The sentence of the error that the call throws. */
    static String error(Runnable call) {
        ApiException error = assertThrows(ApiException.class, call::run);
        assertEquals(400, error.status());
        return error.getMessage();
    }

    static Expression.Operand operand(String property) {
        return new Expression.Operand(QUERYABLES.get(property), false);
    }

    /** A geometry as JTS reads it. */
    static Geometry geometry(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new IllegalArgumentException(wkt, e);
        }
    }
}
