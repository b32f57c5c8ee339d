package io.datasetlisting.faces.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Compares random writes of items, lenient and strict, with a plain model of the fields of each dataset. */
@QuarkusTest
class TransactionModelTest {

    private static final String ITEMS = "/stac/collections/datasets/items";
    private static final List<String> CATEGORIES = List.of("Forest", "Desert", "Wetlands", "Rocky");
    private static final int WRITES = RandomTests.times(75, 600);

    private final Random random = new Random(RandomTests.seed(36));
    private final Map<Long, JsonObject> model = new TreeMap<>();

    @Inject
    Catalogue catalogue;

    /** A random item, what it makes of a dataset, and what is wrong with it. */
    private final class Write {

        final String method;
        final Long id;
        final JsonObject item = new JsonObject();
        final JsonObject properties = new JsonObject();
        final JsonObject fields;
        final Set<String> lost = new TreeSet<>();
        final Set<String> wrong = new TreeSet<>();

        Write(Caller caller) {
            int kind = random.nextInt(8);
            id = kind < 2 || model.isEmpty() ? null : List.copyOf(model.keySet()).get(random.nextInt(model.size()));
            method = id == null ? "POST" : kind < 5 ? "PATCH" : "PUT";
            fields = id == null
                    ? new JsonObject().put("dataset_name", "").put("category", new JsonArray().add("Other"))
                            .put("tags", new JsonArray()).put("is_private", false).put("is_shareable", false)
                            .put("available_rasters", new JsonArray()).put("workspace", caller.workspace())
                            .put("bbox", new JsonArray()).put("coordinates", new JsonArray())
                    : model.get(id).copy();
            if (!method.equals("PATCH") || random.nextBoolean()) {
                item.put("type", "Feature");
            }
            location();
            title();
            categories();
            rasters();
            flags();
            datetime();
            workspace();
            others();
            item.put("properties", properties);
        }

        boolean chance(int of) {
            return random.nextInt(of) == 0;
        }

        void title() {
            boolean isReplaced = method.equals("PUT");
            switch (random.nextInt(6)) {
                case 0 -> put("title", "dataset_name", " name " + random.nextInt(50) + ' ', "name ");
                case 1 -> {
                    properties.putNull("title");
                    if (id != null) {
                        fields.put("dataset_name", "");
                    }
                }
                case 2 -> {
                    if (chance(3)) {
                        properties.put("title", "x".repeat(256));
                        wrong.add("properties.title");
                    } else if (id != null && fields.getString("dataset_name").isEmpty()) {
                        properties.put("title", "Dataset " + id);
                    } else if (isReplaced) {
                        fields.put("dataset_name", "");
                    }
                }
                default -> {
                    if (isReplaced) {
                        fields.put("dataset_name", "");
                    }
                }
            }
        }

        private void put(String property, String field, String value, String start) {
            properties.put(property, value);
            fields.put(field, start.isEmpty() ? value : value.strip());
        }

        private JsonArray someCategories() {
            JsonArray chosen = new JsonArray();
            CATEGORIES.stream().filter(each -> random.nextBoolean()).forEach(chosen::add);
            return chosen.isEmpty() ? chosen.add("Savanna") : chosen;
        }

        void categories() {
            JsonArray old = fields.getJsonArray("category");
            JsonArray shown = old.copy().addAll(fields.getJsonArray("tags"));
            int kind = random.nextInt(6);
            JsonArray given = kind == 0 ? someCategories() : kind == 1 ? old : null;
            JsonArray keywords = switch (random.nextInt(6)) {
                case 0 -> someCategories();
                case 1 -> shown;
                case 2 -> someCategories().add("alps");
                default -> null;
            };
            if (given != null) {
                properties.put("dataset:category", given);
                fields.put("category", given);
            }
            if (keywords != null) {
                properties.put("keywords", keywords);
            }
            if (keywords == null && method.equals("PUT")) {
                fields.put("tags", new JsonArray());
                if (given == null) {
                    fields.put("category", new JsonArray().add("Other"));
                }
            }
            if (keywords == null || id != null && keywords.equals(shown)) {
                return;
            }
            JsonArray categories = keywords.copy();
            boolean isTagged = categories.remove("alps");
            fields.put("tags", isTagged ? new JsonArray().add("alps") : new JsonArray());
            if (given == null) {
                fields.put("category", categories);
                return;
            }
            for (int i = 0; i < categories.size(); i++) {
                if (!given.contains(categories.getValue(i))) {
                    lost.add("properties.keywords." + i);
                }
            }
        }

