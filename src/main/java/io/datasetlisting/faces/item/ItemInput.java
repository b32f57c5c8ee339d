package io.datasetlisting.faces.item;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.GeometryReader;
import io.datasetlisting.dataset.rule.ItemLocation;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.write.edit.DatasetInput;

/**
 * Reads items of clients into datasets: the table of properties backwards. The values have the rules of {@link DatasetInput}. A
 * value that the item already has is no input, so a client that sends back an item that it got changes nothing.
 */
@Singleton
public class ItemInput {

    /** Places that one response names. */
    public static final int MAX_ERRORS = 100;

    private static final String ID = "id";
    private static final String COLLECTION = "collection";
    private static final String GEOMETRY = "geometry";
    private static final String BBOX = "bbox";
    private static final String COORDINATES = "coordinates";
    private static final String PROPERTIES = "properties";
    private static final String DATETIME = "datetime";
    private static final String START = "start_datetime";
    private static final String KEYWORDS = "keywords";
    private static final String CATEGORY = "category";
    private static final String TAGS = "tags";

    /** Members in which predecessors and extensions of GeoJSON name a coordinate reference system. */
    private static final List<String> REFERENCE_SYSTEMS = List.of("crs", "coordRefSys");

    /** Members that the service writes itself, and that a change cannot remove. */
    private static final Set<String> OF_THE_SERVICE = Set.of("stac_version", "stac_extensions", "links", "assets");

    /** Equal JSON, where {@code 1} and {@code 1.0} are equal. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    private final DatasetInput input;
    private final Map<String, DatasetField<?>> writable = new LinkedHashMap<>();
    private final Set<String> names;
    private final DatasetField<?> category;
    private final DatasetField<?> tags;

    ItemInput(DatasetFields fields, ItemProperties properties, DatasetInput input) {
        this.input = input;
        // The last ones first: a raster is available as long as the owner names its location.
        List<DatasetField<?>> last = new ArrayList<>(fields.table());
        Collections.reverse(last);
        last.stream().filter(field -> field.property() != null && field.isWritable())
                .forEach(field -> writable.put(field.property(), field));
        names = properties.inItemOrder().stream().filter(property -> property.writer() != null)
                .map(ItemProperties.Property::name).collect(Collectors.toSet());
        category = fields.get(CATEGORY);
        tags = fields.get(TAGS);
    }

    /** What an item of a client means. */
    public enum Write {
        /** The item is a new one, and the item of the service shows only what the service writes itself. */
        CREATE,
        /** The item replaces that of the service. */
        REPLACE,
        /**
         * The item is a change of that of the service.
         *
         * @see <a href="https://www.rfc-editor.org/rfc/rfc7396">RFC 7396, JSON Merge Patch</a>
         */
        UPDATE
    }

    /**
     * Reads an item into a dataset.
     *
     * @param sent
     *            is not changed
     * @param kept
     *            the item of the service
     * @param leftOut
     *            receives the paths of the parts that a dataset cannot keep, which have no effect; null if they are errors
     * @param path
     *            of the item in the body: empty, or with a point at its end
     * @param errors
     *            receives the messages by path; then the dataset must not be stored
     */
    public void read(JsonNode sent, ObjectNode kept, Write write, Consumer<String> leftOut, Dataset dataset,
            String path, ObjectNode errors) {
        if (sent instanceof ObjectNode item) {
            new Reading(item, kept, write, leftOut, dataset, path, errors).run();
        } else {
            errors.putArray(path + "type").add("An item is a JSON object.");
        }
    }

    private final class Reading {

        private final ObjectNode sent;
        private final ObjectNode kept;
        private final Write write;
        private final Consumer<String> leftOut;
        private final Dataset dataset;
        private final String path;
        private final ObjectNode errors;
        /** The item with all its members: for a change, the item of the service as it is after the change. */
        private final ObjectNode whole;
        private final ObjectNode values = JsonNodeFactory.instance.objectNode();
        /** The member of the item that a field comes from. */
        private final Map<String, String> sources = new HashMap<>();

        Reading(ObjectNode sent, ObjectNode kept, Write write, Consumer<String> leftOut, Dataset dataset, String path,
                ObjectNode errors) {
            this.sent = sent;
            this.kept = kept;
            this.write = write;
            this.leftOut = leftOut;
            this.dataset = dataset;
            this.path = path;
            this.errors = errors;
            whole = write == Write.UPDATE ? (ObjectNode) merge(kept.deepCopy(), sent) : sent;
        }

