package io.datasetlisting.dataset;

import static io.datasetlisting.dataset.Views.FIELDS;
import static io.datasetlisting.dataset.Views.MAPPER;
import static io.datasetlisting.dataset.Views.json;
import static io.datasetlisting.dataset.Views.located;
import static io.datasetlisting.dataset.Views.select;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.support.Catalogue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Tests which fields a {@link FieldSelection} reads and writes. */
class FieldSelectionTest implements AnyDatasets {

    private static final Dataset DATASET = Catalogue.dataset(1, d -> d.bandStats = "{\"dsm\": {\"max\": 2.50}}");

    @Test
    void theNamesAreInTheOrderOfTheContract() {
        assertEquals(List.of("id", "uav_uid", "user", "workspace", "dataset_name", "category", "thumbnail_image",
                "captured_date", "is_private", "is_shareable", "available_rasters", "is_deleted", "gcps_file",
                "band_stats", "bbox", "coordinates", "cant_orthomosaic", "is_dem_processing", "cumulative_adjustment",
                "latest_adjustment_status", "latest_adjustment_id"), List.copyOf(FIELDS.names()));
        assertEquals(List.copyOf(FIELDS.names()), FIELDS.listed().names());
        assertEquals(Stream.concat(FIELDS.names().stream(), Stream.of("description", "tags", "data_credits",
                "data_captured_by", "institution_name", "location_name", "license", "citation", "doi", "rasters",
                "raster_headers")).toList(),
                FIELDS.all().names());
    }

    @Test
    void selectedFieldsAreInTheOrderOfTheContract() {
        assertEquals("{\"id\":1,\"band_stats\":{\"dsm\":{\"max\":2.50}},\"coordinates\":[1.0,2.0]}",
                json(select(List.of("coordinates", "band_stats", "id"), DATASET)));
        assertEquals(", d.id, d.band_stats::text, d.coordinates",
                FIELDS.select(List.of("coordinates", "band_stats", "id")).selectList());
    }

    @Test
    void noFieldsWriteAnEmptyObject() {
        assertEquals("{}", json(select(Set.of(), DATASET)));
        assertEquals("", FIELDS.none().selectList());
    }

    @Test
    void fieldsThatAreOnlyReadAreNotWritten() {
        DatasetView view = located(List.of("user"), DATASET);

        assertEquals("{\"user\":\"Ada van Dyk 7\"}", json(view));
        assertEquals(1, view.id());
    }

    @Test
    void aSelectionDoesNotRemoveFieldsOfTheEnvelope() throws IOException {
        DatasetView view = select(Set.of("id"), DATASET);

        assertEquals("{\"count\":9,\"next\":\"n\",\"previous\":null,\"results\":[{\"id\":1},{\"id\":1}]}",
                MAPPER.writeValueAsString(new PageEnvelope<>(9, "n", null, List.of(view, view))));
    }

    @Test
    void aSelectionOfAllFieldsInAnyOrderIsWhole() {
        List<String> backwards = new ArrayList<>(FIELDS.names());
        Collections.reverse(backwards);

        assertTrue(FIELDS.select(backwards).isWhole());
        assertFalse(FIELDS.select(backwards.subList(1, backwards.size())).isWhole());
    }

    @Property
    void aSelectedFieldIsWrittenAsInTheWholeDataset(@ForAll("datasets") Dataset dataset,
            @ForAll("fields") Set<String> fields) throws IOException {
        ObjectNode whole = (ObjectNode) MAPPER.readTree(json(select(FIELDS.names(), dataset)));

        assertEquals(whole.retain(fields).toString(), MAPPER.readTree(json(select(fields, dataset))).toString());
    }

    /** Also for texts that look like the name and the value of the link's field. */
    @Property
    void unsignedJsonWithALinkEqualsTheWholeJson(@ForAll("datasets") Dataset dataset) {
        dataset.thumbnailKey = "key of the thumbnail";
        dataset.datasetName += "\"thumbnail_image\":\"x\"";
        String link = "https://x.org/a?b=c";
        UnsignedJson json = FIELDS.all().read(dataset, key -> key).unsigned(MAPPER.getFactory(), false);

        assertEquals("key of the thumbnail", json.thumbnailKey());
        assertEquals(json(FIELDS.all().read(dataset, key -> link)),
                new String(json.with(link), java.nio.charset.StandardCharsets.UTF_8));
    }
}
