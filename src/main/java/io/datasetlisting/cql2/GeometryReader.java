package io.datasetlisting.cql2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.input.StrictJson;

/** Reads geometries of <a href="https://www.rfc-editor.org/rfc/rfc7946">GeoJSON</a>, and boxes. Elevations are ignored. */
public final class GeometryReader {

    /** The names of the only coordinate reference system. RFC 7946 has no other; its predecessor named it in {@code crs}. */
    private static final Set<String> CRS84 = Set.of("urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84",
            "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "https://www.opengis.net/def/crs/OGC/1.3/CRS84",
            "OGC:CRS84");

    private static final int MAX_NUMBERS = 6;

    private final Usage usage;
    private final GeometryBuilder builder;

    public GeometryReader(Limits limits) {
        this(new Usage(limits));
    }

    GeometryReader(Usage usage) {
        this.usage = usage;
        builder = new GeometryBuilder(usage);
    }

    /**
     * Reads a GeoJSON geometry of any type. The limits hold for all geometries of this reader together.
     *
     * @param parameter
     *            its name in error messages
     *
     * @throws ApiException
     *             400 with the place
     */
    public Geometry read(JsonNode json, String parameter) {
        return read(json, new Place.Root(parameter));
    }

    /**
     * The geometry of a box of four numbers, or of six with elevations.
     *
     * @param parameter
     *            its name in error messages
     *
     * @return null if elevation 0 is outside the box: all items are at elevation 0
     *
     * @throws ApiException
     *             400 for degrees outside the world, or for a minimum above its maximum
     */
    public static Geometry box(List<Double> numbers, String parameter) {
        return GeometryBuilder.box(numbers, new Place.Root(parameter));
    }

    /**
     * The geometry of a box: a polygon, or a line or a point without area. If west is above east, the box crosses the antimeridian and is
     * divided there.
     */
    public static Geometry box(double west, double south, double east, double north) {
        return GeometryBuilder.box(west, south, east, north);
    }

    Geometry read(JsonNode json, Place place) {
        return builder.checkValid(geometry(json, place), place);
    }

    private Geometry geometry(JsonNode json, Place place) {
        JsonNode type = json.path("type");
        if (!type.isTextual()) {
            throw place.refuse("Expected a GeoJSON geometry");
        }
        checkCrs(json, place);
        Place at = place.member("coordinates");
        JsonNode coordinates = json.path("coordinates");
        return switch (type.textValue()) {
            case "Point" -> point(coordinates, at);
            case "LineString" -> line(coordinates, at);
            case "Polygon" -> polygon(coordinates, at);
            case "MultiPoint" -> builder.points(list(coordinates, at, this::point));
            case "MultiLineString" -> builder.lines(list(coordinates, at, this::line));
            case "MultiPolygon" -> builder.polygons(list(coordinates, at, this::polygon));
            case "GeometryCollection" -> collection(json.path("geometries"), place.member("geometries"));
            default -> throw place.refuse("Unknown type of geometry " + Place.quote(type.textValue()));
        };
    }

    private static void checkCrs(JsonNode json, Place place) {
        JsonNode crs = json.path("crs");
        if (!crs.isMissingNode() && !CRS84.contains(crs.path("properties").path("name").asText(crs.asText()))) {
            throw place.member("crs").refuse("A coordinate reference system other than CRS84");
        }
    }

    private Geometry collection(JsonNode geometries, Place place) {
        usage.enter(place);
        Geometry collection = builder.collection(list(geometries, place, this::geometry));
        usage.leave();
        return collection;
    }

    private Point point(JsonNode json, Place place) {
        return builder.point(vertex(json, place));
    }

    private LineString line(JsonNode json, Place place) {
        return builder.line(list(json, place, this::vertex), place);
    }

    private LinearRing ring(JsonNode json, Place place) {
        return builder.ring(list(json, place, this::vertex), place);
    }

    private Polygon polygon(JsonNode json, Place place) {
        return builder.polygon(list(json, place, this::ring));
    }

    private Coordinate vertex(JsonNode json, Place place) {
        List<Double> numbers = numbers(json, place);
        if (numbers.size() < 2) {
            throw place.refuse("A position with fewer than 2 numbers");
        }
        return builder.vertex(numbers.get(0), numbers.get(1), place);
    }

    /** The numbers of a position or a box. Positions have at most four in practice, boxes six. */
    List<Double> numbers(JsonNode json, Place place) {
        if (json.size() > MAX_NUMBERS) {
            throw place.refuse("More than " + MAX_NUMBERS + " numbers");
        }
        return list(json, place, (number, at) -> {
            if (!number.isNumber() || StrictJson.number(number) == null) {
                throw at.refuse("Expected a number in the range of a double");
            }
            return number.doubleValue();
        });
    }

    private static <T> List<T> list(JsonNode json, Place place, BiFunction<JsonNode, Place, T> element) {
        if (!json.isArray() || json.isEmpty()) {
            throw place.refuse("Expected an array with elements");
        }
        List<T> list = new ArrayList<>();
        for (int i = 0; i < json.size(); i++) {
            list.add(element.apply(json.get(i), place.member(i)));
        }
        return list;
    }
}
