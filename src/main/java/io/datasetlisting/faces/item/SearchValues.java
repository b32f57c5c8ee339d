package io.datasetlisting.faces.item;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;

/** Reads the values that the searches for items and for collections have in common, and refuses malformed ones with 400. */
public final class SearchValues {

    public static final int DEFAULT_LIMIT = 10;
    public static final int MAX_LIMIT = 1_000;
    /** Values of a list. */
    public static final int MAX_LIST = 1_000;

    private SearchValues() {
    }

    public static ApiException refuse(String name, String reason) {
        return new ApiException(400, name + ": " + reason);
    }

    /** The largest number of results of a page. As in JSON Schema, {@code 10.0} is an integer, too. */
    public static int limit(ObjectNode body) {
        JsonNode limit = body.get("limit");
        if (limit == null) {
            return DEFAULT_LIMIT;
        }
        BigDecimal number = limit.isNumber() ? limit.decimalValue() : BigDecimal.ZERO;
        if (number.signum() <= 0 || number.stripTrailingZeros().scale() > 0 || !Double.isFinite(limit.doubleValue())) {
            throw refuse("limit", "an integer above 0 is expected.");
        }
        return number.min(BigDecimal.valueOf(MAX_LIMIT)).intValue();
    }

    public static String text(ObjectNode body, String name) {
        String text = body.get(name).textValue();
        if (text == null) {
            throw refuse(name, "a text is expected.");
        }
        return text;
    }

    /** The four or six numbers of a box. West may be above east. */
    public static double[] corners(JsonNode bbox) {
        int size = bbox.size();
        if (!bbox.isArray() || size != 4 && size != 6) {
            throw refuse("bbox", "four or six numbers are expected.");
        }
        double[] corners = new double[size];
        for (int i = 0; i < size; i++) {
            corners[i] = bbox.get(i).isNumber() ? bbox.get(i).doubleValue() : Double.NaN;
            if (!Double.isFinite(corners[i])) {
                throw refuse("bbox", "four or six numbers are expected.");
            }
            int axis = i % (size / 2);
            if (axis < 2 && Math.abs(corners[i]) > (axis == 0 ? 180 : 90)) {
                throw refuse("bbox",
                        "longitudes are between -180 and 180, latitudes between -90 and 90. This is outside the world.");
            }
        }
        for (int axis = 1; axis < size / 2; axis++) {
            if (corners[axis] > corners[axis + size / 2]) {
                throw refuse("bbox", "a minimum is greater than its maximum.");
            }
        }
        return corners;
    }

    public static List<String> texts(String name, JsonNode list) {
        if (!list.isArray()) {
            throw refuse(name, "an array of texts is expected.");
        }
        if (list.size() > MAX_LIST) {
            throw refuse(name, "at most " + MAX_LIST + " values are allowed.");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode item : list) {
            if (!item.isTextual()) {
                throw refuse(name, "an array of texts is expected.");
            }
            texts.add(item.textValue());
        }
        return texts;
    }
}
