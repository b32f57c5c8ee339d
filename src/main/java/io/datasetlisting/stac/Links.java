package io.datasetlisting.stac;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.vertx.ext.web.RoutingContext;

/** Collects the links of a document that describes the catalogue. */
final class Links {

    private final String base;
    private final String asked;
    private final List<Link> links = new ArrayList<>();

    Links(String base, String asked) {
        this.base = base;
        this.asked = asked;
    }

    /** The addresses of these documents have no parameters. */
    static Links of(PublicUrl publicUrl, RoutingContext context) {
        return new Links(publicUrl.of(Endpoints.STAC, context.request()),
                publicUrl.of(Endpoint.of(context).path(), context.request()));
    }

    /** The absolute address of a path under {@code /stac}. */
    String href(String path) {
        return base + path;
    }

    /** The address of the request. */
    String asked() {
        return asked;
    }

    /** Adds a link to a path under {@code /stac}. */
    void add(String rel, String path, String type) {
        add(Link.of(rel, href(path), type));
    }

    void add(Link link) {
        links.add(link);
    }

    /** Adds the links to the address of the request, and to the landing page. */
    Links selfAndRoot() {
        add(Link.of("self", asked));
        add("root", "", MediaTypes.JSON);
        return this;
    }

    ArrayNode toJson() {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        links.forEach(link -> array.add(link.toJson()));
        return array;
    }
}
