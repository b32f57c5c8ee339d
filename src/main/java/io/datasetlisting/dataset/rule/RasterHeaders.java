package io.datasetlisting.dataset.rule;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.StrictJson;

/** Checks what rasters say of themselves, in a line of an import: the members that the service writes, and no others. */
final class RasterHeaders {

    private static final int NUMBERS = 6;
    private static final Map<String, Predicate<JsonNode>> MEMBERS = Map.of(
            "gsd", value -> isNumber(value) && value.doubleValue() > 0,
            "proj:code", value -> value.isTextual() && value.textValue().matches("EPSG:\\d{4,5}"),
            "proj:shape", value -> isList(value, 2, RasterHeaders::isSize),
            "proj:transform", value -> isList(value, NUMBERS, RasterHeaders::isNumber),
            "file:size", RasterHeaders::isSize,
            "is_cog", JsonNode::isBoolean);
    private static final Set<String> REQUIRED = Set.of("proj:shape", "file:size", "is_cog");

    private RasterHeaders() {
    }

    /** The headers as JSON text; null when they are invalid, and then {@code fields} has the errors. */
    static String read(DrfFields fields, String name, List<String> products) {
        ObjectNode headers = fields.object(name);
        if (headers == null) {
            return null;
        }
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> header : headers.properties()) {
            if (!products.contains(header.getKey())) {
                errors.putArray(ApiException.shorten(header.getKey())).add("There is no such raster.");
            } else if (!isHeader(header.getValue())) {
                errors.putArray(header.getKey()).add("Expected what the service has read of a raster.");
            }
            if (errors.size() > products.size()) {
                break;
            }
        }
        if (!errors.isEmpty()) {
            fields.refuse(name, errors);
            return null;
        }
        return headers.toString();
    }

    private static boolean isHeader(JsonNode header) {
        return header.isObject() && REQUIRED.stream().allMatch(header::has)
                && header.properties().stream().allMatch(member -> MEMBERS.containsKey(member.getKey())
                        && MEMBERS.get(member.getKey()).test(member.getValue()));
    }

    private static boolean isList(JsonNode value, int length, Predicate<JsonNode> isElement) {
        boolean isList = value.isArray() && value.size() == length;
        for (int i = 0; isList && i < length; i++) {
            isList = isElement.test(value.get(i));
        }
        return isList;
    }

    private static boolean isNumber(JsonNode value) {
        return value.isNumber() && StrictJson.number(value) != null && Double.isFinite(value.doubleValue());
    }

    private static boolean isSize(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
    }
}
