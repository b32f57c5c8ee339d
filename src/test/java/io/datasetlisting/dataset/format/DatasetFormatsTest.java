package io.datasetlisting.dataset.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the formats with the JSON mapper of the service. */
@QuarkusTest
class DatasetFormatsTest {

    private static final Dataset DATASET = Catalogue.dataset(1, d -> {
        d.datasetName = "Żółw 🛰 岩";
        d.category = new String[]{"🛰"};
        // Double.toString of a JDK before 19 writes 0.0020.
        d.cumulativeAdjustment = 2e-3;
        d.bbox = new double[]{-0.1, 2e-3, 1e-5, 179.999999};
    });
    private static final DatasetView VIEW = Views.select(Views.FIELDS.names(), DATASET);

    @Inject
    ObjectMapper mapper;

    @Inject
    GeoJson geoJson;

    @Inject
    Csv csv;

    @Test
    void theMapperOfTheTestsWritesLikeTheMapperOfTheService() throws IOException {
        assertEquals(mapper.writeValueAsString(VIEW), Views.MAPPER.writeValueAsString(VIEW));
        assertEquals(new String(mapper.writeValueAsBytes(VIEW), UTF_8),
                new String(Views.MAPPER.writeValueAsBytes(VIEW), UTF_8));
    }

    @Test
    void allFormatsWriteUnescapedUtf8() throws IOException {
        Set<String> fields = Set.of("dataset_name");
        DatasetView select = Views.select(fields, DATASET);

        assertEquals("{\"dataset_name\":\"Żółw 🛰 岩\"}",
                new String(mapper.writeValueAsBytes(select), UTF_8));
        assertEquals("Żółw 🛰 岩\r\n", new String(csv.lines(List.of(select)), UTF_8));
        assertTrue(new String(geoJson.page(1, List.of(Views.located(fields, DATASET)), Map.of()), UTF_8)
                .endsWith("\"properties\":{\"dataset_name\":\"Żółw 🛰 岩\"}}]}"));
    }
}
