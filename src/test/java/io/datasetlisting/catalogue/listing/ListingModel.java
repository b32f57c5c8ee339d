package io.datasetlisting.catalogue.listing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.support.Api.Account;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A model of the service in memory. {@link ListingModelIT} compares the responses with this model. */
final class ListingModel {

    /** Names in the order of the stated collation. The model does not know the order of other names. */
    static final List<String> NAMES_IN_ORDER = List.of("", "_field", "10 fields", "2 fields", "alpha", "Alpha", "álpha",
            "alpha 2", "Beta", "zebra", "Ωmega", "Ёлка", "ель", "חוף", "دلتا", "한강", "東京");

    private static final int MAX_NAME = 255;

    /** A caller. */
    enum Actor {
        ADA("Ada van Dyk", "writer"), ADA_READING("Ada van Dyk", "reader"), BOB("bö b 12",
                "writer"), OPERATOR("operator", "admin"), NOBODY(null, null);

        final String username;
        final String right;

        Actor(String username, String right) {
            this.username = username;
            this.right = right;
        }

        boolean isAdmin() {
            return "admin".equals(right);
        }

        boolean mayWrite() {
            return "writer".equals(right) || isAdmin();
        }

        boolean controls(Item item) {
            return isAdmin() || item.owner.username().equals(username);
        }

        boolean sees(Item item) {
            return !item.deleted && (controls(item) || !item.is("is_private") && !item.isDraft());
        }

        boolean lists(Item item) {
            return sees(item) && !item.isDraft();
        }
    }

    /** The tag in {@code If-Match}. */
    enum Match {
        ABSENT, CURRENT, STALE
    }

    /** A dataset. */
    static final class Item {

        final long id;
        private final Account owner;
        private final JsonObject fields;
        /** Null when the coordinates follow the bbox. */
        private JsonArray givenCoordinates;
        private boolean deleted;
        private long version;

        /**
         * @param response
         *            the response to the create, which has the values that the service generates
         */
        private Item(Account owner, JsonObject response) {
            id = response.getLong("id");
            this.owner = owner;
            fields = new JsonObject().put("id", id)
                    .put("uav_uid", response.getString("uav_uid"))
                    .put("user", owner.username() + ' ' + owner.id())
                    .put("workspace", owner.workspace())
                    .put("dataset_name", "")
                    .put("category", List.of("Other"))
                    .put("captured_date", response.getString("captured_date"))
                    .put("is_private", false)
                    .put("is_shareable", false)
                    .put("available_rasters", List.of())
                    .put("is_deleted", false)
                    .putNull("gcps_file")
                    .put("band_stats", new JsonObject("{\"dsm\":{},\"dtm\":{},\"ortho\":{}}"))
                    .put("bbox", new JsonArray())
                    .put("cant_orthomosaic", false)
                    .put("is_dem_processing", false)
                    .put("cumulative_adjustment", 0.0)
                    .put("latest_adjustment_status", "")
                    .put("latest_adjustment_id", "");
        }

        String name() {
            return fields.getString("dataset_name");
        }

        long version() {
            return version;
        }

        private boolean is(String flag) {
            return fields.getBoolean(flag);
        }

        private boolean isDraft() {
            return coordinates().isEmpty();
        }

        private JsonArray coordinates() {
            return givenCoordinates == null ? centre() : givenCoordinates;
        }

        /** Empty without a bbox. */
        private JsonArray centre() {
            JsonArray box = fields.getJsonArray("bbox");
            return box.isEmpty()
                    ? new JsonArray()
                    : new JsonArray(List.of((box.getDouble(0) + box.getDouble(2)) / 2,
                            (box.getDouble(1) + box.getDouble(3)) / 2));
        }

        /** The dataset as a listing shows it, without the thumbnail's link. */
        JsonObject view() {
            return fields.copy().put("coordinates", coordinates());
        }

        /** The dataset at its own address, without the thumbnail's link. No request of the model has a text of the owner. */
        JsonObject wholeView() {
            JsonObject whole = view().put("tags", new JsonArray());
            List.of("description", "data_credits", "data_captured_by", "institution_name", "location_name", "license",
                    "citation", "doi", "rasters", "raster_headers")
                    .forEach(whole::putNull);
            return whole;
        }

