package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Listing.PATH;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests that 50 concurrent writes have the same result as sequential writes. */
@QuarkusTest
class ConcurrentWritersTest {

    private static final int WRITERS = 50;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI root;

    private Api writer;

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        Api admin = new Api(root.toString().replaceAll("/$", ""), "test-admin-token");
        writer = admin.as(admin.account("Ada van Dyk"), "writer");
    }

    @Test
    void eachConcurrentCreateMakesItsOwnDataset() {
        List<JsonObject> created = bodies(201, atOnce(i -> create(named("number " + i))));
        assertEquals(expectedNames(i -> "number " + i), texts(created, "dataset_name"));
        assertEquals(sorted(ids(created)), Listing.page("?page_size=7").idsToTheEnd());
        assertEquals(WRITERS, Listing.page("?page_size=7").count());
    }

    @Test
    void noConcurrentChangeOfTheSameDatasetIsLost() {
        JsonObject dataset = newDataset();
        List<JsonObject> changes = fiftyChanges();
        assertEquals(WRITERS, changes.size());
        catalogue.sql("""
                create table written (version bigint, updated timestamptz);
                create function write_down() returns trigger language plpgsql as
                    'begin insert into written values (new.version, new.updated_at); return null; end';
                create trigger write_down after update on dataset for each row execute function write_down()""");
        List<HttpResponse<String>> answers;
        List<String> tags;
        try {
            answers = atOnce(i -> patch(dataset, changes.get(i)));
            tags = catalogue.sql("select version, extract(epoch from updated) * 1000000 from written order by version")
                    .stream().map(row -> new Revision(dataset.getLong("id"), row.getLong(0), row.getLong(1)).tag())
                    .map(String::valueOf).toList();
        } finally {
            catalogue.sql("begin; lock table dataset; drop function write_down cascade; drop table written; commit");
        }
        bodies(200, answers);
        assertEquals(WRITERS, tags.size());

        List<Integer> order = IntStream.range(0, WRITERS).boxed()
                .sorted(Comparator.comparing(i -> tags.indexOf(number(answers.get(i))))).toList();
        JsonObject expected = dataset;
        for (int n = 0; n < WRITERS; n++) {
            HttpResponse<String> answer = answers.get(order.get(n));
            assertEquals(tags.get(n), number(answer));
            expected = expected.copy().mergeIn(changes.get(order.get(n)));
            assertEquals(expected, new JsonObject(answer.body()), "after change " + n);
        }
        HttpResponse<String> last = writer.get(path(dataset));
        assertEquals(WRITERS, version(dataset));
        assertEquals(expected, new JsonObject(last.body()));
    }

    /** Changes of ten fields without equal values, so that each one changes the dataset in any order. */
    private static List<JsonObject> fiftyChanges() {
        List<JsonObject> changes = new ArrayList<>(List.of(new JsonObject().put("is_private", true),
                new JsonObject().put("is_shareable", true)));
        List<String> rasters = List.of("ortho", "dsm", "dtm", "multispec_ortho");
        for (int i = 1; i <= 6; i++) {
            changes.add(named("number " + i));
            changes.add(new JsonObject().put("workspace", 1000 + i));
            changes.add(new JsonObject().put("category", new JsonArray().add(DatasetFields.CATEGORIES.get(i - 1))));
            changes.add(new JsonObject().put("captured_date", "2021-03-04T05:06:0" + i + "Z"));
            changes.add(new JsonObject().put("coordinates", new JsonArray().add(i + 0.5).add(2.5)));
            changes.add(new JsonObject().put("bbox", new JsonArray().add(-i).add(-2).add(i).add(2)));
            changes.add(new JsonObject().put("available_rasters", i <= 4
                    ? new JsonArray().add(rasters.get(i - 1))
                    : new JsonArray(rasters.subList(0, i - 3))));
            changes.add(new JsonObject().put("band_stats", new JsonObject()
                    .put("dsm", new JsonObject().put("b1", new JsonObject()
                            .put("max", i).put("min", 0).put("mean", 0).put("stddev", 0)))
                    .put("dtm", new JsonObject())
                    .put("ortho", new JsonObject())));
        }
        return changes;
    }

    @Test
    void onlyOneOfTheConcurrentChangesWithTheSameTagSucceeds() {
        JsonObject dataset = newDataset();
        String seen = tag(writer.get(path(dataset)));
        List<HttpResponse<String>> answers = atOnce(i -> patch(dataset, named("number " + i), "If-Match", seen));
        assertEquals(Map.of(200, 1L, 412, WRITERS - 1L), statuses(answers));
        HttpResponse<String> now = writer.get(path(dataset));
        assertEquals(1, version(dataset));
        assertEquals(answers.stream().filter(answer -> answer.statusCode() == 200).findFirst().orElseThrow().body(),
                now.body());
    }

    @Test
    void onlyOneOfTheConcurrentDeletesSucceeds() {
        JsonObject dataset = newDataset();
        assertEquals(Map.of(204, 1L, 404, WRITERS - 1L),
                statuses(atOnce(i -> writer.send("DELETE", path(dataset), null))));
        assertEquals(404, writer.get(path(dataset)).statusCode());
        assertEquals(0, Listing.page("").count());
    }

    @Test
    void concurrentCreatesWithTheSameKeyReturnTheSameDataset() {
        List<JsonObject> answers = bodies(201, atOnce(i -> create(named("once"), "Idempotency-Key", "the-key")));
        assertEquals(1, answers.stream().distinct().count());
        assertEquals(List.of(answers.get(0).getLong("id")), Listing.page("").ids());
        assertEquals(1, catalogue.sql("select 1 from dataset").size());
    }

    @Test
    void onlyTheFirstOfTwoRequestsWithTheSameKeyIsAccepted() {
        List<HttpResponse<String>> answers = atOnce(i -> create(named("name " + i % 2), "Idempotency-Key", "the-key"));
        assertEquals(Map.of(201, WRITERS / 2L, 422, WRITERS / 2L), statuses(answers));
        assertEquals(1, catalogue.sql("select 1 from dataset").size());
        assertEquals(1, answers.stream().filter(answer -> answer.statusCode() == 201)
                .map(HttpResponse::body).distinct().count());
    }

    @Test
    void concurrentCreatesWithDifferentKeysMakeDifferentDatasets() {
        List<JsonObject> answers = bodies(201,
                atOnce(i -> create(named("key " + i / 2), "Idempotency-Key", "key-" + i / 2)));
        assertEquals(WRITERS / 2, answers.stream().distinct().count());
        assertEquals(WRITERS / 2, Listing.page("").count());
    }

    /** The largest id is that of a dataset that does not move the sequence. */
    @Test
    void eachCreateFindsAnIdBehindThoseThatSqlHasUsed() {
        long used = catalogue.sql("select nextval('dataset_id_seq')").get(0).getLong(0);
        List<Dataset> datasets = LongStream.rangeClosed(used + 1, used + 9).mapToObj(Catalogue::dataset).toList();
        catalogue.replaceWith(Stream.concat(datasets.stream(), Stream.of(Catalogue.dataset(9_007_199_254_740_991L)))
                .toList());
        Api admin = writer.with("test-admin-token");
        writer = admin.as(admin.account("Bea"), "writer");
        long last = used + 9;
        JsonObject item = new JsonObject(
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]},"
                        + "\"properties\":{\"datetime\":\"2024-01-02T03:04:05Z\"}}");
        JsonObject items = new JsonObject().put("type", "FeatureCollection")
                .put("features", new JsonArray().add(item).add(item));
        List<Supplier<HttpResponse<String>>> creates = List.of(() -> create(named("new")).join(),
                () -> create(named("new"), "Idempotency-Key", "key").join(),
                () -> writer.call("POST", PATH, "dataset_name=new", "Content-Type",
                        "application/x-www-form-urlencoded"),
                () -> writer.call("POST", "/stac/collections/datasets/items", item, "Content-Type",
                        "application/geo+json"),
                () -> writer.call("POST", "/stac/collections/datasets/items", items, "Content-Type",
                        "application/geo+json"));
        for (Supplier<HttpResponse<String>> each : creates) {
            catalogue.sql("select setval('dataset_id_seq', " + used + ")");
            HttpResponse<String> answer = each.get();
            assertEquals(201, answer.statusCode(), answer::body);
            long next = catalogue.sql("select last_value from dataset_id_seq").get(0).getLong(0);
            assertTrue(next > last && next < last + 10, next + " after " + last);
            last = next;
        }
        catalogue.sql("select setval('dataset_id_seq', " + used + ")");
        assertEquals(WRITERS, ids(bodies(201, atOnce(i -> create(named("number " + i))))).stream()
                .filter(id -> id > used + 9).distinct().count());
    }

    @Test
    void aCreateWhoseIdsAreAllTakenIsAnsweredWith503() {
        assertEquals(4,
                triesWhile(100, "raise exception 'duplicate key value violates unique constraint \"dataset_pkey\"'"
                        + " using errcode = '23505'", "immediate", () -> {
                            HttpResponse<String> answer = create(named("new")).join();
                            assertEquals(503, answer.statusCode(), answer::body);
                            assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
                        }));
    }

    @Test
    void aDeadlockIsRetried() {
        JsonObject dataset = newDataset();
        List<CompletableFuture<HttpResponse<String>>> change = new ArrayList<>();
        // The change locks the row and then waits for the table. The other connection locks the table and then waits for the row.
        catalogue.during("set local deadlock_timeout = '60s'; lock table listing_change in share mode", other -> {
            change.add(patch(dataset, named("after a deadlock")));
            catalogue.awaitThat("exists (select from " + Catalogue.OTHERS + " and wait_event_type = 'Lock')");
            return other.query("select from dataset where id = " + dataset.getLong("id") + " for update").execute();
        });
        assertEquals("after a deadlock", Api.json(200, change.get(0).join()).getString("dataset_name"));
        assertEquals(1, version(dataset));
    }

    @Test
    void serializationFailuresAreRetried() {
        for (Supplier<HttpResponse<String>> write : writes()) {
            assertEquals(3, triesWhile(2, "raise exception using errcode = '40001'", "deferred",
                    () -> assertSuccess(write.get())));
        }
    }

    @Test
    void aWriteThatFailsAtEachTryIsAnsweredWith503() {
        for (Supplier<HttpResponse<String>> write : writes()) {
            assertEquals(5, triesWhile(100, "raise exception using errcode = '40P01'", "immediate", () -> {
                HttpResponse<String> answer = write.get();
                assertEquals(503, answer.statusCode(), answer::body);
                assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
            }));
        }
    }

    @Test
    void aWriteThatLosesItsConnectionBeforeTheCommitIsRepeatedOnce() {
        for (Supplier<HttpResponse<String>> write : writes()) {
            assertEquals(2, triesWhile(1, TERMINATE, "immediate",
                    () -> assertSuccess(write.get())));
        }
    }

    @Test
    void aWriteThatLosesItsConnectionDuringTheCommitIsNotRepeated() {
        for (Supplier<HttpResponse<String>> write : writes()) {
            assertEquals(1, triesWhile(100, TERMINATE, "deferred", () -> {
                HttpResponse<String> answer = write.get();
                assertEquals(503, answer.statusCode(), answer::body);
                assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
                assertTrue(new JsonObject(answer.body()).getString("detail").contains("is not known"), answer::body);
            }));
        }
    }

    private static void assertSuccess(HttpResponse<String> answer) {
        assertEquals(2, answer.statusCode() / 100, answer::body);
    }

    /** A write of each kind. */
    private List<Supplier<HttpResponse<String>>> writes() {
        JsonObject dataset = newDataset();
        Api admin = writer.with("test-admin-token");
        Api.Account account = admin.account("Account " + System.nanoTime());
        JsonObject token = new JsonObject().put("user", account.id()).put("right", "reader");
        long id = Api.json(201, admin.call("POST", "/api/token/", token)).getLong("id");
        return List.of(
                () -> create(named("new")).join(),
                () -> create(named("new"), "Idempotency-Key", "key-" + System.nanoTime()).join(),
                () -> patch(dataset, named("changed " + System.nanoTime())).join(),
                () -> writer.call("PUT", path(dataset), named("changed " + System.nanoTime())),
                () -> writer.call("DELETE", path(dataset), null),
                () -> admin.call("POST", "/api/account/", new JsonObject().put("username", "n" + System.nanoTime())),
                () -> admin.call("POST", "/api/token/", token),
                () -> admin.call("DELETE", "/api/token/" + id + '/', null));
    }

    private static final String TERMINATE = "perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5)";

    /**
     * Runs work while a trigger makes the first writes fail, and returns the number of tries.
     *
     * @param timing
     *            immediate, or deferred until the commit
     */
    private long triesWhile(int failures, String failure, String timing, Runnable work) {
        catalogue.sql("create sequence tries; create function fail() returns trigger language plpgsql as $$ begin"
                + " if nextval('tries') <= " + failures + " then " + failure + "; end if; return null; end $$");
        for (String change : List.of("insert or update on dataset", "insert on account",
                "insert or update of revoked on api_token")) {
            catalogue.sql("create constraint trigger fail after " + change + " deferrable initially " + timing
                    + " for each row execute function fail()");
        }
        try {
            work.run();
            return catalogue.sql("select last_value from tries").get(0).getLong(0);
        } finally {
            // The order in which a fold locks these tables: otherwise it may deadlock with the trigger that is dropped.
            catalogue.sql(
                    "begin; lock table dataset, account, api_token; drop function fail cascade; drop sequence tries; commit");
        }
    }

    private static List<HttpResponse<String>> atOnce(IntFunction<CompletableFuture<HttpResponse<String>>> request) {
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, WRITERS).mapToObj(request).toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<HttpResponse<String>> create(JsonObject fields, String... headers) {
        return writer.send("POST", PATH, fields.copy().put("coordinates", new JsonArray().add(1.25).add(2.0)), headers);
    }

    private CompletableFuture<HttpResponse<String>> patch(JsonObject dataset, JsonObject change, String... headers) {
        return writer.send("PATCH", path(dataset), change, headers);
    }

    private JsonObject newDataset() {
        return Api.json(201, create(named("new")).join());
    }

    private static JsonObject named(String name) {
        return new JsonObject().put("dataset_name", name);
    }

    private static List<JsonObject> bodies(int status, List<HttpResponse<String>> answers) {
        return answers.stream().map(answer -> Api.json(status, answer)).toList();
    }

    private static Map<Integer, Long> statuses(List<HttpResponse<String>> answers) {
        return answers.stream().collect(groupingBy(HttpResponse::statusCode, counting()));
    }

    private static String path(JsonObject dataset) {
        return PATH + dataset.getLong("id") + '/';
    }

    private static String tag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    /** The number in the tag of a response. */
    private static String number(HttpResponse<String> answer) {
        return tag(answer).replaceAll("\"(-?\\d+)-.*", "$1");
    }

    /** The number of changes of the dataset. */
    private long version(JsonObject dataset) {
        return catalogue.sql("select version from dataset where id = " + dataset.getLong("id")).get(0).getLong(0);
    }

    private static List<Long> ids(List<JsonObject> datasets) {
        return datasets.stream().map(dataset -> dataset.getLong("id")).toList();
    }

    private static List<Long> sorted(List<Long> ids) {
        return ids.stream().sorted().toList();
    }

    private static List<String> texts(List<JsonObject> datasets, String field) {
        return datasets.stream().map(dataset -> dataset.getString(field)).toList();
    }

    private static List<String> expectedNames(IntFunction<String> text) {
        return IntStream.range(0, WRITERS).mapToObj(text).toList();
    }
}
