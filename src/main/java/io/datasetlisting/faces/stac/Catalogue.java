package io.datasetlisting.faces.stac;

import java.util.Arrays;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.aggregation.Aggregation;
import io.datasetlisting.catalogue.search.CollectionExtents;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.catalogue.search.ListingExtents;
import io.datasetlisting.catalogue.tile.TileSets;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.dataset.cql2.Limits;
import io.datasetlisting.faces.item.CollectionSearch;
import io.datasetlisting.faces.item.ItemCollection;
import io.datasetlisting.faces.item.ItemSchema;
import io.datasetlisting.faces.item.RasterAssets;
import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.faces.item.SearchValues;
import io.datasetlisting.faces.item.StacConfig;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.write.mirror.MirrorConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Makes the documents that describe the catalogue: all addresses of {@code /stac} but items, search and the page for people. */
@Singleton
public class Catalogue {

    static final String STAC_VERSION = "1.1.0";

    private static final String FEATURES_1 = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/";
    private static final String FEATURES_3 = "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/";
    private static final String FEATURES_5 = "http://www.opengis.net/spec/ogcapi-features-5/1.0/conf/";
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
            AGGREGATION, AGGREGATION + "#filter");

    private static final String FEATURES_4 = "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/";

    /** The classes of writes, which a mirror refuses. */
    private static final List<String> OF_WRITES = List.of(FEATURES_4 + "create-replace-delete", FEATURES_4 + "update",
            FEATURES_4 + "optimistic-locking-etags", FEATURES_4 + "features",
            STAC_1_0 + "ogcapi-features/extensions/transaction");

    private static final List<Double> WORLD = List.of(-180.0, -90.0, 180.0, 90.0);

    /** The class of pages for people. */
    private static final String HTML = FEATURES_1 + "html";

    /** The extension that describes how callers authenticate. */
    private static final String AUTHENTICATION = "https://stac-extensions.github.io/authentication/v1.1.0/schema.json";

    private final LicenseConfig config;
    private final PageConfig page;
    private final CollectionExtents extents;
    private final ItemSchema schemas;
    private final StacOpenApi openApi;
    private final Links links;
    private final TileSets tiles;
    private final MirrorConfig mirror;
    private final OidcConfig oidc;
    private final ItemRequests requests;
    private final StacConfig stac;
    private final HttpConfig http;
    private final RasterAssets rasters;

    Catalogue(LicenseConfig config, PageConfig page, CollectionExtents extents, ItemSchema schemas, StacOpenApi openApi,
            Links links, TileSets tiles, MirrorConfig mirror, OidcConfig oidc, ItemRequests requests, StacConfig stac,
            HttpConfig http, RasterAssets rasters) {
        this.config = config;
        this.page = page;
        this.extents = extents;
        this.schemas = schemas;
        this.openApi = openApi;
        this.links = links;
        this.tiles = tiles;
        this.mirror = mirror;
        this.oidc = oidc;
        this.requests = requests;
        this.stac = stac;
        this.http = http;
        this.rasters = rasters;
    }

    /**
     * The document at the address of a request.
     *
     * @throws ApiException
     *             400 for a parameter, 404 without a document
     */
    public Uni<ObjectNode> document(RoutingContext context) {
        String path = Endpoint.of(context).path().substring(Endpoints.STAC.length());
        ItemCollection of = ItemCollection.of(path);
        String part = of == null ? path : path.substring(of.path().length());
        Links.Document asked = links.ofDocument(context);
        QueryString query = QueryString.parse(context.request().query());
        if (part.startsWith(Endpoints.TILE_SETS)) {
            // A mistake in a filter shows before the first tile.
            return requests.filter(context).map(valid -> tiles.document(part,
                    (of == null ? ItemCollection.DATASETS : of).title(), query.without(Endpoint.FORMAT),
                    asked.href(of == null ? "" : of.path()), asked.href(""),
                    asked.selfAndRoot()));
        }
        if (part.equals(Endpoints.COLLECTIONS)) {
            CollectionSearch search = CollectionSearch
                    .parse(SearchQuery.body(query, context, CollectionSearch.PARAMETERS));
            return extents.of(Caller.of(context)).map(found -> collections(search, found, query, context));
        }
        SearchQuery.refuseParameters(context);
        if (tiles.has(part)) {
            return Uni.createFrom().item(tiles.document(part, ItemCollection.DATASETS.title(), query, asked.href(""),
                    asked.href(""), asked.selfAndRoot()));
        }
        return switch (part) {
            case Endpoints.QUERYABLES -> Uni.createFrom().item(schemas.queryables(asked.address()));
            case Endpoints.AGGREGATIONS -> Uni.createFrom().item(aggregations(of, asked));
            case Endpoints.SORTABLES -> Uni.createFrom().item(schemas.sortables(asked.address()));
            default -> of == null ? ofCatalogue(part, asked) : ofCollection(of, part, asked, context);
        };
    }

    private Uni<ObjectNode> ofCatalogue(String path, Links.Document asked) {
        return switch (path) {
            case "", "/" -> Uni.createFrom().item(landingPage(asked));
            case Endpoints.CONFORMANCE -> Uni.createFrom().item(conformance());
            case Endpoints.API -> Uni.createFrom().item(openApi.document(asked.href("")));
            default -> throw ApiException.notFound();
        };
    }

    private Uni<ObjectNode> ofCollection(ItemCollection of, String path, Links.Document asked, RoutingContext context) {
        return switch (path) {
            case "" -> extents.of(Caller.of(context)).map(found -> collection(of, found, asked));
            case Endpoints.SCHEMA -> Uni.createFrom().item(schemas.schema(asked.address()));
            default -> throw ApiException.notFound();
        };
    }

    private ObjectNode landingPage(Links.Document asked) {
        ObjectNode catalog = stacObject("Catalog", "dataset-listing-service", "Datasets of drone and aerial imagery",
                "The same datasets as the listing of this service, as STAC API and OGC API - Features.");
        addAuthentication(catalog);
        catalog.setAll(conformance());
        addLimits(catalog.putObject("limits"));
        catalog.set("links", asked.ofLandingPage());
        return catalog;
    }

    /** What a client can know before it sends too much. The errors about these have the same numbers. */
    private void addLimits(ObjectNode object) {
        Limits limits = SearchBody.limits(stac);
        object.put("default_limit", SearchValues.DEFAULT_LIMIT).put("max_limit", SearchValues.MAX_LIMIT)
                .put("max_ids", SearchValues.MAX_LIST).put("max_body_bytes", http.http().maxBodySize().asLongValue())
                .put("max_vertices", limits.vertices()).put("max_filter_length", limits.length())
                .put("max_filter_depth", limits.depth()).put("max_filter_patterns", limits.patterns());
    }

    /** No link has a reference to a scheme, because all of them also lead to public data. */
    private void addAuthentication(ObjectNode catalog) {
        ((ArrayNode) catalog.get("stac_extensions")).add(AUTHENTICATION);
        ObjectNode schemes = catalog.putObject("auth:schemes");
        schemes.putObject("token").put("type", "apiKey").put("in", "header").put("name", "Authorization")
                .put("description", "Token <key>, with a key of this service. It shows private datasets.");
        oidc.discovery().ifPresent(address -> schemes.putObject("oidc").put("type", "openIdConnect")
                .put("openIdConnectUrl", address)
                .put("description", "Bearer <access token> of the provider of identities. It shows private datasets."));
    }

    private ObjectNode conformance() {
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

    private static ObjectNode aggregations(ItemCollection of, Links.Document asked) {
        ObjectNode list = JsonNodeFactory.instance.objectNode().put("type", AggregationResource.TYPE);
        ArrayNode aggregations = list.putArray("aggregations");
        for (Aggregation each : Aggregation.values()) {
            ObjectNode one = aggregations.addObject().put("name", each.id())
                    .put("data_type", AggregationResource.dataType(each));
            if (each.hasBuckets()) {
                one.put("frequency_distribution_data_type", each.valueType());
            }
        }
        list.set("links", asked.ofAggregations(of));
        return list;
    }

    private ObjectNode collections(CollectionSearch search, ListingExtents found, QueryString query,
            RoutingContext context) {
        List<ItemCollection> matching = Arrays.stream(ItemCollection.values())
                .filter(each -> search.matches(each, extent(each, found))).toList();
        List<String> ids = matching.stream().map(ItemCollection::id).toList();
        if (search.first() != null && !ids.contains(search.first())) {
            throw SearchValues.refuse(CollectionSearch.TOKEN, "the token is not of this search.");
        }
        int from = Math.max(0, ids.indexOf(search.first()));
        int until = Math.min(from + search.limit(), ids.size());
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        ArrayNode collections = list.putArray("collections");
        matching.subList(from, until)
                .forEach(each -> collections.add(collection(each, found, links.ofDocument(context))));
        Links.Document asked = links.ofDocument(context);
        list.set("links", asked.selfAndRoot());
        if (until < ids.size()) {
            asked.add("next", query.with(CollectionSearch.TOKEN, ids.get(until)).appendTo(asked.address()),
                    MediaTypes.JSON);
        }
        return list.put("numberMatched", ids.size()).put("numberReturned", until - from);
    }

    ObjectNode collection(ItemCollection of, ListingExtents found, Links.Document asked) {
        ObjectNode collection = stacObject("Collection", of.id(), of.title(), of.description())
                .put("license", config.license()).put("itemType", "feature");
        addExtent(collection.putObject("extent"), extent(of, found));
        ObjectNode assets = collection.putObject("item_assets");
        addAsset(assets, "thumbnail", "A small picture of the dataset.");
        addAsset(assets, "metadata", "The dataset as the listing of this service shows it.")
                .put("type", MediaTypes.JSON);
        rasters.products().forEach(product -> {
            ObjectNode asset = assets.putObject(product).put("title", RasterAssets.title(product)).put("type",
                    RasterAssets.MEDIA_TYPE);
            RasterAssets.roles(product).forEach(asset.putArray("roles")::add);
        });
        collection.set("links", asked.ofCollection(of, LicenseConfig.address(config).orElse(null)));
        return collection;
    }

    /** The extent of the datasets of a collection that a caller sees. */
    public Uni<ListingExtent> extent(ItemCollection of, Caller caller) {
        return extents.of(caller).map(found -> extent(of, found));
    }

    private static ListingExtent extent(ItemCollection of, ListingExtents found) {
        return switch (of) {
            case DATASETS -> found.all();
            case AREAS -> found.areas();
            case POINTS -> found.points();
        };
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
}