        void run() {
            checkType();
            checkId(ID, sent.path(ID));
            checkCollection();
            sent.properties().forEach(member -> checkMember(member.getKey(), member.getValue()));
            readLocation();
            readProperties();
            DrfFields fields = DrfFields.of(values);
            input.readWritable(fields, dataset);
            try {
                fields.check();
            } catch (ApiException e) {
                e.fields().properties().forEach(
                        field -> setError(sources.get(field.getKey()), field.getValue()));
            }
        }

        private void checkType() {
            JsonNode type = sent.path("type");
            if (!type.asText().equals("Feature") && !(write == Write.UPDATE && type.isMissingNode())) {
                refuse("type", "Expected \"Feature\".");
            }
        }

        private void checkId(String name, JsonNode id) {
            if (write == Write.CREATE) {
                if (!isNothing(id)) {
                    lose(name, "The service numbers new items itself.");
                }
            } else if (!(isNothing(id) && !(write == Write.UPDATE && id.isNull()))
                    && !((id.isTextual() || id.isIntegralNumber()) && id.asText().equals(kept.get(ID).textValue()))) {
                refuse(name, "The id of an item cannot change.");
            }
        }

        private void checkCollection() {
            JsonNode collection = sent.path(COLLECTION);
            if (collection.equals(kept.get(COLLECTION)) || isNothing(collection) && !isRemoved(collection)) {
                return;
            }
            if (write == Write.CREATE) {
                lose(COLLECTION, "The item is in the collection of the address.");
            } else {
                refuse(COLLECTION, "The collection of an item cannot change.");
            }
        }

        private void checkMember(String name, JsonNode value) {
            if (isRemoved(value) && OF_THE_SERVICE.contains(name)) {
                lose(name);
                return;
            }
            switch (name) {
                case "type", ID, COLLECTION, GEOMETRY, BBOX, PROPERTIES, "stac_version" -> {
                    // Read elsewhere, or the version in which the client writes.
                }
                case "stac_extensions" -> {
                    if (!isNothing(value) && !value.isEmpty() && !isSame(value, kept.path(name))) {
                        lose(name, "The service names the extensions of its items itself.");
                    }
                }
                case "links" -> checkLinks(value);
                case "assets" -> checkAssets(value);
                default -> {
                    if (!REFERENCE_SYSTEMS.contains(name) && !isNothing(value)) {
                        lose(name);
                    } else if (!GeometryReader.isCrs84(value)) {
                        refuse(name, "The only coordinate reference system is CRS84.");
                    }
                }
            }
        }

        /** Clients write addresses of links in their own ways. */
        private void checkLinks(JsonNode links) {
            if (isNothing(links)) {
                return;
            }
            Set<String> relations = new HashSet<>();
            kept.get("links").forEach(link -> relations.add(link.get("rel").textValue()));
            for (int i = 0; i < links.size(); i++) {
                String relation = links.path(i).path("rel").asText();
                if (!relations.contains(relation)) {
                    lose("links." + i);
                } else if (write == Write.CREATE && relation.equals("alternate")) {
                    nameReplaced("links." + i);
                }
            }
            if (!links.isArray()) {
                lose("links");
            }
        }

        private void checkAssets(JsonNode assets) {
            if (!isNothing(assets) && !assets.isObject()) {
                lose("assets");
                return;
            }
            assets.properties().forEach(asset -> {
                String name = "assets." + asset.getKey();
                JsonNode own = kept.get("assets").path(asset.getKey());
                if (write == Write.CREATE && !own.isMissingNode()) {
                    nameReplaced(name);
                } else if (!isSame(whole("assets", asset), own)) {
                    lose(name);
                }
            });
        }

        /** The value that a member of a member has in the whole item. */
        private JsonNode whole(String name, Map.Entry<String, JsonNode> member) {
            return write == Write.UPDATE ? whole.path(name).path(member.getKey()) : member.getValue();
        }

        private void readLocation() {
            boolean hasGeometry = !isNothing(sent.path(GEOMETRY));
            boolean hasBbox = !isNothing(sent.path(BBOX));
            if (isRemoved(sent.path(GEOMETRY))
                    || !hasGeometry && !hasBbox && (write == Write.CREATE || sent.path(GEOMETRY).isNull())) {
                refuse(GEOMETRY, "An item has a geometry: one without a location is in no collection.");
                return;
            }
            if (isRemoved(sent.path(BBOX))) {
                lose(BBOX);
            }
            try {
                if (hasGeometry) {
                    readGeometry(hasBbox);
                } else if (hasBbox) {
                    readBbox(sent.get(BBOX));
                }
            } catch (ApiException e) {
                refuse(hasGeometry ? GEOMETRY : BBOX, e.getMessage());
            }
        }

