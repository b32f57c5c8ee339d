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
