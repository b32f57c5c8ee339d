package io.datasetlisting.dataset.cql2;

import static io.datasetlisting.dataset.cql2.Filters.error;
import static io.datasetlisting.dataset.cql2.Filters.geometry;
import static io.datasetlisting.dataset.cql2.Filters.text;
import static io.datasetlisting.dataset.cql2.Filters.textError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.http.input.StrictJson;

/** Tests the geometries of GeoJSON, of WKT in CQL2 text, and boxes. */
class GeometryReaderTest {

    private static final String RINGS = "(-180 -90, -90 -90, -90 90, -180 90, -180 -90), "
            + "(-120 -50, -100 -50, -100 -40, -120 -40, -120 -50)";

    private static Geometry read(String json) {
        return new GeometryReader(Filters.LIMITS, "intersects").read(StrictJson.parseDeep(json));
    }

    private static Geometry wkt(String wkt) {
        return ((Intersects) text("S_INTERSECTS(geometry, " + wkt + ")")).geometry();
    }

    private static String wktError(String wkt) {
        return textError("S_INTERSECTS(geometry, " + wkt + ")");
    }

    /** Most of the texts are examples of the standard's tests. */
    @ParameterizedTest
    @ValueSource(strings = {"POINT(7.02 49.92)", "POINT (-180 +90)", "POINT(1e1 .5)", "MULTIPOINT(7.02 49.92, 90 18)",
            "MULTIPOINT((7.02 49.92), (90 18))", "LINESTRING(-180 -45, 0 -45)",
            "MULTILINESTRING((-180 -45, 0 -45), (0 45, 180 45))", "POLYGON(" + RINGS + ")",
            "POLYGON((0 0, 0 10, 10 10, 10 0, 0 0))",
            "MULTIPOLYGON((" + RINGS + "),((0 0, 10 0, 10 10, 0 10, 0 0)))",
            "GEOMETRYCOLLECTION(POINT(7.02 49.92), POLYGON((0 0, 10 0, 10 10, 0 10, 0 0)))",
            "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(MULTIPOINT(0 0)), LINESTRING(0 0, 1 1))"})
    void everyTypeOfWktIsReadAsItIsWritten(String wkt) {
        // In a form that JTS reads, too.
        Geometry expected = geometry(wkt.replace("+", ""));
        assertEquals(expected, wkt(wkt));
        assertEquals(expected.toText(), wkt(wkt.toLowerCase()).toText());
        String elevated = wkt.replaceAll("([A-Z]+) ?\\(", "$1 Z(").replaceAll("([0-9])(?=[,)])", "$1 -1e3");
        assertEquals(expected, wkt(elevated), elevated);
        assertEquals(expected, wkt(elevated.replace(" Z", "z")));
        assertEquals(new Intersects(expected), text("s_intersects(" + wkt + ", geometry)"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            POINT(7.02 49.92)               | {"type": "Point", "coordinates": [7.02, 49.92]}
            POINT(7.02 49.92)               | {"type": "Point", "coordinates": [7.02, 49.92, 300], "bbox": [0], "id": 5}
            MULTIPOINT((1 2), (3 4))        | {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}
            LINESTRING(1 2, 3 4)            | {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}
            MULTILINESTRING((1 2, 3 4))     | {"type": "MultiLineString", "coordinates": [[[1, 2], [3, 4]]]}
            POLYGON((0 0, 0 1, 1 1, 0 0))   | {"type": "Polygon", "coordinates": [[[0, 0], [0, 1], [1, 1], [0, 0, 9]]]}
            MULTIPOLYGON(((0 0, 0 1, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5))) \
            | {"type": "MultiPolygon", "coordinates": [[[[0, 0], [0, 1], [1, 1], [0, 0]]], [[[5, 5], [6, 5], [6, 6], [5, 5]]]]}
            GEOMETRYCOLLECTION(POINT(1 2), GEOMETRYCOLLECTION(POINT(3 4))) \
            | {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}, \
            {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [3, 4]}]}]}
            POINT(1 2) | {"type": "Point", "coordinates": [1, 2], "crs": {"type": "name", "properties": \
            {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}}
            """)
    void everyTypeOfGeoJsonIsReadAsItIsWritten(String wkt, String json) {
        assertEquals(geometry(wkt), read(json));
        assertEquals(wkt(wkt), read(json));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            5                                            | Expected a GeoJSON geometry.
            null                                         | Expected a GeoJSON geometry.
            {"type": 5}                                  | Expected a GeoJSON geometry.
            {"type": "Feature", "geometry": null}        | Unknown type of geometry 'Feature'.
            {"type": "Point"}                            | Expected an array with elements at /coordinates.
            {"type": "Point", "coordinates": []}         | Expected an array with elements at /coordinates.
            {"type": "Point", "coordinates": {"0": 1}}   | Expected an array with elements at /coordinates.
            {"type": "Point", "coordinates": [1]}        | A position with fewer than 2 numbers at /coordinates.
            {"type": "Point", "coordinates": [1, null]}  | Expected a number in the range of a double at /coordinates/1.
            {"type": "Point", "coordinates": [1, 1e999]} | Expected a number in the range of a double at /coordinates/1.
            {"type": "Point", "coordinates": [1,2,3,4,5,6,7]} | More than 6 numbers at /coordinates.
            {"type": "Point", "coordinates": [1, 90.01]} \
            | Degrees outside the world: longitude 1.0, latitude 90.01 at /coordinates.
            {"type": "MultiPoint", "coordinates": [[7, 49], [90, 180]]} \
            | Degrees outside the world: longitude 90.0, latitude 180.0 at /coordinates/1.
            {"type": "MultiPoint", "coordinates": []}    | Expected an array with elements at /coordinates.
            {"type": "LineString", "coordinates": [[1, 2]]} | A line with fewer than 2 points at /coordinates.
            {"type": "Polygon", "coordinates": [[[0, 0], [0, 1], [0, 0]]]} | A ring with fewer than 4 points at /coordinates/0.
            {"type": "Polygon", "coordinates": [[[0, 0], [0, 1], [1, 1], [1, 0]]]} \
            | A ring that does not end where it begins at /coordinates/0.
            {"type": "Polygon", "coordinates": [[[0, 0], [3, 8], [6, 0], [-1, 5], [7, 5], [0, 0]]]} \
            | An invalid geometry (Self-intersection near longitude 1.267605633802817, latitude 3.380281690140845).
            {"type": "LineString", "coordinates": [[1, 2], [1, 2]]} \
            | An invalid geometry (Too few distinct points in geometry component near longitude 1.0, latitude 2.0).
            {"type": "GeometryCollection"}               | Expected an array with elements at /geometries.
            {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [181, 0]}]} \
            | Degrees outside the world: longitude 181.0, latitude 0.0 at /geometries/0/coordinates.
            {"type": "Point", "coordinates": [1, 2], "crs": {"type": "name", "properties": {"name": "EPSG:4326"}}} \
            | A coordinate reference system other than CRS84 at /crs.
            {"type": "Point", "coordinates": [1, 2], "crs": null} | A coordinate reference system other than CRS84 at /crs.
            """)
    void anErrorInGeoJsonNamesItsPlace(String json, String error) {
        assertEquals("intersects: " + error, error(() -> read(json)));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            POINT EMPTY                          | A geometry without points at character 30.
            POINT Z EMPTY                        | A geometry without points at character 32.
            POLYGON(EMPTY)                       | A geometry without points at character 32.
            GEOMETRYCOLLECTION EMPTY             | A geometry without points at character 43.
            POINT()                              | Expected a number at character 30.
            POINT(1)                             | Expected a number at character 31.
            POINT(1, 2)                          | Expected a number at character 31.
            POINT(1 2 3 4)                       | Expected ')' at character 36.
            POINT(1 2                            | Expected ')' at character 34.
            POINT M(1 2)                         | Unknown property 'POINT' at character 24.
            POINT(1 title)                       | Expected a number at character 32.
            POINT(-181 5)                        | Degrees outside the world: longitude -181.0, latitude 5.0 at character 30.
            MULTIPOINT(7.02 49.92, 90 180)       | Degrees outside the world: longitude 90.0, latitude 180.0 at character 47.
            LINESTRING(1 2)                      | A line with fewer than 2 points at character 34.
            POLYGON((0 0, 1 1, 0 0))             | A ring with fewer than 4 points at character 32.
            POLYGON((0 0, 1 1, 0 1, 2 2))        | A ring that does not end where it begins at character 32.
            POLYGON((0 0, 6 0, 6 6, 2 6, 2 4, 4 4, 4 8, 0 8, 0 0)) \
            | An invalid geometry (Self-intersection near longitude 4.0, latitude 6.0) at character 24.
            POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 2, 2 1, 1 2, 1 1)) \
            | An invalid geometry (Self-intersection near longitude 1.5, latitude 1.5) at character 24.
            POLYGON((0 0, 1 0, 1 1, 0 0), (5 5, 6 5, 6 6, 5 5)) \
            | An invalid geometry (Hole lies outside shell near longitude 5.0, latitude 5.0) at character 24.
            GEOMETRYCOLLECTION(5)                | Expected a geometry at character 43.
            GEOMETRYCOLLECTION(BBOX(0, 0, 1, 1)) | Expected a geometry at character 43.
            CIRCLE(1 1)                          | Unknown function 'CIRCLE' at character 24.
            BBOX(1, 2, 3)                        | A box has 4 or 6 numbers at character 24.
            BBOX(1, 2, 3, 4, 5)                  | A box has 4 or 6 numbers at character 24.
            BBOX(1, 2, 3, 1)                     | A box whose minimum is above its maximum at character 24.
            BBOX(1, 2, 3, 95)                    | Degrees outside the world: longitude 3.0, latitude 95.0 at character 24.
            BBOX(1, 2, 'a', 95)                  | Expected a number at character 35.
            geometry                             | Expected a geometry in S_INTERSECTS at character 14.
            'POINT(1 1)'                         | Expected a geometry in S_INTERSECTS at character 24.
            """)
    void anErrorInWktNamesItsPosition(String wkt, String error) {
        assertEquals("filter: " + error, wktError(wkt));
    }

    /** Each such polygon encloses the same area by both rules of what is inside of a ring that crosses itself. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            POLYGON((0 0, 2 2, 2 0, 0 2, 0 0)) | MULTIPOLYGON(((0 0, 1 1, 0 2, 0 0)), ((1 1, 2 0, 2 2, 1 1)))
            POLYGON((0 0, 4 0, 4 4, 6 4, 4 4, 0 4, 0 0)) | POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))
            POLYGON((0 0, 2 2, 4 0, 6 2, 6 0, 4 2, 2 0, 0 2, 0 0)) \
            | MULTIPOLYGON(((0 0, 1 1, 0 2, 0 0)), ((1 1, 2 0, 3 1, 2 2, 1 1)), ((3 1, 4 0, 5 1, 4 2, 3 1)), \
            ((5 1, 6 0, 6 2, 5 1)))
            MULTIPOLYGON(((0 0, 2 2, 2 0, 0 2, 0 0)), ((8 8, 9 8, 9 9, 8 8))) \
            | MULTIPOLYGON(((0 0, 1 1, 0 2, 0 0)), ((1 1, 2 0, 2 2, 1 1)), ((8 8, 9 8, 9 9, 8 8)))
            GEOMETRYCOLLECTION(POINT(9 9), POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))) \
            | GEOMETRYCOLLECTION(POINT(9 9), MULTIPOLYGON(((0 0, 1 1, 0 2, 0 0)), ((1 1, 2 0, 2 2, 1 1))))
            """)
    void aPolygonThatCrossesItselfIsMendedWhereItsAreaIsCertain(String wkt, String mended) throws ParseException {
        assertTrue(wkt(wkt).norm().equalsExact(new WKTReader().read(mended).norm(), 1e-12),
                () -> wkt(wkt).toText());
        assertEquals(1, Stream.generate(() -> wkt(wkt).toText()).limit(100).distinct().count());
    }

    /** To mend a polygon costs a hundred times as much as to check a valid one. */
    @Test
    void aFilterMendsFewPoints() {
        String bowTie = "S_INTERSECTS(geometry, POLYGON((0 0, 2 2, 2 0, 0 2, 0 0)))";
        assertEquals(100, ((And) text(String.join(" AND ", Collections.nCopies(100, bowTie)))).operands().size());
        assertTrue(textError(String.join(" AND ", Collections.nCopies(101, bowTie)))
                .startsWith(
                        "filter: An invalid geometry (Self-intersection near longitude 1.0, latitude 1.0) at character"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            0, -5, 10, 5           | POLYGON((0 -5, 0 5, 10 5, 10 -5, 0 -5))
            -180, -90, 180, 90     | POLYGON((-180 -90, -180 90, 180 90, 180 -90, -180 -90))
            1, 2, 1, 2             | POINT(1 2)
            1, 2, 3, 2             | LINESTRING(1 2, 3 2)
            170, -5, -170, 5       | MULTIPOLYGON(((170 -5, 170 5, 180 5, 180 -5, 170 -5)), \
            ((-180 -5, -180 5, -170 5, -170 -5, -180 -5)))
            170, 5, -170, 5        | MULTILINESTRING((170 5, 180 5), (-180 5, -170 5))
            180, 5, -180, 5        | MULTIPOINT(180 5, -180 5)
            0, -5, -1, 10, 5, 1    | POLYGON((0 -5, 0 5, 10 5, 10 -5, 0 -5))
            1, 2, 0, 1, 2, 0       | POINT(1 2)
            """)
    void aBoxIsTheGeometryOfItsPoints(String numbers, String wkt) {
        List<Double> box = Arrays.stream(numbers.split(", ")).map(Double::valueOf).toList();
        assertEquals(geometry(wkt), GeometryReader.box(box, "bbox"));
        assertEquals(geometry(wkt), wkt("BBOX(" + numbers + ")"));
        if (box.size() == 4) {
            assertEquals(geometry(wkt), GeometryBuilder.box(box.get(0), box.get(1), box.get(2), box.get(3)));
        }
    }

    @Test
    void aBoxWithoutAreaAcrossTheAntimeridianKeepsBothParts() {
        assertEquals(geometry("GEOMETRYCOLLECTION(LINESTRING(180 0, 180 5), "
                + "POLYGON((-180 0, -180 5, -170 5, -170 0, -180 0)))"), GeometryBuilder.box(180, 0, -170, 5));
    }

    @Test
    void aBoxAboveOrBelowTheItemsMatchesNothing() {
        assertNull(GeometryReader.box(List.of(0.0, 0.0, 0.1, 1.0, 1.0, 5.0), "bbox"));
        assertEquals(new Constant(false), text("S_INTERSECTS(geometry, BBOX(0, 0, -9, 1, 1, -0.1))"));
        assertEquals("bbox: A box whose minimum is above its maximum.",
                error(() -> GeometryReader.box(List.of(0.0, 0.0, 1.0, 1.0, 1.0, -1.0), "bbox")));
        assertEquals("bbox: Degrees outside the world: longitude 0.0, latitude -91.0.",
                error(() -> GeometryReader.box(List.of(0.0, -91.0, 1.0, 1.0), "bbox")));
    }

    @Test
    @Timeout(5)
    void theNumberOfVerticesIsLimited() {
        String positions = IntStream.range(0, 10_000).mapToObj(i -> "[1, 1]").collect(Collectors.joining(","));
        assertEquals("intersects: More than 1000 vertices at /coordinates/1000.",
                error(() -> read("{\"type\": \"MultiPoint\", \"coordinates\": [" + positions + "]}")));
        String error = wktError("MULTIPOINT(" + "1 1,".repeat(1_000) + "1 1)");
        assertEquals("filter: More than 1000 vertices at character 4035.", error);
        error = textError("S_INTERSECTS(geometry, MULTIPOINT(" + "1 1,".repeat(600)
                + "1 1)) and S_INTERSECTS(geometry, MULTIPOINT(" + "1 1,".repeat(600) + "1 1))");
        assertTrue(error.startsWith("filter: More than 1000 vertices at character "), error);
    }

    @Test
    void theNestingOfCollectionsIsLimited() {
        String start = "{\"type\": \"GeometryCollection\", \"geometries\": [";
        assertEquals("intersects: More than 50 levels of nesting at " + "/geometries/0".repeat(50) + "/geometries.",
                error(() -> read(start.repeat(100) + "{\"type\": \"Point\", \"coordinates\": [1, 2]}"
                        + "]}".repeat(100))));
        String error = wktError("GEOMETRYCOLLECTION(".repeat(51) + "POINT(1 2)" + ")".repeat(51));
        assertTrue(error.startsWith("filter: More than 50 levels of nesting at character "), error);
    }
}