        private void readGeometry(boolean hasBbox) {
            JsonNode geometry = whole.get(GEOMETRY);
            boolean isKept = write != Write.CREATE && isSame(geometry, kept.get(GEOMETRY));
            ItemLocation location = isKept ? null : ItemLocation.ofGeometry(geometry);
            if (location != null) {
                if (!location.isExact()) {
                    lose(GEOMETRY, "A dataset keeps a point, or a box without elevations.");
                }
                move(location, GEOMETRY);
            }
            // The geometry decides where the item is.
            if (hasBbox && !(write != Write.CREATE && isKept && isSame(sent.get(BBOX), kept.get(BBOX)))) {
                try {
                    ItemLocation box = ItemLocation.ofBbox(sent.get(BBOX));
                    if (!box.isExact() || !box.isSame(isKept ? ItemLocation.ofBbox(kept.get(BBOX)) : location)) {
                        lose(BBOX, "The bbox of an item is that of its geometry.");
                    }
                } catch (ApiException e) {
                    lose(BBOX, e.getMessage());
                }
            }
        }

        private void readBbox(JsonNode bbox) {
            if (write == Write.CREATE || !isSame(bbox, kept.get(BBOX))) {
                ItemLocation location = ItemLocation.ofBbox(bbox);
                if (!location.isExact()) {
                    lose(BBOX, "A dataset keeps no elevations.");
                }
                move(location, BBOX);
            }
        }

        private void move(ItemLocation to, String source) {
            sources.put(BBOX, source);
            sources.put(COORDINATES, source);
            ArrayNode bbox = values.putArray(BBOX);
            if (to.isPoint()) {
                values.putArray(COORDINATES).add(to.south()).add(to.west());
                return;
            }
            bbox.add(to.south()).add(to.west()).add(to.north()).add(to.east());
            if (dataset.coordinates != null && !to.contains(dataset.coordinates)) {
                // The centre of the box. An item with an area does not show the position of its dataset.
                values.putNull(COORDINATES);
            }
        }

        private void readProperties() {
            JsonNode properties = sent.path(PROPERTIES);
            if (!properties.isObject() && (!isNothing(properties) || isRemoved(properties))) {
                refuse(PROPERTIES, "Expected an object.");
                return;
            }
            if (write == Write.CREATE && isNothing(properties.path(DATETIME)) && isNothing(properties.path(START))) {
                refuse(PROPERTIES + '.' + DATETIME,
                        "An item has a time: datetime, or start_datetime and end_datetime.");
            }
            if (write == Write.REPLACE) {
                writable.values().stream().filter(field -> field.isOptionalInItems()
                        && isNothing(properties.path(field.property()))
                        && !((field == category || field == tags) && !isNothing(properties.path(KEYWORDS))))
                        .forEach(field -> field.clear(dataset));
            }
            boolean isRange = readRange(properties);
            properties.properties().forEach(property -> {
                if (!isRange || !property.getKey().equals(START) && !property.getKey().equals(DATETIME)) {
                    readProperty(property);
                }
            });
            readKeywords(properties);
        }

        /**
         * A range of time without an instant is stored with its start, because a dataset has one time.
         *
         * @return whether the item has one
         */
        private boolean readRange(JsonNode properties) {
            JsonNode start = properties.path(START);
            JsonNode instant = properties.path(DATETIME);
            if (isNothing(start) || !isNothing(instant) || write == Write.UPDATE && !instant.isNull()) {
                return false;
            }
            if (leftOut == null) {
                lose(PROPERTIES + '.' + START, "A dataset keeps one time, and no range.");
            } else {
                leftOut.accept(path + PROPERTIES + '.' + DATETIME + '=' + START);
            }
            put(writable.get(DATETIME), start, DATETIME);
            sources.put(writable.get(DATETIME).name(), PROPERTIES + '.' + START);
            return true;
        }

