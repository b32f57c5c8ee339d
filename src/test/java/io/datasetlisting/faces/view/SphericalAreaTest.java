package io.datasetlisting.faces.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

import io.datasetlisting.dataset.format.BoundingBox;

/** Tests the area of drawn shapes: that of a box is known. */
class SphericalAreaTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            POLYGON((10 50,12 50,12 51,10 51,10 50)) | 10,50,12,51 | none
            POLYGON((10 51,12 51,12 50,11 50,10 50,10 51)) | 10,50,12,51 | none
            POLYGON((10 -51,12 -51,12 -50,10 -50,10 -51),(11 -51,11 -50,12 -50,12 -51,11 -51)) | 10,-51,12,-50 | 11,-51,12,-50
            MULTIPOLYGON(((179 0,180 0,180 1,179 1,179 0)),((-180 0,-179 0,-179 1,-180 1,-180 0))) | 179,0,-179,1 | none
            GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(POLYGON((0 0,1 0,1 1,0 1,0 0)))) | 0,0,1,1 | none
            LINESTRING(0 0,1 1) | 0,0,0,0 | none
            """)
    void aPolygonHasTheAreaOfItsBoxes(String text, String box, String hole) throws ParseException {
        double expected = area(box) - (hole == null ? 0 : area(hole));
        assertEquals(expected, SphericalArea.squareKilometres(new WKTReader().read(text)), 1e-6);
    }

    private static double area(String box) {
        String[] edges = box.split(",");
        return new BoundingBox(Double.parseDouble(edges[0]), Double.parseDouble(edges[1]), Double.parseDouble(edges[2]),
                Double.parseDouble(edges[3])).squareKilometres();
    }
}
