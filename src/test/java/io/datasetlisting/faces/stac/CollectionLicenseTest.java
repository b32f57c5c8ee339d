package io.datasetlisting.faces.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.dataset.raster.RasterConfig;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.faces.collection.CollectionJson;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.item.RasterAssets;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.support.StacSchemas;
import io.datasetlisting.write.exports.ExportsConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests the licence of the collection, and the link to it, with other configurations than the default. */
class CollectionLicenseTest {

    private static final String SERVICE = "https://example.org";

    @ParameterizedTest
    @CsvSource({"other, , https://example.org/stac/collections/datasets application/json",
            "other, https://example.org/terms, https://example.org/terms text/html",
            "CC-BY-4.0, , https://spdx.org/licenses/CC-BY-4.0.html text/html",
            "CC-BY-4.0, https://example.org/terms, https://example.org/terms text/html",
            "LicenseRef-ours, , https://example.org/stac/collections/datasets application/json"})
    void theLinkLeadsToTheTextOfTheLicence(String license, String url, String expected) {
        Map<String, String> keys = new HashMap<>(Map.of("dataset.stac.license", license));
        if (url != null) {
            keys.put("dataset.stac.license-url", url);
        }
        SmallRyeConfig config = new SmallRyeConfigBuilder().withMapping(LicenseConfig.class)
                .withMapping(PageConfig.class).withMapping(RasterConfig.class).withMapping(ExportsConfig.class)
                .withDefaultValues(keys).build();

        ListingExtent extent = new ListingExtent(1, 2, List.of(1.0, 2.0, 3.0, 4.0), Instant.EPOCH, Instant.EPOCH);
        CollectionJson json = new CollectionJson(config.getConfigMapping(LicenseConfig.class), new RasterAssets(
                new RasterLinks(config.getConfigMapping(RasterConfig.class), null, null)));
        ObjectNode collection = json.collection(ItemCollection.DATASETS, extent,
                new Links(null, config.getConfigMapping(PageConfig.class),
                        config.getConfigMapping(ExportsConfig.class)).new Document(SERVICE, SERVICE, SERVICE,
                                QueryString.parse(null))
                        .ofCollection(ItemCollection.DATASETS, json.licenseAddress(ItemCollection.DATASETS)));

        assertEquals(license, collection.get("license").textValue());
        collection.get("links").forEach(link -> {
            if (link.get("rel").textValue().equals("license")) {
                assertEquals(expected, link.get("href").textValue() + ' ' + link.get("type").textValue());
            }
        });
        StacSchemas.check(StacSchemas.COLLECTION, collection.toString());
    }
}