        private void apply(JsonObject change) {
            moveTo(change.getJsonArray("bbox"), change.getJsonArray("coordinates"));
            change.copy().forEach(field -> {
                if (field.getKey().equals("dataset_name")) {
                    fields.put("dataset_name", BlankText.strip((String) field.getValue()));
                } else if (fields.containsKey(field.getKey()) && !isReadOnly(field.getKey())) {
                    fields.put(field.getKey(), field.getValue());
                }
            });
        }

        /** Without a bbox, the dataset stays where it is. Coordinates at the centre of the bbox follow the bbox. */
        private void moveTo(JsonArray bbox, JsonArray coordinates) {
            if (bbox != null) {
                JsonArray before = coordinates();
                fields.put("bbox", bbox);
                givenCoordinates = bbox.isEmpty() && !before.isEmpty() ? before : givenCoordinates;
            }
            if (coordinates != null) {
                givenCoordinates = coordinates.isEmpty() ? null : coordinates;
            }
            if (centre().equals(givenCoordinates)) {
                givenCoordinates = null;
            }
        }

        private static boolean isReadOnly(String field) {
            return List.of("id", "uav_uid", "user", "is_deleted", "bbox").contains(field);
        }
    }

    private final Map<String, Account> accounts;
    private final List<Item> items = new ArrayList<>();

    /**
     * @param accounts
     *            by username
     */
    ListingModel(Map<String, Account> accounts) {
        this.accounts = accounts;
    }

    /** All datasets that have been created, including deleted datasets. */
    List<Item> items() {
        return items;
    }

    int statusOfCreate(Actor actor, JsonObject fields) {
        return !actor.mayWrite() ? refusal(actor) : isValid(fields) ? 201 : 400;
    }

    Item create(Actor actor, JsonObject change, JsonObject response) {
        Item item = new Item(accounts.get(actor.username), response);
        item.apply(change);
        items.add(item);
        return item;
    }

    /**
     * @param item
     *            null for an unknown id
     */
    int statusOfRead(Actor actor, Item item) {
        return item != null && actor.sees(item) ? 200 : 404;
    }

    int statusOfPatch(Actor actor, Item item, Match match, JsonObject change) {
        int status = statusOfDelete(actor, item, match);
        return status != 204 ? status : isValid(change) ? 200 : 400;
    }

    int statusOfDelete(Actor actor, Item item, Match match) {
        if (!actor.mayWrite()) {
            return refusal(actor);
        }
        if (statusOfRead(actor, item) == 404) {
            return 404;
        }
        return !actor.controls(item) ? 403 : match == Match.STALE ? 412 : 204;
    }

    void patch(Item item, JsonObject change) {
        JsonObject before = item.view();
        item.apply(change);
        // Every write of statistics is a change, because the service compares their text.
        if (!item.view().equals(before) || change.containsKey("band_stats")) {
            item.version++;
        }
    }

    void delete(Item item) {
        item.deleted = true;
    }

    private static int refusal(Actor actor) {
        return actor == Actor.NOBODY ? 401 : 403;
    }

    private static boolean isValid(JsonObject fields) {
        String name = BlankText.strip(fields.getString("dataset_name", ""));
        return name.codePointCount(0, name.length()) <= MAX_NAME;
    }

    /** The datasets on the actor's pages, by id. */
    List<Item> listed(Actor actor) {
        return items.stream().filter(actor::lists).sorted(Comparator.comparing(item -> item.id)).toList();
    }

    /** The expected order; names of unknown order are last. */
    static Comparator<Item> order(String ordering) {
        Comparator<Item> order = null;
        for (String key : ordering.split(",")) {
            Comparator<Item> next = Comparator.comparing(item -> sortKey(item, key.replace("-", "")));
            next = key.startsWith("-") ? next.reversed() : next;
            order = order == null ? next : order.thenComparing(next);
        }
        Comparator<Item> byId = Comparator.comparing(item -> item.id);
        return Objects.requireNonNull(order).thenComparing(ordering.startsWith("-") ? byId.reversed() : byId);
    }

    @SuppressWarnings("unchecked")
    private static Comparable<Object> sortKey(Item item, String field) {
        Object value = switch (field) {
            case "dataset_name" -> isOrderKnown(item)
                    ? NAMES_IN_ORDER.indexOf(item.name())
                    : NAMES_IN_ORDER.size();
            case "user" -> item.owner.username().toLowerCase(Locale.ROOT);
            default -> item.fields.getValue(field);
        };
        return (Comparable<Object>) (value instanceof Integer number ? (Object) number.longValue() : value);
    }

    static boolean isOrderKnown(Item item) {
        return NAMES_IN_ORDER.contains(item.name());
    }
}
