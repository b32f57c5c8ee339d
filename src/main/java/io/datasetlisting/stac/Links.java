package io.datasetlisting.stac;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PercentEncoding;
import io.datasetlisting.http.PublicUrl;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Collects the links of a document that describes the catalogue. */
final class Links {

    private final String base;
    private final String asked;
    private final String self;
    private final boolean hasPages;
    private final List<Link> links = new ArrayList<>();

    Links(String base, String asked, String self, boolean hasPages) {
        this.base = base;
        this.asked = asked;
        this.self = self;
        this.hasPages = hasPages;
    }

    static Links of(PublicUrl publicUrl, RoutingContext context) {
        Endpoint endpoint = Endpoint.of(context);
        HttpServerRequest request = context.request();
        return new Links(publicUrl.of(Endpoints.STAC, request), publicUrl.of(endpoint.path(), request),
                publicUrl.of(PercentEncoding.address(endpoint.path(), request.query()), request),
                endpoint.hasPageBesideJson());
    }

    /** The absolute address of a path under {@code /stac}. */
    String href(String path) {
        return base + path;
    }

    /** The address of the request, without parameters. */
    String asked() {
        return asked;
    }

    /** Adds a link to a path under {@code /stac}. */
    void add(String rel, String path, String type) {
        add(Link.of(rel, href(path), type));
    }

    /** Adds a link to the page for people of a path under {@code /stac}, if there are pages. */
    void addPage(String rel, String path) {
        addPageOf(rel, href(path));
    }

    private void addPageOf(String rel, String address) {
        if (hasPages) {
            add(Link.of(rel, address + '?' + DocumentPages.FORMAT + "=html", MediaTypes.HTML));
        }
    }

    void add(Link link) {
        links.add(link);
    }

    /** Adds the links to the address of the request, to its page for people, and to the landing page. */
    Links selfAndRoot() {
        add(Link.of("self", self));
        addPageOf("alternate", asked);
        add("root", "", MediaTypes.JSON);
        return this;
    }

    ArrayNode toJson() {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        links.forEach(link -> array.add(link.toJson()));
        return array;
    }
}
