package io.datasetlisting.write.mirror;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.write.edit.DatasetInput;
import io.datasetlisting.write.mirror.MirrorState.Catalogue;

/**
 * A page of the changes of the origin.
 *
 * @param gone
 *            ids of datasets
 * @param next
 *            the position behind the page
 */
record OriginPage(Catalogue catalogue, List<Put> puts, List<Long> gone, String next, boolean hasMore) {

    /**
     * A dataset of the origin.
     *
     * @param captured
     *            with its fraction of a second
     * @param created
     *            null if it is not known
     */
    record Put(Dataset dataset, Revision revision, Instant captured, Instant created) {
    }

    static OriginPage of(JsonNode page, DatasetInput input) {
        List<Put> puts = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        for (JsonNode change : page.get("changes")) {
            if (change.get("change").textValue().equals("put")) {
                puts.add(put(change, input));
            } else {
                gone.add(change.get("id").longValue());
            }
        }
        return new OriginPage(catalogue(page), puts, gone, page.get("next").textValue(),
                page.get("more").booleanValue());
    }

    static Catalogue catalogue(JsonNode page) {
        return new Catalogue(page.hasNonNull("catalogue") ? UUID.fromString(page.get("catalogue").textValue()) : null);
    }

    /** The last page of several, with the datasets of all. */
    OriginPage with(Collection<Put> all) {
        return new OriginPage(catalogue, List.copyOf(all), List.of(), next, hasMore);
    }

    private static Put put(JsonNode change, DatasetInput input) {
        ObjectNode fields = ((ObjectNode) change.get("dataset")).without("thumbnail_image");
        byte[] line = fields.toString().getBytes(StandardCharsets.UTF_8);
        Dataset dataset = input.readLine(line, 0, line.length);
        dataset.thumbnailKey = change.get("thumbnail_key").textValue();
        return new Put(dataset, Revision.of(dataset.id, change.get("revision").textValue()),
                Instant.parse(change.get("captured").textValue()),
                change.hasNonNull("created") ? Instant.parse(change.get("created").textValue()) : null);
    }
}
