package io.datasetlisting.faces.stac;

import java.util.Locale;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.catalogue.search.SearchResult;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.write.exports.ExportFormat;
import io.datasetlisting.write.exports.ExportsConfig;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Makes the links of the documents, of the pages of searches, and of the items. Only this class decides whether JSON has links to
 * pages for people.
 */
@Singleton
public class Links {

    private static final String OGC = "http://www.opengis.net/def/rel/ogc/1.0/";
    private static final String QUERYABLES = OGC + "queryables";
    private static final String SORTABLES = OGC + "sortables";
    private static final String SCHEMA = OGC + "schema";
    private static final String TILE_SETS = OGC + "tilesets-vector";
    private static final String MATRIX_SETS = OGC + "tiling-schemes";
    private static final String ALTERNATE = "alternate";
    private static final String TOKEN = "token";

    private final PublicUrl publicUrl;
    private final PageConfig page;
    private final ExportsConfig exports;

    Links(PublicUrl publicUrl, PageConfig page, ExportsConfig exports) {
        this.publicUrl = publicUrl;
        this.page = page;
        this.exports = exports;
    }

    /**
     * The address of an item.
     *
     * @param base
     *            the public address of the service, or its relative address, without a slash at its end
     */
    public static String item(String base, long id) {
        return base + Endpoints.STAC + Endpoints.COLLECTION + Endpoints.ITEMS + '/' + id;
    }

    /** The collector of the links of the document that a request asks for. */
    Document ofDocument(RoutingContext context) {
        HttpServerRequest request = context.request();
        String path = ItemCollection.pathOf(context);
        return new Document(publicUrl.of("", request), publicUrl.of(path, request),
                publicUrl.of(PercentEncoding.address(path, request.query()), request),
                request.method() == HttpMethod.POST ? null : QueryString.parse(request.query()));
    }

    /**
     * The links of an item.
     *
     * @param tiles
     *            address of the tiles of its orthomosaic, or null
     */
    ArrayNode ofItem(String base, DatasetView dataset, String tiles) {
        long id = dataset.id();
        Collector links = new Collector(base);
        links.add("self", item(base, id), MediaTypes.GEO_JSON);
        if (page.enabled()) {
            links.add(ALTERNATE, base + Endpoints.PAGES + id + '/', MediaTypes.HTML);
        }
        links.add("root", links.href(""), MediaTypes.JSON);
        links.add("parent", links.href(Endpoints.COLLECTION), MediaTypes.JSON);
        links.add("collection", links.href(Endpoints.COLLECTION), MediaTypes.JSON);
        if (tiles != null) {
            // What a tile server answers unless the address says otherwise.
            links.add("xyz", tiles, MediaTypes.PNG);
        }
        String license = (String) dataset.get("license");
        if (license != null) {
            LicenseConfig.address(license).ifPresent(address -> links.add("license", address, MediaTypes.HTML));
        }
        String doi = (String) dataset.get("doi");
        if (doi != null) {
            links.add("cite-as", DatasetView.resolver(doi), MediaTypes.HTML);
        }
        return links.all;
    }

    /** Links in the order in which they are added. */
    private static class Collector {

        final ArrayNode all = JsonNodeFactory.instance.arrayNode();
        final String base;

        /** @param base the public address of the service, without a slash at its end */
        Collector(String base) {
            this.base = base;
        }

        /** The absolute address of a path under {@code /stac}. */
        String href(String path) {
            return base + Endpoints.STAC + path;
        }

        ObjectNode add(String rel, String href, String type) {
            return all.addObject().put("rel", rel).put("href", href).put("type", type);
        }
    }

    /** Collects the links of a document that describes the catalogue, or of a page of items. */
    final class Document extends Collector {

        private final String address;
        private final String self;
        private final QueryString query;

        /**
         * @param address
         *            of the request, without parameters
         * @param self
         *            the address as it was asked
         * @param query
         *            the parameters of the request; null for a request by POST
         */
        Document(String base, String address, String self, QueryString query) {
            super(base);
            this.address = address;
            this.self = self;
            this.query = query;
        }

