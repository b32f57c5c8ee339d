package io.datasetlisting.dataset.cql2;

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

/**
 * Parses the geometries and boxes in CQL2 text. Elevations count in boxes. JTS' reader gives no positions, and has no limits.
 */
final class WktParser {

    private static final Set<String> TYPES = Set.of("POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING",
            "MULTIPOLYGON", "GEOMETRYCOLLECTION");

    private final Cql2Lexer lexer;
    private final Reading reading;
    private final GeometryBuilder builder;

    WktParser(Cql2Lexer lexer, Reading reading) {
        this.lexer = lexer;
        this.reading = reading;
        builder = new GeometryBuilder(reading);
    }

    /** Whether a name, in capital letters, is the type of a geometry. */
    static boolean isType(String name) {
        return TYPES.contains(dimensionless(name));
    }

    /** {@code POINTZ} is {@code POINT Z} without a space. */
    private static String dimensionless(String type) {
        return type.endsWith("Z") ? type.substring(0, type.length() - 1) : type;
    }

    /** The geometry in a text of its own. */
    static Geometry parse(String text, Reading reading) {
        Cql2Lexer lexer = new Cql2Lexer(reading.here().parameter(), text);
        lexer.next();
        Geometry geometry = new WktParser(lexer, reading).part();
        if (lexer.kind() != Cql2Lexer.Kind.END) {
            throw lexer.place().refuse("Expected the end of the geometry");
        }
        return new GeometryBuilder(reading).checkValid(geometry);
    }

    /** The lexer is behind the type. */
    Geometry parse(String type) {
        return builder.checkValid(geometry(type));
    }

    private Geometry geometry(String type) {
        lexer.skipKeyword("Z");
        return switch (dimensionless(type)) {
            case "POINT" -> point();
            case "LINESTRING" -> line();
            case "POLYGON" -> polygon();
            case "MULTIPOINT" -> builder.points(list(this::pointOfMany));
            case "MULTILINESTRING" -> builder.lines(list(this::line));
            case "MULTIPOLYGON" -> builder.polygons(list(this::polygon));
            case "GEOMETRYCOLLECTION" -> reading.nested(() -> builder.collection(list(this::part)));
            default -> throw reading.refuse("Expected a geometry");
        };
    }

    private Geometry part() {
        return reading.at(lexer.place(), () -> {
            String type = lexer.kind() == Cql2Lexer.Kind.NAME ? lexer.value().toUpperCase(Locale.ROOT) : "";
            lexer.next();
            return geometry(type);
        });
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
        return reading.at(lexer.place(), () -> builder.line(list(this::vertex)));
    }

    private LinearRing ring() {
        return reading.at(lexer.place(), () -> builder.ring(list(this::vertex)));
    }

    private Polygon polygon() {
        return builder.polygon(list(this::ring));
    }

    private Coordinate vertex() {
        return reading.at(lexer.place(), this::readVertex);
    }

    private Coordinate readVertex() {
        double longitude = signedNumber();
        double latitude = signedNumber();
        if (!lexer.isSymbol(",") && !lexer.isSymbol(")")) {
            signedNumber();
        }
        return builder.vertex(longitude, latitude);
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
    Geometry box() {
        // A long list is refused after its end. The length of a filter bounds it.
        return GeometryBuilder.box(list(this::signedNumber), reading.here());
    }
}
