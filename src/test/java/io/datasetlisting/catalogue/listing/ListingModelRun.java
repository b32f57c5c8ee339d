package io.datasetlisting.catalogue.listing;

import static io.datasetlisting.support.Listing.PATH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.datasetlisting.catalogue.listing.ListingModel.Actor;
import io.datasetlisting.catalogue.listing.ListingModel.Item;
import io.datasetlisting.catalogue.listing.ListingModel.Match;
import io.datasetlisting.support.Api;
import io.vertx.core.json.JsonObject;
import net.jqwik.api.statistics.Statistics;

/** Sends each request to the service, applies it to the model and compares both. */
final class ListingModelRun {

    private static final long UNKNOWN_ID = 999_999_999_999L;

    /** The client of each caller. */
    private final Map<Actor, Api> service;
    private final ListingModel model;
    /** The dataset of the last write, including refused writes. */
    private Item touched;
    /** The beginnings of tags, by the id and the version of a dataset, and the other way around. */
    private final Map<String, String> tags = new HashMap<>();
    private final Map<String, String> versions = new HashMap<>();
    private boolean compared;

    ListingModelRun(Map<Actor, Api> service, ListingModel model) {
        this.service = service;
        this.model = model;
    }

    void create(Actor actor, JsonObject fields) {
        compared = false;
        HttpResponse<String> answer = call(model.statusOfCreate(actor, fields), actor, "POST", PATH, fields);
        if (answer.statusCode() == 201) {
            long newest = model.items().stream().mapToLong(item -> item.id).max().orElse(0);
            touched = model.create(actor, fields, new JsonObject(answer.body()));
            assertTrue(touched.id > newest, () -> touched.id + " is not greater than " + newest);
            assertEquals(address(actor, touched), answer.headers().firstValue("Location").orElseThrow());
            assertShows(touched, answer);
        }
    }

    /**
     * @param method
     *            PUT or PATCH
     * @param number
     *            of the dataset, see {@link #item}
     */
    void change(String method, Actor actor, int number, Match match, JsonObject fields) {
        Item item = toWrite(number);
        HttpResponse<String> answer = call(model.statusOfPatch(actor, item, match, fields), actor, method, path(item),
                fields, ifMatch(item, match));
        if (answer.statusCode() == 200) {
            model.patch(item, fields);
            assertShows(item, answer);
        }
    }

    void delete(Actor actor, int number, Match match) {
        Item item = toWrite(number);
        HttpResponse<String> answer = call(model.statusOfDelete(actor, item, match), actor, "DELETE", path(item),
                null, ifMatch(item, match));
        if (answer.statusCode() == 204) {
            model.delete(item);
            assertEquals("", answer.body());
        }
    }

    void read(Actor actor, int number) {
        read(actor, item(number));
    }

    private void read(Actor actor, Item item) {
        HttpResponse<String> answer = call(model.statusOfRead(actor, item), actor, "GET", path(item), null);
        if (answer.statusCode() == 200) {
            assertShows(item, answer);
        }
    }

    /** Follows the links from the first page to the last page, and requests the page after the last page. */
    void list(Actor actor, String ordering, int pageSize) {
        List<Item> listed = model.listed(actor);
        int pages = Math.max(1, (listed.size() + pageSize - 1) / pageSize);
        String order = ordering.isEmpty()
                ? ""
                : "ordering=" + URLEncoder.encode(ordering, StandardCharsets.UTF_8) + '&';
        Function<Object, String> query = p -> order + "p=" + p + "&page_size=" + pageSize;
        String url = service.get(actor).url() + PATH + '?';
        List<JsonObject> shown = new ArrayList<>();
        JsonObject page = page(actor, query.apply(1));
        for (int p = 1;; p++) {
            assertEquals(listed.size(), page.getInteger("count"));
            assertEquals(p == 1 ? null : url + query.apply(p - 1), page.getString("previous"));
            List<JsonObject> rows = rows(page);
            assertEquals(Math.min(pageSize, listed.size() - shown.size()), rows.size());
            shown.addAll(rows);
            if (p == pages) {
                break;
            }
            assertEquals(url + query.apply(p + 1), page.getString("next"));
            page = page(actor, URI.create(page.getString("next")).getRawQuery());
        }
        assertNull(page.getString("next"));
        assertEquals(page, page(actor, query.apply("last")));
        call(404, actor, "GET", PATH + "?" + query.apply(pages + 1), null);
        assertRows(listed, shown, ordering.isEmpty() ? "id" : ordering);
    }

