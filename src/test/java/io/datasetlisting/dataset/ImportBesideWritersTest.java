package io.datasetlisting.dataset;

import static io.datasetlisting.support.Listing.PATH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Api.Account;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** People create datasets and read pages while imports bring ids that the database is about to give out. */
@QuarkusTest
class ImportBesideWritersTest {

    private static final int WRITERS = 50;
    private static final int READERS = 4;
    private static final int PAGE_SIZE = 40;
    private static final String IMPORTED = "imported";

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI root;

    private Api admin;
    private Account account;
    private Api writer;

    /** The names that clients have been told, by id. */
    private final ConcurrentSkipListMap<Long, String> created = new ConcurrentSkipListMap<>();
    private final Set<Long> imported = ConcurrentHashMap.newKeySet();
    private final AtomicInteger names = new AtomicInteger();

    @BeforeEach
    void oneWriter() {
        catalogue.replaceWith();
        admin = new Api(root.toString().replaceAll("/$", ""), "test-admin-token");
        account = admin.account("Ada van Dyk");
        writer = admin.as(account, "writer");
        create().join();
    }

    @Test
    void anImportTakesItsIdsOnce() {
        long first = created.lastKey() + 100;
        whilePeopleWriteAndRead(() -> {
            JsonObject result = importIds(first, 3_000).join();
            assertEquals(3_000, result.getInteger("created") + result.getInteger("replaced"), result::encode);
        });
        assertEverythingIsThere();
    }

    @Test
    void importsAtOnceDoNotTakeEachOthersIdsBack() {
        whilePeopleWriteAndRead(() -> {
            for (int round = 0; round < 3; round++) {
                long next = created.lastKey() + 1;
                Stream.of(next + 800, next + 400, next).map(first -> importIds(first, 400)).toList()
                        .forEach(CompletableFuture::join);
            }
        });
        assertEverythingIsThere();
    }

    private void whilePeopleWriteAndRead(Runnable work) {
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> people = Stream.concat(
                IntStream.range(0, WRITERS).mapToObj(i -> again(this::create, over)),
                IntStream.range(0, READERS).mapToObj(i -> again(this::readAPage, over))).toList();
        try {
            work.run();
        } finally {
            over.set(true);
        }
        people.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<Void> again(Supplier<CompletableFuture<Void>> request, AtomicBoolean over) {
        return request.get().thenCompose(
                done -> over.get() ? CompletableFuture.completedFuture(null) : again(request, over));
    }

    private CompletableFuture<Void> create() {
        String name = "number " + names.incrementAndGet();
        return writer.send("POST", PATH, place(new JsonObject().put("dataset_name", name))).thenAccept(answer -> {
            long id = Api.json(201, answer).getLong("id");
            assertNull(created.put(id, name), () -> id + " has been given out twice");
        });
    }

    private CompletableFuture<JsonObject> importIds(long first, int count) {
        LongStream ids = LongStream.range(first, first + count);
        String lines = ids.mapToObj(id -> place(new JsonObject().put("id", id)
                .put("uav_uid", new UUID(0x4000, id).toString())
                .put("user", account.username() + ' ' + account.id())
                .put("workspace", account.workspace())
                .put("captured_date", "2021-03-04T05:06:07Z")
                .put("dataset_name", IMPORTED)).encode()).collect(Collectors.joining("\n"));
        return admin.send("POST", PATH, lines, "Content-Type", "application/x-ndjson").thenApply(answer -> {
            assertEquals(200, answer.statusCode(), answer::body);
            LongStream.range(first, first + count).forEach(imported::add);
            String[] progress = answer.body().split("\n");
            JsonObject result = new JsonObject(progress[progress.length - 1]);
            assertEquals(0, result.getInteger("refused"), result::encode);
            return result;
        });
    }

    private static JsonObject place(JsonObject dataset) {
        return dataset.put("coordinates", new JsonArray().add(1).add(2));
    }

    /** Whichever moment a page is of, it has as many datasets as its own count says. */
    private CompletableFuture<Void> readAPage() {
        int p = 1 + names.get() % 5;
        String order = List.of("id", "-id", "dataset_name").get(names.get() % 3);
        return writer.send("GET", PATH + "?ordering=" + order + "&page_size=" + PAGE_SIZE + "&p=" + p, null)
                .thenAccept(answer -> assertAgreesWithItself(p, answer));
    }

    private static void assertAgreesWithItself(int p, HttpResponse<String> answer) {
        if (p > 1 && answer.statusCode() == 404) {
            return;
        }
        JsonObject page = Api.json(200, answer);
        List<Long> ids = page.getJsonArray("results").stream().map(row -> ((JsonObject) row).getLong("id")).toList();
        long rest = page.getLong("count") - PAGE_SIZE * (p - 1);
        assertEquals(Math.min(rest, PAGE_SIZE), ids.stream().distinct().count());
        assertEquals(rest > PAGE_SIZE, page.getString("next") != null);
    }

    /** An import keeps its ids, whoever had them before; of the others, each is whose it was said to be. */
    private void assertEverythingIsThere() {
        Map<Long, String> expected = new ConcurrentSkipListMap<>(created);
        imported.forEach(id -> expected.put(id, IMPORTED));
        Map<Long, String> stored = new ConcurrentSkipListMap<>();
        catalogue.sql("select id, dataset_name from dataset")
                .forEach(row -> stored.put(row.getLong(0), row.getString(1)));
        assertEquals(expected, stored);
        Listing.PageOfDatasets page = Listing.page("?page_size=100");
        assertEquals(expected.size(), page.count());
        assertEquals(List.copyOf(expected.keySet()), page.idsToTheEnd());
        assertTrue(created.size() > WRITERS);
    }
}
