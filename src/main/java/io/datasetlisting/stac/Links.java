package io.datasetlisting.stac;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PercentEncoding;
import io.datasetlisting.http.PublicUrl;
import io.vertx.core.http.HttpServerRequest;

/** Makes the links of a response under {@code /stac}. Each link has an absolute address and a media type. */
final class Links {

    private static final String OGC = "http://www.opengis.net/def/rel/ogc/1.0/";

    static final String QUERYABLES = OGC + "queryables";
    static final String SORTABLES = OGC + "sortables";
    static final String SCHEMA = OGC + "schema";

    private final String base;
    private final String asked;
    private final ArrayNode links = JsonNodeFactory.instance.arrayNode();

    private Links(String base, String asked) {
        this.base = base;
        this.asked = asked;
    }

    static Links of(PublicUrl publicUrl, HttpServerRequest request) {
        return new Links(publicUrl.of(Endpoints.STAC, request),
                publicUrl.of(PercentEncoding.address(request.path(), request.query()), request));
    }

    /** The absolute address of a path under {@code /stac}. */
    String href(String path) {
        return base + path;
    }

    /** The address of the request, without changes. */
    String asked() {
        return asked;
    }

    /** Adds a link to a path under {@code /stac}. The caller may add {@code method}, {@code merge} and {@code body} to the result. */
    ObjectNode add(String rel, String path, String type) {
        return addAddress(rel, href(path), type);
    }

    /** Adds a link to an absolute address. */
    ObjectNode addAddress(String rel, String href, String type) {
        return links.addObject().put("rel", rel).put("href", href).put("type", type);
    }

    /** Adds the links that each document has: to the address of the request, and to the landing page. */
    Links selfAndRoot(String type) {
        addAddress("self", asked, type);
        add("root", "", MediaTypes.JSON);
        return this;
    }

    ArrayNode toJson() {
        return links;
    }
}