    /** Checks after each write, including refused writes, that every caller sees exactly the expected datasets. */
    void compare() {
        if (compared) {
            return;
        }
        compared = true;
        for (Actor actor : Actor.values()) {
            JsonObject page = page(actor, "page_size=100");
            List<Item> listed = model.listed(actor);
            assertEquals(listed.size(), page.getInteger("count"), () -> "count for " + actor);
            assertRows(listed, rows(page), "id");
            read(actor, touched);
        }
    }

    /**
     * Compares the rows. In an ordering by name it compares the order of known names, and checks that equal names are
     * together.
     */
    private static void assertRows(List<Item> listed, List<JsonObject> shown, String ordering) {
        Map<Long, Item> byId = listed.stream().collect(Collectors.toMap(item -> item.id, item -> item));
        List<Item> rows = new ArrayList<>();
        for (JsonObject row : shown) {
            Item item = byId.get(row.getLong("id"));
            assertTrue(item != null, () -> "the caller may not see this row: " + row);
            assertEquals(item.view(), row);
            rows.add(item);
        }
        assertEquals(listed.size(), new HashSet<>(rows).size());
        if (ordering.endsWith("dataset_name")) {
            assertEqualNamesAreTogether(rows, ordering);
            rows.removeIf(item -> !ListingModel.isOrderKnown(item));
        }
        assertEquals(ids(rows.stream().sorted(ListingModel.order(ordering)).toList()), ids(rows), ordering);
    }

    private static void assertEqualNamesAreTogether(List<Item> rows, String ordering) {
        Map<String, List<Item>> sameName = rows.stream().collect(Collectors.groupingBy(Item::name));
        sameName.forEach((name, items) -> {
            int start = rows.indexOf(items.get(0));
            assertEquals(ids(items.stream().sorted(ListingModel.order(ordering)).toList()),
                    ids(rows.subList(start, start + items.size())), ordering);
        });
    }

    private static List<Long> ids(List<Item> items) {
        return items.stream().map(item -> item.id).toList();
    }

    private void assertShows(Item item, HttpResponse<String> answer) {
        assertEquals(item.wholeView(), withoutLink(new JsonObject(answer.body())));
        String tag = answer.headers().firstValue("ETag").orElseThrow().replaceFirst("^(\"-?\\d+)-.*", "$1");
        assertEquals(item.id + " " + item.version(), versions.computeIfAbsent(tag, t -> item.id + " " + item.version()),
                tag);
        assertEquals(tag, tags.computeIfAbsent(item.id + " " + item.version(), version -> tag));
    }

    private static JsonObject withoutLink(JsonObject dataset) {
        assertTrue(dataset.remove("thumbnail_image").toString().startsWith("http://"));
        return dataset;
    }

    /** A page without the thumbnails' links, which may change at any time. */
    private JsonObject page(Actor actor, String query) {
        JsonObject page = new JsonObject(call(200, actor, "GET", PATH + "?" + query, null).body());
        rows(page).forEach(ListingModelRun::withoutLink);
        return page;
    }

    private static List<JsonObject> rows(JsonObject page) {
        return page.getJsonArray("results").stream().map(JsonObject.class::cast).toList();
    }

    private HttpResponse<String> call(int status, Actor actor, String method, String path, JsonObject body,
            String... headers) {
        HttpResponse<String> answer = service.get(actor).call(method, path, body, headers);
        assertEquals(status, answer.statusCode(),
                () -> actor + " " + method + " " + path + ": " + answer.body());
        Statistics.label("answers").collect(method + ' ' + status);
        return answer;
    }

    /** The report of jqwik has this text. */
    @Override
    public String toString() {
        return model.items().stream().map(item -> item.view().encode()).collect(Collectors.joining("\n"));
    }

    private Item toWrite(int number) {
        touched = item(number);
        compared = false;
        return touched;
    }

    /**
     * The dataset with this number, modulo the number of created datasets; null, which stands for an unknown id, for
     * 9 or without datasets.
     */
    private Item item(int number) {
        List<Item> items = model.items();
        return number == 9 || items.isEmpty() ? null : items.get(number % items.size());
    }

    private static String path(Item item) {
        return PATH + (item == null ? UNKNOWN_ID : item.id) + '/';
    }

    private String address(Actor actor, Item item) {
        return service.get(actor).url() + path(item);
    }

    private String[] ifMatch(Item item, Match match) {
        String number = item == null || match == Match.STALE ? "\"1" : tags.get(item.id + " " + item.version());
        return match == Match.ABSENT ? new String[0] : new String[]{"If-Match", number + "-0\""};
    }
}
