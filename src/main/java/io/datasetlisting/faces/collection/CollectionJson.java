package io.datasetlisting.faces.collection;

import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.faces.item.RasterAssets;
import io.datasetlisting.http.MediaTypes;

/**
 * Writes a collection as STAC 1.1.0, which is also a collection of OGC API - Features.
 *
 * @see <a href="https://github.com/radiantearth/stac-spec/blob/v1.1.0/collection-spec/collection-spec.md">STAC Collection
 *      Specification</a>
 */
@Singleton
public class CollectionJson {

    /** Of collections and items. */
    public static final String STAC_VERSION = "1.1.0";
    private static final List<Double> WORLD = List.of(-180.0, -90.0, 180.0, 90.0);
    /** How many datasets of the collection the caller sees. STAC has no member for this. */
    private static final String COUNT = "dataset:count";

    private final LicenseConfig license;
    private final RasterAssets rasters;

    public CollectionJson(LicenseConfig license, RasterAssets rasters) {
        this.license = license;
        this.rasters = rasters;
    }

    /** The address of the text of a collection's licence; null without one. */
    public String licenseAddress(ItemCollection of) {
        return (of.license() == null ? LicenseConfig.address(license) : LicenseConfig.address(of.license()))
                .orElse(null);
    }

    /** A collection with the extent of its datasets. */
    public ObjectNode collection(ItemCollection of, ListingExtent extent, ArrayNode links) {
        ObjectNode collection = stacObject("Collection", of.id(), of.title(), of.description())
                .put("license", of.license() == null ? license.license() : of.license()).put("itemType", "feature")
                .put(COUNT, extent.count());
        addExtent(collection.putObject("extent"), extent);
        ObjectNode assets = collection.putObject("item_assets");
        addAsset(assets, "thumbnail", "A small picture of the dataset.");
        addAsset(assets, "metadata", "The dataset as the listing of this service shows it.")
                .put("type", MediaTypes.JSON);
        rasters.products().forEach(product -> {
            ObjectNode asset = assets.putObject(product).put("title", RasterAssets.title(product)).put("type",
                    RasterAssets.MEDIA_TYPE);
            RasterAssets.roles(product).forEach(asset.putArray("roles")::add);
        });
        collection.set("links", links);
        return collection;
    }

    /** A catalogue or a collection without its own members. */
    public static ObjectNode stacObject(String type, String id, String title, String description) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("type", type).put("stac_version", STAC_VERSION);
        object.putArray("stac_extensions");
        return object.put("id", id).put("title", title).put("description", description);
    }

    private static void addExtent(ObjectNode extent, ListingExtent of) {
        ArrayNode box = extent.putObject("spatial").putArray("bbox").addArray();
        (of.box() == null ? WORLD : of.box()).forEach(box::add);
        ArrayNode interval = extent.putObject("temporal").putArray("interval").addArray();
        interval.add(of.first() == null ? null : of.first().toString());
        interval.add(of.last() == null ? null : of.last().toString());
    }

    /** The asset has its name as its role. */
    private static ObjectNode addAsset(ObjectNode assets, String name, String description) {
        ObjectNode asset = assets.putObject(name).put("description", description);
        asset.putArray("roles").add(name);
        return asset;
    }
}
