package io.datasetlisting.dataset.format;

import static io.datasetlisting.dataset.Views.MAPPER;
import static io.datasetlisting.dataset.Views.at;
import static io.datasetlisting.dataset.Views.json;
import static io.datasetlisting.dataset.Views.located;
import static io.datasetlisting.dataset.Views.select;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.dataset.AnyDatasets;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Catalogue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Tests the feature collections that {@link GeoJson} writes. */
class GeoJsonTest implements AnyDatasets {

    private static final GeoJson GEO_JSON = new GeoJson(MAPPER);

    private static final String HEAD = "{\"type\":\"FeatureCollection\",\"numberMatched\":";

    @Test
    void aPageIsWrittenAsAFeatureCollection() {
        Dataset dataset = Catalogue.dataset(1, d -> {
            d.datasetName = "\"Żółw\" \\ 🛰\n岩";
            d.bandStats = "{\"dsm\": {\"a, \\\"b\\\": c\": 2.50}}";
            d.bbox = new double[]{-0.1, 2, 1e-5, 179.999999};
        });

        assertEquals(HEAD + "40,\"numberReturned\":1,\"links\":["
                + "{\"href\":\"https://x.org/?p=2\",\"rel\":\"next\",\"type\":\"application/geo+json\"},"
                + "{\"href\":\"https://x.org/?a=\\\"ü&p=1\",\"rel\":\"self\",\"type\":\"application/geo+json\"}],\"features\":["
                + "{\"type\":\"Feature\",\"id\":1,\"bbox\":[2.0,-0.1,179.999999,1.0E-5],"
                + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[2.0,-0.1],[179.999999,-0.1],"
                + "[179.999999,1.0E-5],[2.0,1.0E-5],[2.0,-0.1]]]},"
                + "\"properties\":{\"id\":1,\"dataset_name\":\"\\\"Żółw\\\" \\\\ 🛰\\n岩\","
                + "\"band_stats\":{\"dsm\":{\"a, \\\"b\\\": c\":2.50}},\"bbox\":[-0.1,2.0,1.0E-5,179.999999],"
                + "\"coordinates\":[1.0,2.0]}}]}",
                page(40, List.of(dataset), Set.of("coordinates", "bbox", "band_stats", "dataset_name", "id"),
                        new TreeMap<>(Map.of("next", "https://x.org/?p=2", "self", "https://x.org/?a=\"ü&p=1"))));
    }

    @Test
    void anEmptyPageIsAFeatureCollectionWithoutFeatures() {
        assertEquals(HEAD + "0,\"numberReturned\":0,\"links\":[],\"features\":[]}",
                page(0, List.of(), Set.of(), Map.of()));
    }

