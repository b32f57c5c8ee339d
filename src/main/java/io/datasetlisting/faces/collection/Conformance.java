package io.datasetlisting.faces.collection;

import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.tile.TileSets;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.write.mirror.MirrorConfig;

/** The conformance classes that the catalogue declares. Clients decide by them what they ask for. */
@Singleton
public class Conformance {

    private static final String FEATURES_1 = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/";
    private static final String FEATURES_3 = "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/";
    private static final String FEATURES_5 = "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/";
    private static final String COMMON_2 = "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/";
    private static final String CQL2 = "http://www.opengis.net/spec/cql2/1.0/conf/";
    private static final String STAC_1_0 = "https://api.stacspec.org/v1.0.0/";
    private static final String STAC_1_1 = "https://api.stacspec.org/v1.1.0/";

    /** The newest address of the extension: it is a proposal, and was never released. */
    private static final String FREE_TEXT = "https://api.stacspec.org/v1.0.0-rc.1/";

    private static final String AGGREGATION = "https://api.stacspec.org/v0.3.0/aggregation";

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
            STAC_1_1 + "item-search#sort", STAC_1_1 + "ogcapi-features#sort", STAC_1_1 + "item-search#sortables",
            FREE_TEXT + "item-search#free-text", FREE_TEXT + "ogcapi-features#free-text",
            COMMON_2 + "simple-query", STAC_1_0 + "collection-search", STAC_1_0 + "collection-search#free-text",
            AGGREGATION, AGGREGATION + "#filter");

    private static final String FEATURES_4 = "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/";

    /** The classes of writes, which a mirror refuses. */
    private static final List<String> OF_WRITES = List.of(FEATURES_4 + "create-replace-delete", FEATURES_4 + "update",
            FEATURES_4 + "optimistic-locking-etags", FEATURES_4 + "features",
            STAC_1_0 + "ogcapi-features/extensions/transaction");

    /** The class of pages for people. */
    private static final String HTML = FEATURES_1 + "html";

    private final PageConfig page;
    private final MirrorConfig mirror;

    Conformance(PageConfig page, MirrorConfig mirror) {
        this.page = page;
        this.mirror = mirror;
    }

    /** The document of the classes. */
    public ObjectNode document() {
        ObjectNode conformance = JsonNodeFactory.instance.objectNode();
        ArrayNode classes = conformance.putArray("conformsTo");
        CONFORMS_TO.forEach(classes::add);
        TileSets.CONFORMS_TO.forEach(classes::add);
        if (mirror.url().isEmpty()) {
            OF_WRITES.forEach(classes::add);
        }
        if (page.enabled()) {
            classes.add(HTML);
        }
        return conformance;
    }
}
