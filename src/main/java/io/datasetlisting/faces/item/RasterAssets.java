package io.datasetlisting.faces.item;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.raster.RasterSource;
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
    private static final String PROJECTION = "https://stac-extensions.github.io/projection/v2.0.0/schema.json";
    private static final String SCIENTIFIC = "https://stac-extensions.github.io/scientific/v1.0.0/schema.json";
    private static final String FILE = "https://stac-extensions.github.io/file/v2.1.0/schema.json";
    /** The media type of a GeoTIFF that clients must read as a whole. */
    private static final String PLAIN = "image/tiff; application=geotiff";
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
    /** The members of what a raster says of itself that are no members of an asset, or are properties of an item, too. */
    private static final String IS_COG = "is_cog";
    static final String GSD = "gsd";

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
        return DatasetFields.RASTERS.stream().filter(links::mayHave).toList();
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
        RasterSource source = dataset.rasterSource();
        List<String> products = DatasetFields.RASTERS.stream().filter(product -> links.has(source, product)).toList();
        if (products.isEmpty()) {
            return List.of();
        }
        JsonNode statistics = StrictJson.parse((String) dataset.get("band_stats"));
        JsonNode headers = headers(dataset);
        return products.stream().map(
                product -> new RasterAsset(product, bands(statistics.path(product)), headers.path(product))).toList();
    }

    /** What the rasters say of themselves, by product. */
    private static JsonNode headers(DatasetView dataset) {
        String headers = (String) dataset.get("raster_headers");
        return headers == null ? MissingNode.getInstance() : StrictJson.parse(headers);
    }

    /** The finest distance of the rows of the rasters that a dataset has, in metres; null if none is known. */
    public static BigDecimal finest(DatasetView dataset) {
        return headers(dataset).valueStream().map(header -> header.path(GSD)).filter(JsonNode::isNumber)
                .map(JsonNode::decimalValue).min(Comparator.naturalOrder()).orElse(null);
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
    public static List<String> extensions(DatasetView dataset, List<RasterAsset> assets, String tiles) {
        List<String> extensions = new ArrayList<>();
        if (dataset.get("citation") != null || dataset.get("doi") != null) {
            extensions.add(SCIENTIFIC);
        }
        if (assets.stream().flatMap(asset -> asset.bands.stream()).anyMatch(Band::hasCommonName)) {
            extensions.add(EO);
        }
        if (assets.stream().anyMatch(asset -> !asset.header.isMissingNode())) {
            extensions.add(PROJECTION);
            extensions.add(FILE);
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
     * @param header
     *            what the raster says of itself; missing if it was not read
     */
    public record RasterAsset(String product, List<Band> bands, JsonNode header) {

        /**
         * Writes the asset with its name.
         *
         * @param dataset
         *            address of the dataset, with a slash at its end
         */
        public void write(String dataset, JsonGenerator json) throws IOException {
            json.writeObjectFieldStart(product);
            json.writeStringField("href", address(dataset, product));
            json.writeStringField("type", header.path(IS_COG).asBoolean(true) ? MEDIA_TYPE : PLAIN);
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
            for (Map.Entry<String, JsonNode> member : header.properties()) {
                if (!member.getKey().equals(IS_COG)) {
                    json.writeFieldName(member.getKey());
                    json.writeTree(member.getValue());
                }
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
