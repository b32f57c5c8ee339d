package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Listing.PATH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Api.Account;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests imports with ids that the database is about to assign, while clients create datasets and read pages. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class ImportBesideWritersTest {

    private static final int WRITERS = RandomTests.times(16, 50);
    private static final int READERS = 4;
    private static final int PAGE_SIZE = 40;
    private static final String IMPORTED = "imported";
    private static final Caller ADMIN = Caller.admin();

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI root;

    private Api admin;
    private Account account;
    private Account other;
    private Api writer;

    /** The responses to the creates, by id. */
    private final ConcurrentSkipListMap<Long, JsonObject> created = new ConcurrentSkipListMap<>();
    private final Set<Long> imported = ConcurrentHashMap.newKeySet();
    private final AtomicInteger names = new AtomicInteger();

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        admin = new Api(root.toString().replaceAll("/$", ""), ADMIN.key());
        account = admin.account("Ada van Dyk");
        other = admin.account("Grace Hopper");
        writer = admin.as(account, "writer");
        create().join();
    }

    @Test
    void anImportCreatesEachOfItsIdsAtMostOnce() {
        long first = created.lastKey() + 100;
        whileClientsWriteAndRead(() -> {
            JsonObject result = importIds(first, 3_000).join();
            assertEquals(0, result.getInteger("replaced"), result::encode);
            assertEquals(3_000, result.getInteger("created") + result.getInteger("refused"), result::encode);
        });
        assertAllDatasetsAreStored();
    }

    /** Rows are locked in the order of ids, whatever the order of the lines is. */
    @Test
    void importsOfTheSameDatasetsInAnyOrderDoNotBreakOff() {
        int count = 4_000;
        long first = created.lastKey() + 100;
        importIds(first, count).join();
        List<CompletableFuture<JsonObject>> imports = IntStream.range(0, 3).mapToObj(i -> {
            List<String> lines = new ArrayList<>(lines(first, count).replace(IMPORTED, "import " + i).lines().toList());
            Collections.shuffle(lines, new Random(i));
            return importLines(String.join("\n", lines));
        }).toList();
        for (CompletableFuture<JsonObject> each : imports) {
            JsonObject result = each.join();
            assertEquals(count, result.getInteger("replaced"), result::encode);
            assertNull(result.getString("detail"));
        }
    }

    /** The creates receive ids that later lines of the import have. */
    @Test
    void aRepeatedImportDoesNotReplaceDatasetsThatClientsCreatedMeanwhile() throws IOException {
        long first = created.lastKey() + 1;
        int count = 3_000;
        String lines = lines(first, count);
        try (SlowClient client = SlowClient.importing(root, ADMIN, "Transfer-Encoding: chunked")) {
            client.chunk(lines.substring(0, lines.length() / 2));
            catalogue.awaitThat("(select count(*) > 1000 from dataset)");
            createSequentially(20);
            client.abort();
        }
        catalogue.awaitNoTransaction();
        createSequentially(20);
        Set<Long> meanwhile = created.tailMap(first).headMap(first + count).keySet();
        assertEquals(40, meanwhile.size());

        JsonObject repeated = importIds(first, count).join();
        List<JsonObject> refusals = meanwhile.stream().map(id -> new JsonObject().put("line", id - first + 1)
                .put("reason", new JsonObject().put("id", new JsonArray().add("Another dataset has this id."))))
                .toList();
        assertEquals(new JsonArray(refusals), repeated.getJsonArray("refusals"));
        assertEquals(40, repeated.getInteger("refused"));
        assertEquals(count - 40, repeated.getInteger("created") + repeated.getInteger("replaced"));
        assertAllDatasetsAreStored();
    }

    private void createSequentially(int count) {
        for (int i = 0; i < count; i++) {
            create().join();
        }
    }

    @Test
    void concurrentImportsDoNotMakeTheDatabaseReuseIds() {
        whileClientsWriteAndRead(() -> {
            for (int round = 0; round < RandomTests.times(1, 3); round++) {
                long next = created.lastKey() + 1;
                Stream.of(next + 800, next + 400, next).map(first -> importIds(first, 400)).toList()
                        .forEach(CompletableFuture::join);
            }
        });
        assertAllDatasetsAreStored();
    }

    private void whileClientsWriteAndRead(Runnable work) {
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> clients = Stream.concat(
                IntStream.range(0, WRITERS).mapToObj(i -> repeatUntil(this::create, over)),
                IntStream.range(0, READERS).mapToObj(i -> repeatUntil(this::readAPage, over))).toList();
        try {
            work.run();
        } finally {
            over.set(true);
        }
        clients.forEach(CompletableFuture::join);
        assertTrue(created.size() > WRITERS);
    }

    private static CompletableFuture<Void> repeatUntil(Supplier<CompletableFuture<Void>> request, AtomicBoolean over) {
        return request.get().thenCompose(
                done -> over.get() ? CompletableFuture.completedFuture(null) : repeatUntil(request, over));
    }

    private CompletableFuture<Void> create() {
        String name = "number " + names.incrementAndGet();
        return writer.send("POST", PATH, withCoordinates(new JsonObject().put("dataset_name", name)))
                .thenAccept(answer -> {
                    JsonObject dataset = Api.json(201, answer);
                    assertEquals(name, dataset.getString("dataset_name"));
                    assertNull(created.put(dataset.getLong("id"), dataset),
                            () -> dataset + " has the id of another dataset");
                });
    }

    private CompletableFuture<JsonObject> importIds(long first, int count) {
        return importLines(lines(first, count)).thenApply(result -> {
            LongStream.range(first, first + count).forEach(imported::add);
            return result;
        });
    }

    private CompletableFuture<JsonObject> importLines(String lines) {
        return admin.send("POST", PATH, lines, "Content-Type", Bulk.NDJSON).thenApply(answer -> {
            assertEquals(200, answer.statusCode(), answer::body);
            String[] progress = answer.body().split("\n");
            return new JsonObject(progress[progress.length - 1]);
        });
    }

    private String lines(long first, int count) {
        return Bulk.body(LongStream.range(first, first + count)
                .mapToObj(id -> withCoordinates(new JsonObject().put("id", id)
                        .put("uav_uid", importedUid(id))
                        .put("user", other.username() + ' ' + other.id())
                        .put("workspace", other.workspace())
                        .put("captured_date", "2021-03-04T05:06:07Z")
                        .put("dataset_name", IMPORTED))));
    }

    private static String importedUid(long id) {
        return new UUID(0x4000, id).toString();
    }

    private static JsonObject withCoordinates(JsonObject dataset) {
        return dataset.put("coordinates", new JsonArray().add(1).add(2));
    }

    /** A page and its count are read in one snapshot, so that the number of datasets follows from the count. */
    private CompletableFuture<Void> readAPage() {
        int p = 1 + names.get() % 5;
        String order = List.of("id", "-id", "dataset_name").get(names.get() % 3);
        return writer.send("GET", PATH + "?ordering=" + order + "&page_size=" + PAGE_SIZE + "&p=" + p, null)
                .thenAccept(answer -> assertRowsMatchTheCount(p, answer));
    }

    private static void assertRowsMatchTheCount(int p, HttpResponse<String> answer) {
        if (p > 1 && answer.statusCode() == 404) {
            return;
        }
        JsonObject page = Api.json(200, answer);
        List<Long> ids = page.getJsonArray("results").stream().map(row -> ((JsonObject) row).getLong("id")).toList();
        long rest = page.getLong("count") - PAGE_SIZE * (p - 1);
        assertEquals(Math.min(rest, PAGE_SIZE), ids.stream().distinct().count());
        assertEquals(rest > PAGE_SIZE, page.getString("next") != null);
    }

    /**
     * The first writer of an id wins: a dataset that a client created has the values of the response, and every other
     * dataset has the values of the import.
     */
    private void assertAllDatasetsAreStored() {
        Map<Long, String> expected = new ConcurrentSkipListMap<>();
        imported.forEach(id -> expected.put(id, importedUid(id) + ' ' + other.username() + ' ' + other.id()
                + ' ' + IMPORTED));
        created.forEach((id, answer) -> expected.put(id, answer.getString("uav_uid") + ' ' + answer.getString("user")
                + ' ' + answer.getString("dataset_name")));
        Map<Long, String> stored = new ConcurrentSkipListMap<>();
        catalogue.sql("select id, uav_uid || ' ' || owner_name || ' ' || owner_id || ' ' || dataset_name from dataset")
                .forEach(row -> stored.put(row.getLong(0), row.getString(1)));
        assertEquals(expected, stored);
        Listing.PageOfDatasets page = Listing.page("?page_size=100");
        assertEquals(expected.size(), page.count());
        assertEquals(List.copyOf(expected.keySet()), page.idsToTheEnd());
    }
}