        void rasters() {
            int kind = random.nextInt(5);
            if (kind == 0) {
                JsonArray rasters = new JsonArray();
                List.of("ortho", "dsm").stream().filter(each -> random.nextBoolean()).forEach(rasters::add);
                properties.put("dataset:rasters", rasters);
                fields.put("available_rasters", rasters);
            } else if (kind == 1 && chance(3)) {
                properties.put("dataset:rasters", new JsonArray().add("hologram"));
                wrong.add("properties.dataset:rasters");
            } else if (kind == 2 || method.equals("PUT")) {
                if (kind == 2) {
                    properties.putNull("dataset:rasters");
                }
                fields.put("available_rasters", new JsonArray());
            }
        }

        void flags() {
            for (String flag : List.of("is_private", "is_shareable")) {
                int kind = random.nextInt(6);
                if (kind < 2) {
                    properties.put("dataset:" + flag, kind == 1);
                    fields.put(flag, kind == 1);
                } else if (kind == 2 && chance(4)) {
                    properties.putNull("dataset:" + flag);
                    if (method.equals("PATCH")) {
                        wrong.add("properties.dataset:" + flag);
                    }
                }
            }
        }

        void datetime() {
            int kind = random.nextInt(6);
            if (kind < 2 || id == null) {
                String time = "20" + (10 + random.nextInt(15)) + "-03-04T05:06:07Z";
                properties.put("datetime", time);
                fields.put("captured_date", time);
            } else if (kind == 2 && chance(4)) {
                properties.put("datetime", "yesterday");
                wrong.add("properties.datetime");
            }
        }

        void workspace() {
            if (chance(5)) {
                int workspace = random.nextInt(90);
                properties.put("dataset:workspace", workspace);
                fields.put("workspace", workspace);
            }
        }

        void others() {
            if (chance(8)) {
                properties.put("eo:cloud_cover", 5);
                lost.add("properties.eo:cloud_cover");
            }
            if (chance(8)) {
                properties.put("updated", "2020-01-01T00:00:00Z");
                if (id != null) {
                    lost.add("properties.updated");
                }
            }
            if (chance(8)) {
                item.put("description", "x");
                lost.add("description");
            }
            if (chance(8)) {
                boolean isOwn = random.nextBoolean();
                item.put("links", new JsonArray().add(new JsonObject().put("rel", isOwn ? "self" : "license")
                        .put("href", "https://example.org")));
                if (!isOwn) {
                    lost.add("links.0");
                }
            }
            if (chance(8)) {
                boolean isOwn = id != null && random.nextInt(3) > 0;
                item.put("id", isOwn ? id.toString() : "flight-" + random.nextInt(9));
                if (!isOwn) {
                    (id == null ? lost : wrong).add("id");
                }
            }
        }

        void location() {
            boolean isNeeded = id == null;
            int kind = random.nextInt(isNeeded ? 6 : 10);
            int west = random.nextInt(170) - 90;
            int south = random.nextInt(80) - 45;
            int east = west + 1 + random.nextInt(5);
            int north = south + 1 + random.nextInt(5);
            JsonArray box = numbers(west, south, east, north);
            switch (kind) {
                case 0 -> {
                    item.put("geometry", geometry("Point", numbers(west, south)));
                    fields.put("bbox", new JsonArray()).put("coordinates", numbers(south, west));
                    bbox(numbers(west, south, west, south));
                }
                case 1, 2 -> {
                    item.put("geometry", geometry("Polygon", new JsonArray().add(new JsonArray()
                            .add(numbers(west, south)).add(numbers(east, south)).add(numbers(east, north))
                            .add(numbers(west, north)).add(numbers(west, south)))));
                    move(south, west, north, east);
                    bbox(box);
                }
                case 3 -> {
                    item.put("geometry", geometry("LineString", new JsonArray().add(numbers(east, north))
                            .add(numbers(west, south))));
                    lost.add("geometry");
                    move(south, west, north, east);
                    bbox(box);
                }
                case 4 -> {
                    item.put("bbox", box);
                    move(south, west, north, east);
                }
                case 5 -> {
                    if (isNeeded || random.nextBoolean()) {
                        item.put("geometry", geometry("Point", numbers(west, 95)));
                    } else {
                        item.putNull("geometry");
                    }
                    wrong.add("geometry");
                }
                default -> {
                    // The item stays where it is.
                }
            }
        }

