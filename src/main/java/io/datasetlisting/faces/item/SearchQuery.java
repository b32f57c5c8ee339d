package io.datasetlisting.faces.item;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.StrictJson;
import io.vertx.ext.web.RoutingContext;

/** Turns the query of a search by GET into the body of the same search by POST. */
public final class SearchQuery {

    public static final String CQL2_TEXT = "cql2-text";
    public static final String CQL2_JSON = "cql2-json";

    /** The parameters that are absent if they are empty, as clients send them where nothing is chosen. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("ids", "collections", "intersects", "filter",
            "aggregations");

    /** A number with more digits stays a text, which the search refuses. */
    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,100}");

    private SearchQuery() {
    }

    /**
     * For an address without parameters.
     *
     * @throws ApiException
     *             400 for any parameter
     */
    public static void refuseParameters(RoutingContext context) {
        body(QueryString.parse(context.request().query()), context, Set.of());
    }

    /**
     * @param allowed
     *            the names of the parameters, besides {@code f}
     *
     * @throws ApiException
     *             400 for an unknown or repeated parameter, or for malformed JSON
     */
    public static ObjectNode body(QueryString query, RoutingContext context, Set<String> allowed) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        Set<String> seen = new HashSet<>();
        // The choice of the representation has checked this parameter.
        boolean hasFormat = Endpoint.of(context).hasFormat(context.request().method());
        (hasFormat ? query.without(Endpoint.FORMAT) : query).forEach((name, value) -> {
            if (!allowed.contains(name)) {
                throw new ApiException(400, "There is no parameter \"" + ApiException.shorten(name) + "\".");
            }
            if (!seen.add(name)) {
                throw new ApiException(400, name + ": the parameter is repeated.");
            }
            if (value.isBlank() && MAY_BE_EMPTY.contains(name)) {
                return;
            }
            switch (name) {
                case "limit" -> putNumber(body, name, value);
                case "bbox" -> body.set(name, numbers(value));
                case "ids", "collections", "aggregations" -> body.set(name, texts(value));
                case "intersects" -> body.set(name, json(name, value));
                case "sortby" -> body.set(name, sortKeys(value));
                case "fields" -> body.set(name, fields(value));
                default -> body.put(name, value);
            }
        });
        if (body.has("filter")) {
            if (body.path("filter-lang").asText().equals(CQL2_JSON)) {
                body.set("filter", json("filter", body.get("filter").textValue()));
            } else if (!body.has("filter-lang")) {
                body.put("filter-lang", CQL2_TEXT);
            }
        }
        return body;
    }

    private static void putNumber(ObjectNode body, String name, String value) {
        if (INTEGER.matcher(value).matches()) {
            body.put(name, new BigInteger(value));
        } else {
            body.put(name, value);
        }
    }

    /** What is no number stays a text, which the search refuses. */
    private static ArrayNode numbers(String value) {
        ArrayNode numbers = JsonNodeFactory.instance.arrayNode();
        for (String part : value.split(",", -1)) {
            BigDecimal number = StrictJson.number(TextNode.valueOf(part));
            if (number == null) {
                numbers.add(part);
            } else {
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static ArrayNode texts(String value) {
        ArrayNode texts = JsonNodeFactory.instance.arrayNode();
        for (String part : value.split(",", -1)) {
            texts.add(part);
        }
        return texts;
    }

    private static JsonNode json(String name, String value) {
        try {
            return StrictJson.parseDeep(value);
        } catch (ApiException e) {
            throw new ApiException(400, name + ": " + e.getMessage());
        }
    }

    /** {@code +datetime,-id}. In a query a plus sign is a space, unless it is encoded. */
    private static ArrayNode sortKeys(String value) {
        ArrayNode keys = JsonNodeFactory.instance.arrayNode();
        if (!value.isBlank()) {
            for (String part : value.split(",", -1)) {
                boolean hasSign = part.startsWith("+") || part.startsWith("-") || part.startsWith(" ");
                keys.addObject().put("field", hasSign ? part.substring(1) : part)
                        .put("direction", part.startsWith("-") ? "desc" : "asc");
            }
        }
        return keys;
    }

    private static ObjectNode fields(String value) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        ArrayNode include = fields.putArray("include");
        ArrayNode exclude = fields.putArray("exclude");
        for (String part : value.split(",", -1)) {
            if (part.startsWith("-")) {
                exclude.add(part.substring(1));
            } else if (!part.isBlank()) {
                include.add(part.startsWith("+") || part.startsWith(" ") ? part.substring(1) : part);
            }
        }
        return fields;
    }
}