        private void readProperty(Map.Entry<String, JsonNode> property) {
            String name = property.getKey();
            JsonNode own = write == Write.CREATE
                    ? MissingNode.getInstance()
                    : kept.get(PROPERTIES).path(name);
            JsonNode value = whole(PROPERTIES, property);
            DatasetField<?> field = writable.get(name);
            if (isRemoved(property.getValue())) {
                remove(name, field, !own.isMissingNode());
            } else if (name.equals(ID)) {
                checkId(PROPERTIES + '.' + ID, value);
            } else if (!isNothing(value) && !name.equals(KEYWORDS) && !isSame(value, own)) {
                if (field != null) {
                    put(field, value, name);
                } else if (write != Write.CREATE || !names.contains(name)) {
                    lose(PROPERTIES + '.' + name);
                } else {
                    nameReplaced(PROPERTIES + '.' + name);
                }
            }
        }

        private void put(DatasetField<?> field, JsonNode value, String property) {
            // The rules of some fields change the notation of numbers.
            values.set(field.name(), value.deepCopy());
            sources.put(field.name(), PROPERTIES + '.' + property);
            if (property.equals(DATETIME)) {
                // An item shows the fraction of the second, which the listing does not: a whole second is another time.
                dataset.capturedDate = null;
            }
        }

        private void remove(String name, DatasetField<?> field, boolean isThere) {
            if (field != null && field.isOptionalInItems()) {
                field.clear(dataset);
            } else if (field != null) {
                put(field, JsonNodeFactory.instance.nullNode(), name);
            } else if (name.equals(ID)) {
                refuse(PROPERTIES + '.' + ID, "The id of an item cannot change.");
            } else if (isThere && !name.equals(KEYWORDS)) {
                lose(PROPERTIES + '.' + name);
            }
        }

        /** The keywords are the categories and the tags. Where an item has the property of one of these, the property counts. */
        private void readKeywords(JsonNode properties) {
            JsonNode keywords = properties.path(KEYWORDS);
            JsonNode categories = properties.path(category.property());
            JsonNode ownTags = properties.path(tags.property());
            if (isRemoved(keywords)) {
                Stream.of(category, tags).filter(field -> isNothing(properties.path(field.property())))
                        .forEach(field -> field.clear(dataset));
            }
            if (isNothing(keywords)
                    || write != Write.CREATE && isSame(keywords, kept.get(PROPERTIES).path(KEYWORDS))) {
                return;
            }
            if (!keywords.isArray()) {
                lose(PROPERTIES + '.' + KEYWORDS, "Expected a list of texts.");
                return;
            }
            Set<String> known = new HashSet<>();
            Stream.of(categories, ownTags).forEach(own -> own.forEach(each -> known.add(each.asText())));
            ArrayNode chosen = JsonNodeFactory.instance.arrayNode();
            ArrayNode words = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < keywords.size(); i++) {
                JsonNode keyword = keywords.get(i);
                boolean isCategory = DatasetFields.CATEGORIES.contains(keyword.asText());
                if (isNothing(isCategory ? categories : ownTags)) {
                    (isCategory ? chosen : words).add(keyword);
                } else if (!known.contains(keyword.asText())) {
                    lose(PROPERTIES + '.' + KEYWORDS + '.' + i, "The keywords of an item are its categories and tags.");
                }
            }
            if (!chosen.isEmpty()) {
                put(category, chosen, KEYWORDS);
            } else if (write == Write.REPLACE && isNothing(categories)) {
                category.clear(dataset);
            }
            if (isNothing(ownTags)) {
                put(tags, words, KEYWORDS);
            }
        }

        private boolean isRemoved(JsonNode value) {
            return write == Write.UPDATE && value.isNull();
        }

        /** Names a part of a new item that the service writes itself. A copy of an item of the service has it: it is no error. */
        private void nameReplaced(String member) {
            if (leftOut != null) {
                leftOut.accept(path + member);
            }
        }

        private void lose(String member) {
            lose(member, "A dataset cannot keep this.");
        }

        private void lose(String member, String reason) {
            if (leftOut == null) {
                refuse(member, reason);
            } else {
                leftOut.accept(path + member);
            }
        }

        private void refuse(String member, String reason) {
            setError(member, JsonNodeFactory.instance.arrayNode().add(reason));
        }

        private void setError(String member, JsonNode messages) {
            if (errors.size() < MAX_ERRORS) {
                errors.set(path + ApiException.shorten(member), messages);
            }
        }
    }

    private static boolean isNothing(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static boolean isSame(JsonNode one, JsonNode other) {
        return one.equals(BY_VALUE, other);
    }

    /** Applies a merge patch. */
    private static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode merged = target instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
        patch.properties().forEach(member -> {
            if (member.getValue().isNull()) {
                merged.remove(member.getKey());
            } else {
                merged.set(member.getKey(), merge(merged.path(member.getKey()), member.getValue()));
            }
        });
        return merged;
    }
}