    @Test
    void aFeatureHasItsGeometryWhenTheLocationFieldsAreNotSelected() throws IOException {
        JsonNode feature = feature(at(new double[]{1, 2, 3, 4}), Set.of("user"));

        assertEquals("Polygon", feature.at("/geometry/type").asText());
        assertEquals("{\"user\":\"Ada van Dyk 7\"}", feature.get("properties").toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # latitude first                    longitude first
            [1.5, 2.5, 3.5, 4.5]    | [0, 0] | Polygon: [[[2.5,1.5],[4.5,1.5],[4.5,3.5],[2.5,3.5],[2.5,1.5]]]
            [-90, -180, 90, 180]    | []     | Polygon: [[[-180.0,-90.0],[180.0,-90.0],[180.0,90.0],[-180.0,90.0],[-180.0,-90.0]]]
            [-20, 177, -16, -178]   | [0, 0] | MultiPolygon: [[[[177.0,-20.0],[180.0,-20.0],[180.0,-16.0],[177.0,-16.0],\
            [177.0,-20.0]]],[[[-180.0,-20.0],[-178.0,-20.0],[-178.0,-16.0],[-180.0,-16.0],[-180.0,-20.0]]]]
            # up to the antimeridian, and no further
            [0, 180, 1, -170]       | []     | Polygon: [[[-180.0,0.0],[-170.0,0.0],[-170.0,1.0],[-180.0,1.0],[-180.0,0.0]]]
            [0, 170, 1, -180]       | []     | Polygon: [[[170.0,0.0],[180.0,0.0],[180.0,1.0],[170.0,1.0],[170.0,0.0]]]
            # without an area
            []                      | [7, 8] | Point: [8.0,7.0]
            [1, 2, 1, 4]            | [7, 8] | Point: [8.0,7.0]
            [1, 2, 3, 2]            | [7, 8] | Point: [8.0,7.0]
            [1, 2, 3, 2]            | []     | Point: [2.0,1.0]
            [0, 180, 1, -180]       | []     | Point: [180.0,0.0]
            [1, 170, 1, -170]       | []     | Point: [170.0,1.0]
            """)
    void theGeometryIsThePolygonOfTheBboxOrThePointOfTheCoordinates(String bbox, String coordinates, String expected)
            throws IOException {
        JsonNode geometry = feature(at(numbers(bbox), numbers(coordinates)), Set.of()).get("geometry");

        assertEquals(expected, geometry.get("type").asText() + ": " + geometry.get("coordinates"));
        assertEquals(2, geometry.size());
    }

    @Test
    void aDraftHasANullGeometryAndNoBbox() {
        assertEquals(HEAD + "1,\"numberReturned\":1,\"links\":[],\"features\":[{\"type\":\"Feature\",\"id\":1,"
                + "\"geometry\":null,\"properties\":{}}]}",
                page(1, List.of(at(new double[0])), Set.of(), Map.of()));
    }

    @Property
    void everyRingIsClosedCounterclockwiseAndWithinTheRangeOfDegrees(@ForAll("bboxes") double[] bbox)
            throws IOException {
        for (JsonNode polygon : polygons(feature(at(bbox), Set.of()))) {
            JsonNode ring = polygon.get(0);
            assertEquals(1, polygon.size());
            assertEquals(5, ring.size());
            assertEquals(ring.get(0), ring.get(4));
            assertTrue(twiceTheArea(ring) > 0, "clockwise: " + ring);
            for (JsonNode position : ring) {
                assertEquals(2, position.size());
                assertTrue(Math.abs(position.get(0).asDouble()) <= 180, "longitude of " + ring);
                assertTrue(Math.abs(position.get(1).asDouble()) <= 90, "latitude of " + ring);
            }
        }
    }

    @Property
    void theAreaOfThePolygonsEqualsTheAreaOfTheBbox(@ForAll("bboxes") double[] bbox) throws IOException {
        double area = 0;
        for (JsonNode polygon : polygons(feature(at(bbox), Set.of()))) {
            area += twiceTheArea(polygon.get(0)) / 2;
        }
        double expected = 0;
        if (bbox.length > 0) {
            double width = bbox[3] - bbox[1];
            expected = (width < 0 ? width + 360 : width) * (bbox[2] - bbox[0]);
        }
        assertEquals(expected, area, 1e-6);
    }

    @Property
    void aFeatureHasTheBboxAndThePropertiesOfTheListing(@ForAll("datasets") Dataset dataset,
            @ForAll("fields") Set<String> fields) throws IOException {
        JsonNode feature = feature(dataset, fields);
        double[] bbox = dataset.bbox;

        assertEquals(MAPPER.readTree(json(select(fields, dataset))), feature.get("properties"));
        assertEquals(dataset.id, feature.get("id").longValue());
        assertEquals(bbox.length > 0, feature.has("bbox"));
        if (bbox.length > 0) {
            assertEquals(MAPPER.valueToTree(new double[]{bbox[1], bbox[0], bbox[3], bbox[2]}), feature.get("bbox"));
        }
        assertEquals(bbox.length == 0 && dataset.coordinates.length == 0, feature.get("geometry").isNull());
        assertFalse(feature.has("coordinates"));
    }

    private static Iterable<JsonNode> polygons(JsonNode feature) {
        JsonNode coordinates = feature.at("/geometry/coordinates");
        return switch (feature.at("/geometry/type").asText()) {
            case "MultiPolygon" -> coordinates;
            case "Polygon" -> List.of(coordinates);
            default -> List.of();
        };
    }

    /** Positive when the ring runs counter-clockwise. */
    private static double twiceTheArea(JsonNode ring) {
        double x = ring.get(0).get(0).asDouble();
        double y = ring.get(0).get(1).asDouble();
        double sum = 0;
        for (int i = 1; i < ring.size(); i++) {
            JsonNode a = ring.get(i - 1);
            JsonNode b = ring.get(i);
            sum += (a.get(0).asDouble() - x) * (b.get(1).asDouble() - y)
                    - (b.get(0).asDouble() - x) * (a.get(1).asDouble() - y);
        }
        return sum;
    }

    private static double[] numbers(String json) throws IOException {
        return MAPPER.readValue(json, double[].class);
    }

    private static JsonNode feature(Dataset dataset, Set<String> fields) throws IOException {
        return MAPPER.readTree(page(1, List.of(dataset), fields, Map.of())).at("/features/0");
    }

    private static String page(long matched, List<Dataset> datasets, Set<String> fields,
            Map<String, String> links) {
        return new String(GEO_JSON.page(matched,
                datasets.stream().map(dataset -> located(fields, dataset)).toList(), links), UTF_8);
    }
}
