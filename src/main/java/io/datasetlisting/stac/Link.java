package io.datasetlisting.stac;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.MediaTypes;

/**
 * A link of the STAC API.
 *
 * @param method
 *            null for GET
 * @param merge
 *            whether a client adds the members of the body to those of its request; null if the link has no body
 */
record Link(String rel, String href, String type, String method, Boolean merge, ObjectNode body) {

    private static final String OGC = "http://www.opengis.net/def/rel/ogc/1.0/";

    static final String QUERYABLES = OGC + "queryables";
    static final String SORTABLES = OGC + "sortables";
    static final String SCHEMA = OGC + "schema";

    /** A link to JSON. */
    static Link of(String rel, String href) {
        return of(rel, href, MediaTypes.JSON);
    }

    static Link of(String rel, String href, String type) {
        return new Link(rel, href, type, null, null, null);
    }

    /**
     * A link to another page of a search by POST.
     *
     * @param token
     *            null for the first page
     */
    static Link page(String rel, String href, String token) {
        return new Link(rel, href, MediaTypes.GEO_JSON, "POST", true,
                JsonNodeFactory.instance.objectNode().put("token", token));
    }

    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("rel", rel).put("href", href).put("type", type);
        if (method != null) {
            json.put("method", method);
        }
        if (merge != null) {
            json.put("merge", merge).set("body", body);
        }
        return json;
    }
}
