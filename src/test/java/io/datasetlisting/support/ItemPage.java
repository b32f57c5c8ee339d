package io.datasetlisting.support;

import java.util.List;

import io.vertx.core.json.JsonObject;

/** Reads the JSON of a page of a STAC search as a client does. */
public final class ItemPage {

    private ItemPage() {
    }

    public static List<String> ids(JsonObject page) {
        return page.getJsonArray("features").stream().map(item -> ((JsonObject) item).getString("id")).toList();
    }

    /** The ids as numbers, as the listing has them. */
    public static List<Long> numbers(JsonObject page) {
        return ids(page).stream().map(Long::valueOf).toList();
    }

    /** The first link with a relation, or null. */
    public static JsonObject link(JsonObject page, String relation) {
        return page.getJsonArray("links").stream().map(JsonObject.class::cast)
                .filter(link -> link.getString("rel").equals(relation)).findFirst().orElse(null);
    }

    /** The path and the query of the first link with a relation, or null. */
    public static String path(JsonObject page, String relation) {
        JsonObject link = link(page, relation);
        return link == null ? null : link.getString("href").replaceFirst("^https?://[^/]*", "");
    }
}
