package io.datasetlisting.format;

import static io.datasetlisting.dataset.Views.MAPPER;
import static io.datasetlisting.dataset.Views.SELECTION;
import static io.datasetlisting.dataset.Views.view;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.AnyDatasets;
import io.datasetlisting.dataset.DatasetColumns;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.paging.PageEnvelope;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FieldSelectionTest implements AnyDatasets {

    private static final DatasetView VIEW = view(d -> d.bandStats = "{\"dsm\": {\"max\": 2.50}}");

    @Test
    void theNamesAreThoseOfTheContractInItsOrder() {
        assertEquals(List.of("id", "uav_uid", "user", "workspace", "dataset_name", "category", "thumbnail_image",
                "captured_date", "is_private", "is_shareable", "available_rasters", "is_deleted", "gcps_file",
                "band_stats", "bbox", "coordinates", "cant_orthomosaic", "is_dem_processing", "cumulative_adjustment",
                "latest_adjustment_status", "latest_adjustment_id"), List.copyOf(DatasetColumns.FIELDS));
    }

    @Test
    void aFewFieldsStandInTheOrderOfTheContract() throws IOException {
        assertEquals("{\"id\":1,\"band_stats\":{\"dsm\":{\"max\":2.50}},\"coordinates\":[1.0,2.0]}",
                SELECTION.writer(new LinkedHashSet<>(List.of("coordinates", "band_stats", "id")))
                        .writeValueAsString(VIEW));
    }

    @Test
    void noFieldsAreAnEmptyObject() throws IOException {
        assertEquals("{}", SELECTION.writer(Set.of()).writeValueAsString(VIEW));
    }

    @Test
    void thePageAroundTheDatasetsKeepsAllOfItsOwnFields() throws IOException {
        assertEquals("{\"count\":9,\"next\":\"n\",\"previous\":null,\"results\":[{\"id\":1},{\"id\":1}]}",
                SELECTION.writer(Set.of("id")).forType(new TypeReference<PageEnvelope<DatasetView>>() {
                }).writeValueAsString(new PageEnvelope<>(9, "n", null, List.of(VIEW, VIEW))));
    }

    @Test
    void allFieldsAreWrittenWithoutAFilter() {
        List<String> backwards = new ArrayList<>(DatasetColumns.FIELDS);
        Collections.reverse(backwards);

        assertEquals(null, SELECTION.writer(new LinkedHashSet<>(backwards)).getConfig().getFilterProvider());
    }

    @Property
    void whatIsAskedForIsWrittenAsInTheWhole(@ForAll("views") DatasetView view, @ForAll("fields") Set<String> fields)
            throws IOException {
        ObjectNode whole = (ObjectNode) MAPPER.readTree(MAPPER.writeValueAsBytes(view));

        assertEquals(whole.retain(fields).toString(),
                MAPPER.readTree(SELECTION.writer(fields).writeValueAsBytes(view)).toString());
    }
}