        /** A collector of other links of the same document. */
        Document another() {
            return new Document(base, address, self, query);
        }

        /** The address of the request, without parameters. */
        String address() {
            return address;
        }

        /** Adds the links to the address of the request, to its page for people, and to the landing page. */
        ArrayNode selfAndRoot() {
            add("self", self, MediaTypes.JSON);
            if (page.enabled()) {
                add(ALTERNATE, query.with(Endpoint.FORMAT, "html").appendTo(address), MediaTypes.HTML);
            }
            add("root", href(""), MediaTypes.JSON);
            return all;
        }

        private void addPage(String rel, String href) {
            if (page.enabled()) {
                add(rel, href + '?' + Endpoint.FORMAT + "=html", MediaTypes.HTML);
            }
        }

        /** The links of the landing page. */
        ArrayNode ofLandingPage() {
            selfAndRoot();
            add("service-desc", href(Endpoints.API), MediaTypes.OPENAPI_3_0);
            add("service-doc", href(Endpoints.API_PAGE), MediaTypes.HTML);
            add("conformance", href(Endpoints.CONFORMANCE), MediaTypes.JSON);
            add("data", href(Endpoints.COLLECTIONS), MediaTypes.JSON);
            add("search", href(Endpoints.STAC_SEARCH), MediaTypes.GEO_JSON).put("method", "GET");
            add("search", href(Endpoints.STAC_SEARCH), MediaTypes.GEO_JSON).put("method", "POST");
            add(QUERYABLES, href(Endpoints.QUERYABLES), MediaTypes.SCHEMA_JSON);
            add(SORTABLES, href(Endpoints.SORTABLES), MediaTypes.SCHEMA_JSON);
            add(TILE_SETS, href(Endpoints.TILE_SETS), MediaTypes.JSON);
            add(MATRIX_SETS, href(Endpoints.MATRIX_SETS), MediaTypes.JSON);
            addAggregations(href(""));
            add("changes", href(Endpoints.STAC_CHANGES), MediaTypes.JSON);
            // The other collections have the same items, so a crawler that follows the children finds each item once.
            add("child", href(Endpoints.COLLECTION), MediaTypes.JSON);
            addExports();
            return all;
        }

        /** Links to the whole public catalogue as a file. */
        private void addExports() {
            if (exports.store().isOn()) {
                for (ExportFormat format : ExportFormat.values()) {
                    add(ALTERNATE, base + format.path(), format.mediaType).put("title", title(format));
                }
            }
        }

        /** The files of the whole public catalogue as assets; null without exports, and for a part of the catalogue. */
        ObjectNode exportAssets(ItemCollection of) {
            if (!exports.store().isOn() || !of.equals(ItemCollection.DATASETS)) {
                return null;
            }
            ObjectNode assets = JsonNodeFactory.instance.objectNode();
            for (ExportFormat format : ExportFormat.values()) {
                assets.putObject(format.title.toLowerCase(Locale.ROOT)).put("href", base + format.path())
                        .put("type", format.mediaType).put("title", title(format)).putArray("roles").add("data");
            }
            return assets;
        }

        private static String title(ExportFormat format) {
            return "All public datasets as " + format.title;
        }

