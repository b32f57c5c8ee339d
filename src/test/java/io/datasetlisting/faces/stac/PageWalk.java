package io.datasetlisting.faces.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.support.Api;

/**
 * A walk through the pages of one search, in random steps and with changing limits. Each page is compared with the expected one.
 *
 * @param body
 *            null for a search by GET
 * @param tokens
 *            changes the token of the next request, which is null for the first page
 * @param expected
 *            the items of all pages
 */
record PageWalk(Api api, String address, ObjectNode body, UnaryOperator<String> tokens, List<JsonNode> expected,
        Random random) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int STEPS = 4;
    private static final List<String> RELATIONS = List.of("next", "next", "next", "prev", "prev", "first", "last");

    void run() {
        int limit = limit();
        JsonNode page = page(null, limit);
        int from = 0;
        int to = check(page, from, limit);
        for (int step = 0; step < STEPS && to - from < expected.size(); step++) {
            String relation = RELATIONS.get(random.nextInt(RELATIONS.size()));
            JsonNode link = link(page, relation);
            if (link == null) {
                continue;
            }
            limit = limit();
            page = page(link, limit);
            int end = relation.equals("prev") ? from : expected.size();
            from = switch (relation) {
                case "next" -> to;
                case "first" -> 0;
                default -> Math.max(0, end - limit);
            };
            // A page that is read backward ends before the present one, even if it is shorter than the limit.
            to = check(page, from, relation.equals("prev") ? end - from : limit);
        }
    }

    private int limit() {
        return random.nextInt(30) == 0 ? 1_000 : 1 + random.nextInt(30);
    }

    /** Compares a page, and returns the index after its last item. */
    private int check(JsonNode page, int from, int limit) {
        int to = Math.min(from + limit, expected.size());
        List<JsonNode> items = new ArrayList<>();
        page.path("features").forEach(items::add);
        assertEquals(ids(expected.subList(from, to)), ids(items), () -> "items from " + from);
        assertEquals(expected.subList(from, to), items);
        assertEquals(expected.size(), page.path("numberMatched").intValue(), "numberMatched");
        assertEquals(items.size(), page.path("numberReturned").intValue(), "numberReturned");
        assertEquals(to < expected.size(), link(page, "next") != null, "next");
        assertEquals(from > 0, link(page, "prev") != null, "prev");
        return to;
    }

    private static List<String> ids(List<JsonNode> items) {
        return items.stream().map(item -> item.path("id").textValue()).toList();
    }

    private static JsonNode link(JsonNode page, String relation) {
        JsonNode found = null;
        for (JsonNode link : page.path("links")) {
            if (link.path("rel").asText().equals(relation)) {
                assertFalse(found != null, () -> "two links " + relation);
                found = link;
            }
        }
        return found;
    }

    /**
     * @param link
     *            null for the first page
     */
    private JsonNode page(JsonNode link, int limit) {
        HttpResponse<String> response;
        if (body == null) {
            String target = link == null ? address : link.path("href").asText().substring(api.url().length());
            String[] parts = target.split("[?&]token=", 2);
            String token = tokens.apply(parts.length == 1 ? null : parts[1].split("&")[0]);
            String query = target.replaceFirst("(?<=[?&])limit=\\d+&?", "")
                    .replaceFirst("(?<=[?&])token=[^&]*&?", "");
            response = api.get(query + (query.matches(".*[?&]") ? "" : query.contains("?") ? "&" : "?") + "limit="
                    + limit + (token == null ? "" : "&token=" + token));
        } else {
            ObjectNode next = body.deepCopy().put("limit", limit);
            if (link != null) {
                assertEquals("POST", link.path("method").textValue());
                assertTrue(link.path("merge").booleanValue());
                next.setAll((ObjectNode) link.path("body"));
            }
            next.put("token", tokens.apply(next.path("token").textValue()));
            response = api.call("POST", address, next);
        }
        assertEquals(200, response.statusCode(), response::body);
        return read(response);
    }

    static JsonNode read(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
