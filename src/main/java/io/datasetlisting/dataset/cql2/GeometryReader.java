package io.datasetlisting.dataset.cql2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.StrictJson;

/** Reads geometries of <a href="https://www.rfc-editor.org/rfc/rfc7946">GeoJSON</a>, and boxes. Elevations count in boxes. */
public final class GeometryReader {

    /** The names of the only coordinate reference system. RFC 7946 has no other; its predecessor named it in {@code crs}. */
    private static final Set<String> CRS84 = Set.of("urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84",
            "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "https://www.opengis.net/def/crs/OGC/1.3/CRS84",
            "OGC:CRS84");

    private static final int MAX_NUMBERS = 6;

    private final Reading reading;
    private final GeometryBuilder builder;

    /**
     * @param parameter
     *            its name in error messages
     */
    public GeometryReader(Limits limits, String parameter) {
        this(new Reading(limits, parameter));
    }

    GeometryReader(Reading reading) {
        this.reading = reading;
        builder = new GeometryBuilder(reading);
    }

    /**
     * Reads a GeoJSON geometry of any type. The limits hold for all geometries of this reader together.
     *
     * @throws ApiException
     *             400 with the place
     */
    public Geometry read(JsonNode json) {
        return builder.checkValid(readUnchecked(json));
    }

    /** Reads a geometry in a text of its own: GeoJSON, or well-known text such as {@code POINT(7.4 46.9)}. */
    public Geometry read(String text) {
        return text.startsWith("{") ? read(StrictJson.parseDeep(text)) : WktParser.parse(text, reading);
    }

    /** Whether this is a name of CRS84, without or with the height above the ellipsoid. */
    public static boolean isCrs84(String name) {
        return CRS84.contains(name) || name.equals("http://www.opengis.net/def/crs/OGC/0/CRS84h");
    }

    /** Whether a member {@code crs} names CRS84, or nothing. */
    public static boolean isCrs84(JsonNode crs) {
        return crs.isMissingNode() || crs.isNull()
                || isCrs84(crs.path("properties").path("name").asText(crs.asText()));
    }

    /** Reads a box. Null if no item is at its elevation. */
    Geometry box(JsonNode numbers) {
        return GeometryBuilder.box(numbers(numbers), reading.here());
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
        return GeometryBuilder.box(numbers, new Place(parameter));
    }

    /**
     * Reads a GeoJSON geometry of any type, which need not be valid: its rings may cross.
     *
     * @throws ApiException
     *             400 with the place
     */
    public Geometry readUnchecked(JsonNode json) {
        JsonNode type = json.path("type");
        if (!type.isTextual()) {
            throw reading.refuse("Expected a GeoJSON geometry");
        }
        checkCrs(json);
        return switch (type.textValue()) {
            case "Point" -> coordinates(json, this::point);
            case "LineString" -> coordinates(json, this::line);
            case "Polygon" -> coordinates(json, this::polygon);
            case "MultiPoint" -> builder.points(coordinates(json, all -> list(all, this::point)));
            case "MultiLineString" -> builder.lines(coordinates(json, all -> list(all, this::line)));
            case "MultiPolygon" -> builder.polygons(coordinates(json, all -> list(all, this::polygon)));
            case "GeometryCollection" -> reading.member("geometries", () -> collection(json.path("geometries")));
            default -> throw reading.refuse("Unknown type of geometry " + Place.quote(type.textValue()));
        };
    }

    private <T> T coordinates(JsonNode json, Function<JsonNode, T> type) {
        return reading.member("coordinates", () -> type.apply(json.path("coordinates")));
    }

    private void checkCrs(JsonNode json) {
        JsonNode crs = json.path("crs");
        if (!crs.isMissingNode() && !CRS84.contains(crs.path("properties").path("name").asText(crs.asText()))) {
            throw reading.here().member("crs").refuse("A coordinate reference system other than CRS84");
        }
    }

    private Geometry collection(JsonNode geometries) {
        return reading.nested(() -> builder.collection(list(geometries, this::readUnchecked)));
    }

    private Point point(JsonNode json) {
        return builder.point(vertex(json));
    }

    private LineString line(JsonNode json) {
        return builder.line(list(json, this::vertex));
    }

    private LinearRing ring(JsonNode json) {
        return builder.ring(list(json, this::vertex));
    }

    private Polygon polygon(JsonNode json) {
        return builder.polygon(list(json, this::ring));
    }

    private Coordinate vertex(JsonNode json) {
        List<Double> numbers = numbers(json);
        if (numbers.size() < 2) {
            throw reading.refuse("A position with fewer than 2 numbers");
        }
        return builder.vertex(numbers.get(0), numbers.get(1));
    }

    /** The numbers of a position or a box. Positions have at most four in practice, boxes six. */
    private List<Double> numbers(JsonNode json) {
        if (json.size() > MAX_NUMBERS) {
            throw reading.refuse("More than " + MAX_NUMBERS + " numbers");
        }
        return list(json, number -> {
            if (!number.isNumber() || StrictJson.number(number) == null) {
                throw reading.refuse("Expected a number in the range of a double");
            }
            return number.doubleValue();
        });
    }

    private <T> List<T> list(JsonNode json, Function<JsonNode, T> element) {
        if (!json.isArray() || json.isEmpty()) {
            throw reading.refuse("Expected an array with elements");
        }
        List<T> list = new ArrayList<>();
        for (JsonNode each : json) {
            list.add(reading.member(list.size(), () -> element.apply(each)));
        }
        return list;
    }
}
