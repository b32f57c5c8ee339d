package io.datasetlisting.dataset.rule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Username;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.BlankText;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.input.DrfFields;

/** Reads and checks one field of a request, by a rule that the table of the fields of a dataset names. */
@FunctionalInterface
public interface InputRule<T> {

    int MAX_NAME = 255;
    int MAX_LINK = 8192;
    /** The locations of a dataset whose owner names none. */
    String NO_RASTERS = "{}";

    /**
     * The value. Null without the field, and null for an invalid value, whose error is then in {@code fields}.
     *
     * @param links
     *            finds the object of a thumbnail's link
     */
    T read(DrfFields fields, String name, ThumbnailLinks links);

    static InputRule<Long> integer(long min) {
        return (fields, name, links) -> fields.has(name) ? fields.integer(name, min) : null;
    }

    static InputRule<Double> number() {
        return (fields, name, links) -> fields.has(name) ? fields.number(name) : null;
    }

    static InputRule<Boolean> bool() {
        return (fields, name, links) -> fields.has(name) ? fields.bool(name) : null;
    }

    /** A time with the microseconds of PostgreSQL. */
    static InputRule<Instant> instant() {
        return (fields, name, links) -> {
            Instant instant = fields.has(name) ? fields.exactInstant(name) : null;
            return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS);
        };
    }

    /** A text without the space around it. */
    static InputRule<String> text(int maxLength) {
        return (fields, name, links) -> fields.hasText(name) ? fields.text(name, maxLength) : null;
    }

    /** A text without the space around it; empty for null, and for a form field that means null. */
    static InputRule<String> optionalText(int maxLength) {
        return (fields, name, links) -> {
            if (!fields.hasText(name)) {
                return null;
            }
            String text = fields.isBlank(name) ? "" : fields.text(name, maxLength);
            return text != null && BlankText.isBlank(text) ? "" : text;
        };
    }

    /**
     * The first group of a pattern that the whole text matches; empty for null, and for a form field that means null.
     *
     * @param refusal
     *            of another text
     */
    static InputRule<String> optionalText(int maxLength, Pattern pattern, String refusal) {
        InputRule<String> rule = optionalText(maxLength);
        return (fields, name, links) -> {
            String text = rule.read(fields, name, links);
            if (text == null || text.isEmpty()) {
                return text;
            }
            Matcher matcher = pattern.matcher(text);
            return matcher.matches() ? matcher.group(1) : fields.refuse(name, refusal);
        };
    }

    /** Any number of texts; empty for null, and for a form field that means null. */
    static InputRule<String[]> tags(int maxTags, int maxLength) {
        return (fields, name, links) -> {
            if (!fields.hasText(name)) {
                return null;
            }
            return fields.isBlank(name) ? new String[0] : fields.tags(name, maxTags, maxLength);
        };
    }

    /** A text as it is. */
    static InputRule<String> verbatim(int maxLength) {
        return (fields, name, links) -> fields.hasText(name) ? fields.verbatim(name, maxLength) : null;
    }

    /** One or more of the choices. */
    static InputRule<String[]> someOf(List<String> choices) {
        return (fields, name, links) -> fields.has(name) && !fields.isEmptyFormList(name)
                ? fields.choices(name, choices, false)
                : null;
    }

    /** Any number of the choices, or none. */
    static InputRule<String[]> anyOf(List<String> choices) {
        return (fields, name, links) -> fields.has(name) ? fields.choices(name, choices, true) : null;
    }

    static InputRule<String> bandStats() {
        return (fields, name, links) -> fields.has(name) ? BandStats.read(fields, name) : null;
    }

    /** {@code [lat_a, lon_a, lat_b, lon_b]} in degrees, or empty. */
    static InputRule<double[]> bbox() {
        return (fields, name, links) -> {
            double[] bbox = fields.has(name) ? fields.numbers(name, 90, 180, 90, 180) : null;
            if (bbox != null && bbox.length > 0 && (bbox[0] > bbox[2] || bbox[1] > bbox[3])) {
                fields.refuse(name, "Expected [lat_a, lon_a, lat_b, lon_b] with lat_a <= lat_b and lon_a <= lon_b.");
            }
            return bbox;
        };
    }

    /** {@code [latitude, longitude]} in degrees; empty for null. */
    static InputRule<double[]> coordinates() {
        return (fields, name, links) -> {
            if (!fields.has(name)) {
                return null;
            }
            return fields.isNull(name) ? new double[0] : fields.numbers(name, 90, 180);
        };
    }

    static InputRule<UUID> uuid() {
        return (fields, name, links) -> {
            String text = fields.has(name) ? fields.text(name, MAX_NAME) : null;
            if (text == null) {
                return null;
            }
            try {
                UUID uuid = UUID.fromString(text);
                if (uuid.toString().equalsIgnoreCase(text)) {
                    return uuid;
                }
            } catch (IllegalArgumentException e) {
                // The message is the same as for a UUID in another notation.
            }
            return fields.refuse(name, "Must be a valid UUID.");
        };
    }

    /** {@code <username> <user_id>}. The name may contain spaces. */
    static InputRule<String> user() {
        return (fields, name, links) -> {
            String text = fields.has(name) ? fields.verbatim(name, Username.MAX_LENGTH + 20) : null;
            if (text == null) {
                return null;
            }
            int space = text.lastIndexOf(' ');
            String id = text.substring(space + 1);
            if (space < 1 || !id.matches("\\d{1,16}") || Long.parseLong(id) > DrfFields.MAX_INTEGER) {
                return fields.refuse(name, "Expected a username, one space, and the user's id.");
            }
            String username = Username.normalize(text.substring(0, space));
            String refusal = Username.refusal(username);
            return refusal == null ? username + ' ' + id : fields.refuse(name, refusal);
        };
    }

    /** A link to a thumbnail, read as the object's key. The placeholder's link stands for no thumbnail. */
    static InputRule<String> thumbnailKey() {
        return (fields, name, links) -> {
            String link = fields.has(name) && !fields.isNull(name) ? fields.verbatim(name, MAX_LINK) : null;
            if (link == null || link.isEmpty()) {
                return null;
            }
            String key = links.key(link);
            if (key == null) {
                return fields.refuse(name, "Expected a link to an object in the file storage.");
            }
            return links.isPlaceholder(key) ? null : key;
        };
    }

    /** Locations of rasters, by product, as JSON text; empty for null, and for a form field that means null. */
    static InputRule<String> rasters(List<String> products) {
        return (fields, name, links) -> {
            if (!fields.hasText(name)) {
                return null;
            }
            ObjectNode locations = fields.isBlank(name) ? JsonNodeFactory.instance.objectNode() : fields.object(name);
            if (locations == null) {
                return null;
            }
            ObjectNode errors = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> location : locations.properties()) {
                String product = location.getKey();
                if (!products.contains(product)) {
                    errors.putArray(ApiException.shorten(product)).add("There is no such raster.");
                } else if (!location.getValue().isTextual() || !RasterLinks.isLocation(location.getValue().asText())) {
                    errors.putArray(product).add("Expected a key below the folder of the dataset, or an https address"
                            + " without a query, of at most 500 characters.");
                }
                if (errors.size() > products.size()) {
                    break;
                }
            }
            if (!errors.isEmpty()) {
                fields.refuse(name, errors);
                return null;
            }
            return locations.toString();
        };
    }

    /** What rasters say of themselves, by product, as JSON text. */
    static InputRule<String> rasterHeaders(List<String> products) {
        return (fields, name, links) -> fields.has(name) && !fields.isNull(name)
                ? RasterHeaders.read(fields, name, products)
                : null;
    }

    /** Refuses every value except null. */
    static InputRule<Void> nothing() {
        return (fields, name, links) -> fields.has(name) && !fields.isNull(name)
                ? fields.refuse(name, "Only null can be kept.")
                : null;
    }
}
