package io.datasetlisting.listing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.datasetlisting.support.Api.Account;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** What the service should answer, in memory and in the fewest words: what the model-based test compares with. */
final class ListingModel {

    /** From the first to the last in the order of the README's collation; of other names no order is known here. */
    static final List<String> NAMES_IN_ORDER = List.of("", "_field", "10 fields", "2 fields", "alpha", "Alpha", "álpha",
            "alpha 2", "Beta", "zebra", "Ωmega", "Ёлка", "ель", "חוף", "دلتا", "한강", "東京");

    private static final int MAX_NAME = 255;

    /** Who sends a request. */
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

        boolean commands(Item item) {
            return isAdmin() || item.owner.username().equals(username);
        }

        boolean sees(Item item) {
            return !item.deleted && (commands(item) || !item.is("is_private") && !item.isDraft());
        }

        boolean lists(Item item) {
            return sees(item) && !item.isDraft();
        }
    }

    /** What {@code If-Match} says. */
    enum Match {
        ABSENT, CURRENT, STALE
    }

    /** A dataset. */
    static final class Item {

        final long id;
        private final Account owner;
        private final JsonObject fields;
        /** Null where they follow the bbox. */
        private JsonArray givenCoordinates;
        private boolean deleted;
        private long version;

        /**
         * @param drawn
         *            the first answer, for what the service makes up
         */
        private Item(Account owner, JsonObject drawn) {
            id = drawn.getLong("id");
            this.owner = owner;
            fields = new JsonObject().put("id", id)
                    .put("uav_uid", drawn.getString("uav_uid"))
                    .put("user", owner.username() + ' ' + owner.id())
                    .put("workspace", owner.workspace())
                    .put("dataset_name", "")
                    .put("category", List.of("Other"))
                    .put("captured_date", drawn.getString("captured_date"))
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
            JsonArray box = fields.getJsonArray("bbox");
            if (givenCoordinates != null || box.isEmpty()) {
                return givenCoordinates == null ? new JsonArray() : givenCoordinates;
            }
            return new JsonArray(List.of((box.getDouble(0) + box.getDouble(2)) / 2,
                    (box.getDouble(1) + box.getDouble(3)) / 2));
        }

        /** As it is shown, but for the thumbnail's link. */
        JsonObject view() {
            return fields.copy().put("coordinates", coordinates());
        }

        private void apply(JsonObject change) {
            change.copy().forEach(field -> {
                if (field.getKey().equals("dataset_name")) {
                    fields.put("dataset_name", ((String) field.getValue()).strip());
                } else if (field.getKey().equals("coordinates")) {
                    JsonArray given = (JsonArray) field.getValue();
                    givenCoordinates = given.isEmpty() ? null : given;
                } else if (fields.containsKey(field.getKey()) && !isReadOnly(field.getKey())) {
                    fields.put(field.getKey(), field.getValue());
                }
            });
        }

        private static boolean isReadOnly(String field) {
            return List.of("id", "uav_uid", "user", "is_deleted").contains(field);
        }
    }

    private final Map<String, Account> accounts;
    private final List<Item> items = new ArrayList<>();

    /**
     * @param accounts
     *            by name
     */
    ListingModel(Map<String, Account> accounts) {
        this.accounts = accounts;
    }

    /** All that has ever been created, the deleted ones, too. */
    List<Item> items() {
        return items;
    }

    int statusOfCreate(Actor actor, JsonObject fields) {
        return !actor.mayWrite() ? refusal(actor) : isValid(fields) ? 201 : 400;
    }

    Item create(Actor actor, JsonObject change, JsonObject drawn) {
        Item item = new Item(accounts.get(actor.username), drawn);
        item.apply(change);
        items.add(item);
        return item;
    }

    /**
     * @param item
     *            null for an id that is nobody's
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
        return !actor.commands(item) ? 403 : match == Match.STALE ? 412 : 204;
    }

    void patch(Item item, JsonObject change) {
        JsonObject before = item.view();
        item.apply(change);
        // Statistics are always taken for new ones: they are text to the service, written in another way each time.
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
        String name = fields.getString("dataset_name", "").strip();
        return name.codePointCount(0, name.length()) <= MAX_NAME;
    }

    /** All that is on the actor's pages, by id. */
    List<Item> listed(Actor actor) {
        return items.stream().filter(actor::lists).sorted(Comparator.comparing(item -> item.id)).toList();
    }

    /** Sorts as the service should; names that no order is known of go to the end. */
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
