package io.datasetlisting.faces.detail;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A JSON value that the template {@code jsonView} shows: an object as a list of names and values, an array as a list, all
 * others, empty ones and arrays of numbers as text.
 *
 * @param text
 *            of a value that is shown as text, and of a link; otherwise null
 * @param href
 *            address of a link; otherwise null
 * @param items
 *            of an array that is shown as a list; otherwise null
 * @param members
 *            of an object; empty for other values
 */
public record JsonView(String text, String href, List<JsonView> items, List<Member> members) {

    /** The members that contain the address of a document. */
    private static final Set<String> ADDRESSES = Set.of("href", "$id");

    private static final Set<String> TECHNICAL = Set.of("conformsTo", "links");

    /** A member of an object. */
    public record Member(String name, JsonView value) {

        /** Whether only programs need the member. */
        public boolean isTechnical() {
            return value.items != null && TECHNICAL.contains(name);
        }
    }

    public static JsonView of(JsonNode json) {
        if (json.isNull() || json.isContainerNode() && json.isEmpty()) {
            return text("none");
        }
        if (isRowOfNumbers(json)) {
            List<String> numbers = new ArrayList<>();
            json.forEach(number -> numbers.add(number.asText()));
            return text(String.join(", ", numbers));
        }
        if (json.isArray()) {
            List<JsonView> items = new ArrayList<>();
            json.forEach(item -> items.add(of(item)));
            return new JsonView(null, null, items, List.of());
        }
        if (json.isObject()) {
            List<Member> members = new ArrayList<>();
            json.properties().forEach(member -> members.add(new Member(member.getKey(),
                    ADDRESSES.contains(member.getKey()) ? address(member.getValue()) : of(member.getValue()))));
            return new JsonView(null, null, null, members);
        }
        return text(json.asText());
    }

    /** A box or a position, for example. */
    private static boolean isRowOfNumbers(JsonNode json) {
        return json.isArray() && json.valueStream().allMatch(JsonNode::isNumber);
    }

    private static JsonView text(String text) {
        return new JsonView(text, null, null, List.of());
    }

    /** The address of another scheme would be a script. */
    private static JsonView address(JsonNode address) {
        String text = address.asText();
        return text.matches("https?://.*") ? new JsonView(text, text, null, List.of()) : of(address);
    }
}
