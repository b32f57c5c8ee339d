package io.datasetlisting.stac;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The members of items that a search asks for. Members that an item needs to be valid are included unless they are excluded.
 *
 * @param excluded
 *            names of members, or of members of members after a point; bare names of properties are not among them
 *
 * @see <a href="https://github.com/stac-api-extensions/fields">Fields extension of STAC API</a>
 */
record ItemFields(Set<String> included, Set<String> excluded) {

    private static final String PROPERTIES = "properties.";

    private static final Set<String> MEMBERS = Set.of("type", "stac_version", "stac_extensions", "id", "collection",
            "geometry", "bbox", "properties", "links", "assets");

    private static final List<String> DEFAULT = List.of("type", "stac_version", "id", "collection", "geometry", "bbox",
            "properties.datetime", "links", "assets");

    /** The selection with these names, each as {@code title} or {@code properties.title}. Names of no member have no effect. */
    static ItemFields of(List<String> include, List<String> exclude) {
        Set<String> included = new LinkedHashSet<>(DEFAULT);
        include.forEach(name -> included.add(path(name)));
        Set<String> excluded = new LinkedHashSet<>();
        exclude.forEach(name -> excluded.add(path(name)));
        return new ItemFields(included, excluded);
    }

    private static String path(String name) {
        return MEMBERS.contains(name.split("\\.", 2)[0]) ? name : PROPERTIES + name;
    }

    /** Removes the other members. */
    ObjectNode select(ObjectNode item) {
        for (Iterator<Map.Entry<String, JsonNode>> members = item.properties().iterator(); members.hasNext();) {
            Map.Entry<String, JsonNode> member = members.next();
            String name = member.getKey();
            if (excluded.contains(name) || !included.contains(name) && !isPartlyIncluded(name)) {
                members.remove();
            } else if (member.getValue() instanceof ObjectNode object) {
                boolean isWhole = included.contains(name);
                object.properties().removeIf(inner -> excluded.contains(name + '.' + inner.getKey())
                        || !isWhole && !included.contains(name + '.' + inner.getKey()));
            }
        }
        return item;
    }

    private boolean isPartlyIncluded(String name) {
        return included.stream().anyMatch(path -> path.startsWith(name + '.'));
    }
}