        /**
         * The links of a collection.
         *
         * @param license
         *            address of the licence's text; null without one. The link then leads to the collection, which names the
         *            licence
         */
        ArrayNode ofCollection(ItemCollection of, String license) {
            String collection = href(of.path());
            add("self", collection, MediaTypes.JSON);
            addPage(ALTERNATE, collection);
            add("root", href(""), MediaTypes.JSON);
            add("parent", href(""), MediaTypes.JSON);
            add("items", collection + Endpoints.ITEMS, MediaTypes.GEO_JSON);
            addPage("items", collection + Endpoints.ITEMS);
            add("license", license == null ? collection : license,
                    license == null ? MediaTypes.JSON : MediaTypes.HTML);
            add(QUERYABLES, collection + Endpoints.QUERYABLES, MediaTypes.SCHEMA_JSON);
            add(SCHEMA, collection + Endpoints.SCHEMA, MediaTypes.SCHEMA_JSON);
            add(SORTABLES, collection + Endpoints.SORTABLES, MediaTypes.SCHEMA_JSON);
            add(TILE_SETS, collection + Endpoints.TILE_SETS, MediaTypes.JSON);
            addAggregations(collection);
            if (of.equals(ItemCollection.DATASETS)) {
                addExports();
            }
            return all;
        }

        private void addAggregations(String scope) {
            add("aggregations", scope + Endpoints.AGGREGATIONS, MediaTypes.JSON);
            add("aggregate", scope + Endpoints.AGGREGATE, MediaTypes.JSON).put("method", "GET");
            add("aggregate", scope + Endpoints.AGGREGATE, MediaTypes.JSON).put("method", "POST");
        }

        /**
         * The links of a description of aggregations.
         *
         * @param of
         *            null for the whole catalogue
         */
        ArrayNode ofAggregations(ItemCollection of) {
            selfAndRoot();
            if (of != null) {
                add("collection", href(of.path()), MediaTypes.JSON);
            }
            return all;
        }

        /** The links of the results of aggregations. */
        ArrayNode ofAggregate() {
            add("self", self, MediaTypes.JSON);
            String scope = addScope(Endpoints.AGGREGATE);
            add("aggregations", scope + Endpoints.AGGREGATIONS, MediaTypes.JSON);
            return all;
        }

        /**
         * Adds the links to the landing page and to the collection of the request.
         *
         * @param end
         *            of the address of the request
         *
         * @return the address of the collection, or else of the landing page
         */
        private String addScope(String end) {
            add("root", href(""), MediaTypes.JSON);
            String scope = address.substring(0, address.length() - end.length());
            if (!scope.equals(href(""))) {
                add("collection", scope, MediaTypes.JSON);
            }
            return scope;
        }

        /**
         * The links of a page of items.
         *
         * @param tokens
         *            write the tokens of this search
         */
        ArrayNode ofPage(SearchResult result, PageTokens.Signer tokens) {
            add("self", self, MediaTypes.GEO_JSON);
            if (page.enabled() && query != null) {
                add(ALTERNATE, query.with(Endpoint.FORMAT, "html").appendTo(address), MediaTypes.HTML);
                QueryString all = query.without("limit", TOKEN);
                add(ALTERNATE, all.with(Endpoint.FORMAT, "geoparquet").appendTo(address), MediaTypes.GEO_PARQUET);
                add(ALTERNATE, all.with(Endpoint.FORMAT, "flatgeobuf").appendTo(address), MediaTypes.FLAT_GEOBUF);
            }
            String scope = addScope(address.endsWith(Endpoints.ITEMS) ? Endpoints.ITEMS : Endpoints.STAC_SEARCH);
            add(QUERYABLES, scope + Endpoints.QUERYABLES, MediaTypes.SCHEMA_JSON);
            if (result.next() != null) {
                addItems("next", tokens.write(result.next()));
            }
            if (result.previous() != null) {
                addItems("prev", tokens.write(result.previous()));
            }
            addItems("first", null);
            addItems("last", tokens.write(result.last()));
            return all;
        }

        /**
         * @param token
         *            null for the first page
         */
        private void addItems(String rel, String token) {
            if (query == null) {
                // A client adds the token to the members of its request.
                add(rel, address, MediaTypes.GEO_JSON).put("method", "POST").put("merge", true).putObject("body")
                        .put(TOKEN, token);
            } else {
                add(rel, (token == null ? query.without(TOKEN) : query.with(TOKEN, token)).appendTo(address),
                        MediaTypes.GEO_JSON);
            }
        }
    }
}