        private void bbox(JsonArray expected) {
            int kind = random.nextInt(4);
            if (kind == 0) {
                item.put("bbox", expected);
            } else if (kind == 1) {
                item.put("bbox", numbers(0, 0, 0, 77));
                lost.add("bbox");
            }
        }

        /** Coordinates that are the centre move with the box; others stay while they are inside. */
        private void move(double south, double west, double north, double east) {
            JsonArray old = fields.getJsonArray("bbox");
            JsonArray at = fields.getJsonArray("coordinates");
            boolean isCentre = at.isEmpty() || !old.isEmpty()
                    && at.equals(numbers((old.getDouble(0) + old.getDouble(2)) / 2,
                            (old.getDouble(1) + old.getDouble(3)) / 2));
            boolean isInside = !at.isEmpty() && at.getDouble(0) >= south && at.getDouble(0) <= north
                    && at.getDouble(1) >= west && at.getDouble(1) <= east;
            fields.put("bbox", numbers(south, west, north, east));
            if (isCentre || !isInside) {
                fields.put("coordinates", numbers((south + north) / 2, (west + east) / 2));
            }
        }
    }

    private static JsonObject geometry(String type, JsonArray coordinates) {
        return new JsonObject().put("type", type).put("coordinates", coordinates);
    }

    private static JsonArray numbers(double... numbers) {
        return new JsonArray(DoubleStream.of(numbers).boxed().toList());
    }

    @Test
    void eachWriteDoesWhatTheModelDoes() {
        catalogue.replaceWith();
        Caller owner = Caller.writer("owner");
        int refused = 0;
        for (int i = 0; i < WRITES; i++) {
            Write write = new Write(owner);
            boolean isStrict = random.nextBoolean();
            Set<String> places = new TreeSet<>(write.wrong);
            if (isStrict) {
                places.addAll(write.lost);
            }
            Response answer = owner.request().contentType("application/geo+json")
                    .header("Prefer", isStrict ? "handling=strict" : "handling=lenient").body(write.item.encode())
                    .request(write.method, write.id == null ? ITEMS : ITEMS + '/' + write.id);
            String what = write.method + ' ' + isStrict + ' ' + write.item.encode() + '\n' + answer.asString();
            if (places.isEmpty()) {
                assertEquals(write.id == null ? 201 : 200, answer.statusCode(), what);
                long id = Long.parseLong(answer.path("id"));
                model.put(id, write.fields);
                assertEquals(write.fields, stored(owner, id, write.fields.fieldNames()), what);
                assertEquals(answer.asString(), owner.get(ITEMS + '/' + id).asString());
            } else {
                refused++;
                assertEquals(400, answer.statusCode(), what);
                Set<String> named = new JsonObject(answer.asString()).getJsonObject("errors").fieldNames();
                // A location that is wrong says nothing of its box.
                places.removeIf(place -> place.equals("bbox") && write.wrong.contains("geometry"));
                assertEquals(places, new TreeSet<>(named), what);
                if (write.id != null) {
                    JsonObject before = model.get(write.id);
                    assertEquals(before, stored(owner, write.id, before.fieldNames()), what);
                }
            }
            if (random.nextInt(40) == 0 && !model.isEmpty()) {
                List<Long> ids = new ArrayList<>(model.keySet());
                long gone = ids.get(random.nextInt(ids.size()));
                assertEquals(204, owner.delete(ITEMS + '/' + gone).statusCode());
                model.remove(gone);
            }
        }
        assertTrue(refused > WRITES / 4 && refused < WRITES * 3 / 4, () -> "refused writes");
        assertEquals(model.size(), owner.json(Listing.PATH).getInteger("count"));
    }

    private static JsonObject stored(Caller owner, long id, Set<String> fields) {
        JsonObject dataset = owner.json(Listing.PATH + id + "/");
        JsonObject stored = new JsonObject();
        fields.forEach(field -> stored.put(field, dataset.getValue(field)));
        return stored;
    }
}
