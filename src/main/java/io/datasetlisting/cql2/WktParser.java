package io.datasetlisting.cql2;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;

/** Parses the geometries and boxes in CQL2 text. Elevations are ignored. The reader of JTS gives no positions, and has no limits. */
final class WktParser {

    private static final Set<String> TYPES = Set.of("POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING",
            "MULTIPOLYGON", "GEOMETRYCOLLECTION");

    private final Cql2Lexer lexer;
    private final Usage usage;
    private final GeometryBuilder builder;

    WktParser(Cql2Lexer lexer, Usage usage) {
        this.lexer = lexer;
        this.usage = usage;
        builder = new GeometryBuilder(usage);
    }

    /** Whether a name, in capital letters, is the type of a geometry. */
    static boolean isType(String name) {
        return TYPES.contains(dimensionless(name));
    }

    /** {@code POINTZ} is {@code POINT Z} without a space. */
    private static String dimensionless(String type) {
        return type.endsWith("Z") ? type.substring(0, type.length() - 1) : type;
    }

    /** The lexer is behind the type. */
    Geometry parse(String type, Place place) {
        return builder.checkValid(geometry(type, place), place);
    }

    private Geometry geometry(String type, Place place) {
        lexer.skipKeyword("Z");
        return switch (dimensionless(type)) {
            case "POINT" -> point();
            case "LINESTRING" -> line();
            case "POLYGON" -> polygon();
            case "MULTIPOINT" -> builder.points(list(this::pointOfMany));
            case "MULTILINESTRING" -> builder.lines(list(this::line));
            case "MULTIPOLYGON" -> builder.polygons(list(this::polygon));
            case "GEOMETRYCOLLECTION" -> collection(place);
            default -> throw place.refuse("Expected a geometry");
        };
    }

    private Geometry collection(Place place) {
        usage.enter(place);
        Geometry collection = builder.collection(list(() -> {
            Place start = lexer.place();
            String type = lexer.kind() == Cql2Lexer.Kind.NAME ? lexer.value().toUpperCase(Locale.ROOT) : "";
            lexer.next();
            return geometry(type, start);
        }));
        usage.leave();
        return collection;
    }

    private Point point() {
        open();
        Point point = builder.point(vertex());
        lexer.expectSymbol(")");
        return point;
    }

    /** The brackets around a point of a {@code MULTIPOINT} may be left out. */
    private Point pointOfMany() {
        return lexer.isSymbol("(") ? point() : builder.point(vertex());
    }

    private LineString line() {
        Place place = lexer.place();
        return builder.line(list(this::vertex), place);
    }

    private LinearRing ring() {
        Place place = lexer.place();
        return builder.ring(list(this::vertex), place);
    }

    private Polygon polygon() {
        return builder.polygon(list(this::ring));
    }

    private Coordinate vertex() {
        Place place = lexer.place();
        double longitude = signedNumber();
        double latitude = signedNumber();
        if (!lexer.isSymbol(",") && !lexer.isSymbol(")")) {
            signedNumber();
        }
        return builder.vertex(longitude, latitude, place);
    }

    private double signedNumber() {
        boolean negative = lexer.skipSymbol("-");
        if (!negative) {
            lexer.skipSymbol("+");
        }
        double number = lexer.takeNumber().doubleValue();
        return negative ? -number : number;
    }

    private <T> List<T> list(Supplier<T> element) {
        open();
        List<T> list = new ArrayList<>();
        do {
            list.add(element.get());
        } while (lexer.skipSymbol(","));
        lexer.expectSymbol(")");
        return list;
    }

    private void open() {
        if (lexer.isKeyword("EMPTY")) {
            throw lexer.place().refuse("A geometry without points");
        }
        lexer.expectSymbol("(");
    }

    /** The lexer is behind {@code BBOX}. Null if no item is at the elevation of the box. */
    Geometry box(Place place) {
        // A long list is refused after its end. The length of a filter bounds it.
        return GeometryBuilder.box(list(this::signedNumber), place);
    }
}
