package io.datasetlisting.faces.stac;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.aggregation.Aggregation;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.catalogue.tile.TileSets;
import io.datasetlisting.dataset.cql2.Limits;
import io.datasetlisting.faces.collection.CollectionJson;
import io.datasetlisting.faces.collection.CollectionSearch;
import io.datasetlisting.faces.collection.Collections;
import io.datasetlisting.faces.collection.Conformance;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.collection.ListedCollections;
import io.datasetlisting.faces.item.ItemSchema;
import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.faces.item.SearchValues;
import io.datasetlisting.faces.item.StacConfig;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.BodyConfig;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Makes the documents that describe the catalogue: the addresses of {@code /stac} without datasets, but the pages for people.
 */
@Singleton
public class Catalogue {

    /** The extension that describes how callers authenticate. */
    private static final String AUTHENTICATION = "https://stac-extensions.github.io/authentication/v1.1.0/schema.json";

    private final Collections collections;
    private final CollectionJson json;
    private final Conformance conformance;
    private final ItemSchema schemas;
    private final StacOpenApi openApi;
    private final Links links;
    private final TileSets tiles;
    private final OidcConfig oidc;
    private final ItemRequests requests;
    private final StacConfig stac;
    private final HttpConfig http;
    private final BodyConfig bodies;

    Catalogue(Collections collections, CollectionJson json, Conformance conformance, ItemSchema schemas,
            StacOpenApi openApi, Links links, TileSets tiles, OidcConfig oidc, ItemRequests requests, StacConfig stac,
            HttpConfig http, BodyConfig bodies) {
        this.collections = collections;
        this.json = json;
        this.conformance = conformance;
        this.schemas = schemas;
        this.openApi = openApi;
        this.links = links;
        this.tiles = tiles;
        this.oidc = oidc;
        this.requests = requests;
        this.stac = stac;
        this.http = http;
        this.bodies = bodies;
    }

    /**
     * The document at the address of a request. It fails with 400 for a parameter that the document does not have, with 404
     * without a document.
     */
    public Uni<ObjectNode> document(RoutingContext context) {
        return collections.of(context).chain(of -> document(of, context));
    }

    private Uni<ObjectNode> document(ItemCollection of, RoutingContext context) {
        String path = ItemCollection.pathOf(context).substring(Endpoints.STAC.length());
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
            return requests.room(context, search.limit())
                    .chain(() -> collections.find(search, Caller.of(context), page -> collections(page, query, asked)));
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
            case Endpoints.CONFORMANCE -> Uni.createFrom().item(conformance.document());
            case Endpoints.API -> Uni.createFrom().item(openApi.document(asked.href("")));
            default -> throw ApiException.notFound();
        };
    }

    private Uni<ObjectNode> ofCollection(ItemCollection of, String path, Links.Document asked, RoutingContext context) {
        return switch (path) {
            case "" -> collections.extent(of, Caller.of(context)).map(extent -> collection(of, extent, asked));
            case Endpoints.SCHEMA -> Uni.createFrom().item(schemas.schema(asked.address()));
            default -> throw ApiException.notFound();
        };
    }

    private ObjectNode landingPage(Links.Document asked) {
        ObjectNode catalog = CollectionJson.stacObject("Catalog", "dataset-listing-service",
                "Datasets of drone and aerial imagery",
                "The same datasets as the listing of this service, as STAC API and OGC API - Features.");
        addAuthentication(catalog);
        catalog.setAll(conformance.document());
        addLimits(catalog.putObject("limits"));
        catalog.set("links", asked.ofLandingPage());
        return catalog;
    }

    /** What a client can know before it sends too much. The errors about these have the same numbers, but for bodies. */
    private void addLimits(ObjectNode object) {
        Limits limits = SearchBody.limits(stac);
        long maxBody = http.http().maxBodySize().asLongValue();
        object.put("default_limit", SearchValues.DEFAULT_LIMIT).put("max_limit", SearchValues.MAX_LIMIT)
                .put("max_ids", SearchValues.MAX_LIST).put("max_body_bytes", maxBody)
                .put("max_search_body_bytes", Math.min(bodies.maxSearchBodySize().asLongValue(), maxBody))
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

    /** On a worker, because a page may have many collections. */
    private ObjectNode collections(ListedCollections.Page page, QueryString query, Links.Document asked) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        ArrayNode listed = list.putArray("collections");
        page.collections()
                .forEach(each -> listed.add(collection(each.collection(), each.extent(), asked.another())));
        list.set("links", asked.selfAndRoot());
        addPage(asked, "prev", page.previous(), query);
        addPage(asked, "next", page.next(), query);
        return list.put("numberMatched", page.count()).put("numberReturned", page.collections().size());
    }

    /** @param token null without such a page */
    private static void addPage(Links.Document asked, String rel, String token, QueryString query) {
        if (token != null) {
            asked.add(rel, query.with(CollectionSearch.TOKEN, token).appendTo(asked.address()), MediaTypes.JSON);
        }
    }

    private ObjectNode collection(ItemCollection of, ListingExtent extent, Links.Document asked) {
        ObjectNode collection = json.collection(of, extent, asked.ofCollection(of, json.licenseAddress(of)));
        ObjectNode exports = asked.exportAssets(of);
        return exports == null ? collection : collection.set("assets", exports);
    }
}
