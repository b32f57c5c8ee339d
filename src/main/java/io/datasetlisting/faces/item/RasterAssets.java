package io.datasetlisting.faces.item;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.storage.RasterLinks;
import io.datasetlisting.http.input.StrictJson;

/**
 * Writes the rasters of a dataset as assets of its item: a stable address, and the bands with their statistics.
 *
 * @see <a href="https://github.com/radiantearth/stac-spec/blob/v1.1.0/commons/common-metadata.md#bands">STAC Bands</a>
 */
@Singleton
public class RasterAssets {

    /** The media type of a cloud-optimized GeoTIFF. */
    public static final String MEDIA_TYPE = "image/tiff; application=geotiff; profile=cloud-optimized";

    private static final String EO = "https://stac-extensions.github.io/eo/v2.0.0/schema.json";
    private static final String WEB_MAP_LINKS = "https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json";
    /** The only raster that is a picture. */
    public static final String ORTHO = "ortho";
    /** The labels of bands that the extension EO knows as common names. */
    private static final Set<String> COMMON_NAMES = Set.of("pan", "coastal", "blue", "green", "green05", "yellow",
            "red",
            "rededge", "rededge071", "rededge075", "rededge078", "nir", "nir08", "nir09", "cirrus", "swir16", "swir22",
            "lwir", "lwir11", "lwir12");
    private static final Map<String, String> TITLES = Map.of("ortho", "Orthomosaic", "dsm", "Digital surface model",
            "dtm",
            "Digital terrain model", "multispec_ortho", "Multispectral orthomosaic");
    /** The statistics of a band, as the dataset and as STAC name them. */
    private static final List<Map.Entry<String, String>> STATISTICS = List.of(Map.entry("min", "minimum"),
            Map.entry("max", "maximum"), Map.entry("mean", "mean"), Map.entry("stddev", "stddev"));
    private static final String LABELS = "band_descr";

    private final RasterLinks links;

    public RasterAssets(RasterLinks links) {
        this.links = links;
    }

    /** A number that differs if other datasets have assets, for tags. */
    public int version() {
        return links.version();
    }

    /** The products that have an asset in some items. */
    public List<String> products() {
        return DatasetFields.RASTERS.stream().filter(links::has).toList();
    }

    /** English, as the other titles of the catalogue. */
    public static String title(String product) {
        return TITLES.get(product);
    }

    /** The first role is the main one. */
    public static List<String> roles(String product) {
        return product.equals(ORTHO) ? List.of("data", "visual") : List.of("data");
    }

    /** The assets of a dataset. */
    public List<RasterAsset> of(DatasetView dataset) {
        List<String> available = List.of((String[]) dataset.get("available_rasters"));
        List<String> products = products().stream().filter(available::contains).toList();
        if (products.isEmpty()) {
            return List.of();
        }
        JsonNode statistics = StrictJson.parse((String) dataset.get("band_stats"));
        return products.stream().map(product -> new RasterAsset(product, bands(statistics.path(product)))).toList();
    }

    /** The bands of a raster in the order of the file: the rule of the field lets no number out. */
    private static List<Band> bands(JsonNode raster) {
        Map<Integer, String> labels = new HashMap<>();
        raster.path(LABELS).properties()
                .forEach(label -> labels.merge(label.getValue().asInt(), label.getKey(), (first, second) -> first));
        List<Band> bands = new ArrayList<>();
        for (int number = 1; raster.has("b" + number); number++) {
            bands.add(new Band("b" + number, labels.get(number), raster.get("b" + number)));
        }
        return bands;
    }

    /**
     * The extensions of STAC whose fields an item has.
     *
     * @param tiles
     *            see {@link #tiles}
     */
    public static List<String> extensions(List<RasterAsset> assets, String tiles) {
        List<String> extensions = new ArrayList<>();
        if (assets.stream().flatMap(asset -> asset.bands.stream()).anyMatch(Band::hasCommonName)) {
            extensions.add(EO);
        }
        if (tiles != null) {
            extensions.add(WEB_MAP_LINKS);
        }
        return extensions;
    }

    /**
     * The address of the tiles of a public orthomosaic; null for another dataset. Items are the same for all callers and never
     * expire, so that they have no signed link.
     *
     * @param address
     *            of the dataset, with a slash at its end
     */
    public String tiles(DatasetView dataset, List<RasterAsset> assets, String address) {
        boolean hasOrtho = assets.stream().anyMatch(asset -> asset.product.equals(ORTHO));
        return hasOrtho && !(Boolean) dataset.get("is_private") ? links.tiles(address(address, ORTHO)) : null;
    }

    /** The address of a raster of a dataset whose address ends with a slash. */
    private static String address(String dataset, String product) {
        return dataset + "raster/" + product;
    }

    /**
     * A raster of a dataset.
     *
     * @param product
     *            one of {@link DatasetFields#RASTERS}
     * @param bands
     *            empty if nothing is known about them
     */
    public record RasterAsset(String product, List<Band> bands) {

        /**
         * Writes the asset with its name.
         *
         * @param dataset
         *            address of the dataset, with a slash at its end
         */
        public void write(String dataset, JsonGenerator json) throws IOException {
            json.writeObjectFieldStart(product);
            json.writeStringField("href", address(dataset, product));
            json.writeStringField("type", MEDIA_TYPE);
            json.writeStringField("title", title(product));
            json.writeFieldName("roles");
            json.writeArray(roles(product).toArray(String[]::new), 0, roles(product).size());
            if (!bands.isEmpty()) {
                json.writeArrayFieldStart("bands");
                for (Band band : bands) {
                    band.write(json);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
    }

    /**
     * A band of a raster.
     *
     * @param name
     *            {@code b} and its number
     * @param label
     *            of the owner, or null
     */
    public record Band(String name, String label, JsonNode statistics) {

        private boolean hasCommonName() {
            return label != null && COMMON_NAMES.contains(label);
        }

        private void write(JsonGenerator json) throws IOException {
            json.writeStartObject();
            json.writeStringField("name", label == null ? name : label);
            if (hasCommonName()) {
                json.writeStringField("eo:common_name", label);
            }
            json.writeObjectFieldStart("statistics");
            for (Map.Entry<String, String> each : STATISTICS) {
                json.writeNumberField(each.getValue(), statistics.get(each.getKey()).decimalValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
    }
}
