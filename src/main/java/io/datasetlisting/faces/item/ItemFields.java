package io.datasetlisting.faces.item;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The members of items that a search asks for. Excluded names alone leave everything else. Otherwise an item has the included
 * members and those that make it valid, without the excluded ones. A name counts more than that of the member that contains it,
 * and an included name more than the same name excluded.
 *
 * @param included
 *            names of members, or of members of members after a point; bare names of properties are not among them
 *
 * @see <a href="https://github.com/stac-api-extensions/fields">Fields extension of STAC API</a>
 */
public record ItemFields(Set<String> included, Set<String> excluded) {

    private static final String PROPERTIES = "properties.";

    private static final Set<String> MEMBERS = Set.of("type", "stac_version", "stac_extensions", "id", "collection",
            "geometry", "bbox", "properties", "links", "assets");

    /** What makes an item valid. */
    private static final Set<String> DEFAULT = Set.of("type", "stac_version", "id", "collection", "geometry", "bbox",
            "properties.datetime", "links", "assets");

    /** The selection with these names, each as {@code title} or {@code properties.title}. Names of no member have no effect. */
    public static ItemFields of(List<String> include, List<String> exclude) {
        return new ItemFields(paths(include), paths(exclude));
    }

    private static Set<String> paths(List<String> names) {
        Set<String> paths = new LinkedHashSet<>();
        names.forEach(name -> paths.add(MEMBERS.contains(name.split("\\.", 2)[0]) ? name : PROPERTIES + name));
        return paths;
    }

    /** Removes the other members. */
    public ObjectNode select(ObjectNode item) {
        for (Iterator<Map.Entry<String, JsonNode>> members = item.properties().iterator(); members.hasNext();) {
            Map.Entry<String, JsonNode> member = members.next();
            String name = member.getKey();
            if (member.getValue() instanceof ObjectNode object) {
                object.properties().removeIf(inner -> !hasPart(name, name + '.' + inner.getKey()));
                if (object.isEmpty() && isExcluded(name)) {
                    members.remove();
                }
            } else if (isExcluded(name) || !included.contains(name) && !isInBase(name)) {
                members.remove();
            }
        }
        return item;
    }

    private boolean isExcluded(String path) {
        return excluded.contains(path) && !included.contains(path);
    }

    /** Whether an item has a member of a member. */
    private boolean hasPart(String member, String path) {
        if (included.contains(path) || excluded.contains(path)) {
            return included.contains(path);
        }
        return included.contains(member) || !excluded.contains(member) && (isInBase(member) || isInBase(path));
    }

    /** Whether an item has a member that the search does not name. */
    private boolean isInBase(String path) {
        return included.isEmpty() && !excluded.isEmpty() || DEFAULT.contains(path);
    }
}
