package io.datasetlisting.dataset.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.WKBReader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.support.DuckDb;

/** Tests GeoParquet of arbitrary datasets, also of those that the database does not take, with DuckDB. */
class GeoParquetFileTest {

    private static byte[] file(List<DatasetView> datasets, FieldSelection fields) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (EncodedFile<DatasetView> file = new DatasetParquet(Views.FIELDS).open(fields)) {
            bytes.write(file.write(datasets));
            for (byte[] last = file.end(); last.length > 0; last = file.end()) {
                bytes.write(last);
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void theGeometriesAreThoseOfGeoJson() throws Exception {
        List<DatasetView> datasets = Views.datasets().sampleStream().limit(400)
                .map(dataset -> Views.select(Views.FIELDS.names(), dataset)).toList();
        JsonNode features = new ObjectMapper().readTree(new GeoJson(Views.MAPPER).page(0, datasets, Map.of()))
                .get("features");
        List<String> types = new ArrayList<>();
        try (DuckDb duckDb = new DuckDb(file(datasets, Views.FIELDS.select(Views.FIELDS.names())))) {
            List<Object> geometries = duckDb.query("select hex(geometry) from " + DuckDb.FILE);
            List<Object> names = duckDb.query("select dataset_name from " + DuckDb.FILE);
            assertEquals(400, geometries.size());
            for (int i = 0; i < 400; i++) {
                assertEquals(datasets.get(i).get("dataset_name"), names.get(i));
                JsonNode expected = features.get(i).get("geometry");
                if (expected.isNull()) {
                    assertEquals(null, geometries.get(i));
                } else {
                    Geometry geometry = new WKBReader().read(HexFormat.of().parseHex((String) geometries.get(i)));
                    assertEquals(expected.get("type").textValue(), geometry.getGeometryType());
                    assertArrayEquals(numbers(expected.get("coordinates")), Arrays.stream(geometry.getCoordinates())
                            .flatMapToDouble(each -> DoubleStream.of(each.x, each.y)).toArray());
                    types.add(geometry.getGeometryType());
                }
            }
            assertTrue(types.containsAll(List.of("Point", "Polygon", "MultiPolygon")), types::toString);
            assertEquals("[\"MultiPolygon\",\"Point\",\"Polygon\"]",
                    duckDb.metadata("geo").at("/columns/geometry/geometry_types").toString());
        }
    }

    private static double[] numbers(JsonNode coordinates) {
        return coordinates.isNumber()
                ? new double[]{coordinates.doubleValue()}
                : StreamSupport.stream(coordinates.spliterator(), false)
                        .flatMapToDouble(inner -> Arrays.stream(numbers(inner))).toArray();
    }

    /** The database writes the labels last, and takes such texts of other writers only. */
    @Test
    void statisticsOfAnyShapeAreWrittenAsFarAsTheyFit() throws Exception {
        String stats = """
                {"dsm": {}, "ortho": {"b1": {"mean": 1.50, "max": 2500, "other": [{"mean": 1}], "min": "x"},
                 "band_descr": {"red": 1, "none": null}, "band_2": {"stddev": -1e-7, "mean": null}, "b3": 7},
                 "dtm": [{"b1": {}}], "multispec_ortho": {"band_descr": ["red"], "b1": {}}}""";
        try (DuckDb duckDb = new DuckDb(file(List.of(Views.view(d -> d.bandStats = stats)), Views.FIELDS.all()))) {
            assertEquals(new ObjectMapper().readTree("""
                    {"dsm": {"bands": {}, "band_descr": null},
                     "ortho": {"bands": {"b1": {"max": 2500.0, "min": null, "mean": 1.5, "stddev": null},
                         "band_2": {"max": null, "min": null, "mean": null, "stddev": -1e-7}, "b3": null},
                         "band_descr": {"red": 1, "none": null}},
                     "dtm": {"bands": {}, "band_descr": null},
                     "multispec_ortho": {"bands": {"b1": {"max": null, "min": null, "mean": null, "stddev": null}},
                         "band_descr": null}}"""),
                    duckDb.rows("band_stats").get(0).get("band_stats"));
        }
    }

    @Test
    void theCoveringBoxHasTheNextFloatsOutside() throws Exception {
        double[][] boxes = {{-0.1, -0.1, 0.1, 0.1}, {-90, -180, 90, 180}, {46.000001, 14.000001, 46.1, 14.1}};
        for (double[] box : boxes) {
            try (DuckDb duckDb = new DuckDb(file(List.of(Views.view(d -> d.bbox = box)), Views.FIELDS.all()))) {
                double[] edges = numbers(duckDb
                        .rows("list_value(geometry_bbox.ymin::double, geometry_bbox.xmin::double, "
                                + "geometry_bbox.ymax::double, geometry_bbox.xmax::double) as edges")
                        .get(0).get("edges"));
                for (int i = 0; i < edges.length; i++) {
                    float edge = (float) edges[i];
                    double inside = i < 2 ? Math.nextUp(edge) : Math.nextDown(edge);
                    assertTrue(i < 2 ? edge <= box[i] && inside > box[i] : edge >= box[i] && inside < box[i],
                            () -> Arrays.toString(box) + Arrays.toString(edges));
                }
            }
        }
    }

    @Test
    void aFileWithoutRowsHasItsColumns() throws Exception {
        try (DuckDb duckDb = new DuckDb(file(List.of(), Views.FIELDS.all()))) {
            assertEquals(List.of(0L), duckDb.query("select count(*) from " + DuckDb.FILE));
            JsonNode column = duckDb.metadata("geo").at("/columns/geometry");
            assertEquals("[]", column.get("geometry_types").toString());
            assertTrue(column.path("bbox").isMissingNode());
        }
    }
}
