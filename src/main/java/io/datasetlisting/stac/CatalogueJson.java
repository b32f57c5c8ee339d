package io.datasetlisting.stac;

import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.listing.ListingExtent;
import io.datasetlisting.listing.ListingExtents;

/** Makes the landing page, the conformance declaration and the collection of {@code /stac}. */
@Singleton
class CatalogueJson {

    static final String STAC_VERSION = "1.1.0";

    private static final String FEATURES_1 = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/";
    private static final String FEATURES_3 = "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/";
    private static final String FEATURES_5 = "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/";
    private static final String CQL2 = "http://www.opengis.net/spec/cql2/1.0/conf/";
    private static final String STAC_1_0 = "https://api.stacspec.org/v1.0.0/";
    private static final String STAC_1_1 = "https://api.stacspec.org/v1.1.0/";

    /** A test holds each requirement of each class. */
    private static final List<String> CONFORMS_TO = List.of(
            FEATURES_1 + "core", FEATURES_1 + "geojson", FEATURES_1 + "oas30",
            FEATURES_3 + "queryables", FEATURES_3 + "filter", FEATURES_3 + "features-filter",
            FEATURES_5 + "schemas", FEATURES_5 + "returnables-and-receivables", FEATURES_5 + "queryables",
            FEATURES_5 + "sortables", FEATURES_5 + "advanced-property-roles",
            CQL2 + "basic-cql2", CQL2 + "cql2-text", CQL2 + "cql2-json", CQL2 + "advanced-comparison-operators",
            CQL2 + "case-insensitive-comparison", CQL2 + "basic-spatial-functions",
            CQL2 + "basic-spatial-functions-plus",
            STAC_1_0 + "core", STAC_1_0 + "collections", STAC_1_0 + "ogcapi-features", STAC_1_0 + "item-search",
            STAC_1_0 + "item-search#sort", STAC_1_0 + "item-search#fields", STAC_1_0 + "item-search#filter",
            STAC_1_0 + "ogcapi-features#sort", STAC_1_0 + "ogcapi-features#fields",
            STAC_1_1 + "item-search#sort", STAC_1_1 + "ogcapi-features#sort", STAC_1_1 + "item-search#sortables");

    private static final List<Double> WORLD = List.of(-180.0, -90.0, 180.0, 90.0);

    /** The class of pages for people. */
    private static final String HTML = FEATURES_1 + "html";

    private final LicenseConfig config;
    private final PageConfig page;

    CatalogueJson(LicenseConfig config, PageConfig page) {
        this.config = config;
        this.page = page;
    }

    ObjectNode landingPage(Links links) {
        ObjectNode catalog = stacObject("Catalog", "dataset-listing-service", "Datasets of drone and aerial imagery",
                "The same datasets as the listing of this service, as STAC API and OGC API - Features.");
        catalog.setAll(conformance());
        String search = links.href(Endpoints.STAC_SEARCH);
        links.selfAndRoot();
        links.add("service-desc", Endpoints.API, MediaTypes.OPENAPI_3_0);
        links.add("service-doc", Endpoints.API_PAGE, MediaTypes.HTML);
        links.add("conformance", Endpoints.CONFORMANCE, MediaTypes.JSON);
        links.add("data", Endpoints.COLLECTIONS, MediaTypes.JSON);
        links.add(new Link("search", search, MediaTypes.GEO_JSON, "GET", null, null));
        links.add(new Link("search", search, MediaTypes.GEO_JSON, "POST", null, null));
        links.add(Link.QUERYABLES, Endpoints.QUERYABLES, MediaTypes.SCHEMA_JSON);
        links.add(Link.SORTABLES, Endpoints.SORTABLES, MediaTypes.SCHEMA_JSON);
        // The other collections have the same items, so a crawler that follows the children finds each item once.
        links.add("child", Endpoints.COLLECTION, MediaTypes.JSON);
        catalog.set("links", links.toJson());
        return catalog;
    }

    ObjectNode conformance() {
        ObjectNode conformance = JsonNodeFactory.instance.objectNode();
        ArrayNode classes = conformance.putArray("conformsTo");
        CONFORMS_TO.forEach(classes::add);
        if (page.enabled()) {
            classes.add(HTML);
        }
        return conformance;
    }

    /** The list of the collections. */
    ObjectNode collections(Links links, List<ObjectNode> collections) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.putArray("collections").addAll(collections);
        list.set("links", links.selfAndRoot().toJson());
        return list;
    }

    /**
     * @param links
     *            receives the links of the collection
     */
    ObjectNode collection(Links links, ItemCollection of, ListingExtents extents) {
        ObjectNode collection = stacObject("Collection", of.id(), of.title(), of.description())
                .put("license", config.license()).put("itemType", "feature");
        addExtent(collection.putObject("extent"), switch (of) {
            case DATASETS -> extents.all();
            case AREAS -> extents.areas();
            case POINTS -> extents.points();
        });
        ObjectNode assets = collection.putObject("item_assets");
        addAsset(assets, "thumbnail", "A small picture of the dataset.");
        addAsset(assets, "metadata", "The dataset as the listing of this service shows it.")
                .put("type", MediaTypes.JSON);
        links.add("self", of.path(), MediaTypes.JSON);
        links.addPage("alternate", of.path());
        links.add("root", "", MediaTypes.JSON);
        links.add("parent", "", MediaTypes.JSON);
        links.add("items", of.path() + Endpoints.ITEMS, MediaTypes.GEO_JSON);
        links.addPage("items", of.path() + Endpoints.ITEMS);
        addLicense(links, of);
        links.add(Link.QUERYABLES, of.path() + Endpoints.QUERYABLES, MediaTypes.SCHEMA_JSON);
        links.add(Link.SCHEMA, of.path() + Endpoints.SCHEMA, MediaTypes.SCHEMA_JSON);
        links.add(Link.SORTABLES, of.path() + Endpoints.SORTABLES, MediaTypes.SCHEMA_JSON);
        collection.set("links", links.toJson());
        return collection;
    }

    private static ObjectNode stacObject(String type, String id, String title, String description) {
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

    /** Without the address of a text, the link leads to the collection, which names the licence. */
    private void addLicense(Links links, ItemCollection of) {
        LicenseConfig.address(config).ifPresentOrElse(href -> links.add(Link.of("license", href, MediaTypes.HTML)),
                () -> links.add("license", of.path(), MediaTypes.JSON));
    }
}
