package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.ItemPage.numbers;
import static io.datasetlisting.support.ItemPage.path;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** Walks through the pages of searches while other datasets are added and removed. */
@QuarkusTest
class ChangingSearchTest {

    private static final int STABLE = RandomTests.times(100, 300);
    private static final int MAX_OTHERS = 40;
    private static final int NAMES = 30;

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    static Stream<String> searches() {
        return Stream.of("", "sortby=-title,datetime", "bbox=0,0,10,10&sortby=-datetime,title",
                "filter=dataset:workspace%20%3C%2090&sortby=title,-id", "sortby=title",
                "filter=title%20like%20%27name%25%27",
                "sortby=-properties.dataset:workspace",
                "intersects=%7B%22type%22:%22Polygon%22,%22coordinates%22:[[[0,0],[9,0],[0,9],[0,0]]]%7D")
                .limit(RandomTests.times(4, 8));
    }

    @ParameterizedTest
    @Tag(NightlySuite.TAG)
    @MethodSource("searches")
    void noItemRepeatsAndNoneIsMissing(String search) throws InterruptedException {
        Random random = new Random(22);
        catalogue.replaceWith(LongStream.rangeClosed(1, STABLE).mapToObj(id -> Catalogue.dataset(id, dataset -> {
            dataset.datasetName = name(random);
            dataset.workspace = 70 + id % 3;
        })).toList());
        Api admin = new Api(service.toString().replaceFirst("/$", ""), "test-admin-token");
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger changes = new AtomicInteger();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                changes.addAndGet(change(admin, random));
            }
        });
        try {
            String address = "/stac/search?" + search + (search.isEmpty() ? "" : "&") + "limit=";
            for (int limit : List.of(7, 50)) {
                check(walk(admin, address + limit, "next"));
                check(walk(admin, path(admin.json(address + limit), "last"), "prev"));
            }
        } finally {
            isOver.set(true);
            others.join();
        }
        assertTrue(changes.get() > 20, changes + " changes during the walks");
    }

    private static String name(Random random) {
        return "name " + random.nextInt(NAMES);
    }

    /** Adds some datasets and removes them again. Returns the number of changes. */
    private static int change(Api admin, Random random) {
        Deque<String> added = new ArrayDeque<>();
        int count = 1 + random.nextInt(MAX_OTHERS);
        for (int i = 0; i < count; i++) {
            HttpResponse<String> answer = admin.call("POST", "/api/dataset/", new JsonObject()
                    .put("dataset_name", name(random)).put("workspace", 70 + i % 3).put("coordinates", List.of(1, 2))
                    .put("captured_date", "2021-03-04T05:06:0%dZ".formatted(i % 10)));
            added.add(Api.json(201, answer).getLong("id").toString());
        }
        while (!added.isEmpty()) {
            String id = random.nextBoolean() ? added.pollFirst() : added.pollLast();
            assertEquals(204, admin.call("DELETE", "/api/dataset/" + id + '/', null).statusCode());
        }
        return 2 * count;
    }

    private static List<Long> walk(Api api, String start, String relation) {
        List<Long> ids = new ArrayList<>();
        for (String next = start; next != null;) {
            JsonObject page = api.json(next);
            ids.addAll(numbers(page));
            int matched = page.getInteger("numberMatched");
            assertTrue(matched >= STABLE && matched <= STABLE + MAX_OTHERS, () -> "numberMatched " + matched);
            next = path(page, relation);
        }
        return ids;
    }

    private static void check(List<Long> ids) {
        assertEquals(ids.size(), new HashSet<>(ids).size(), () -> "an item repeats: " + ids);
        List<Long> missing = new ArrayList<>(LongStream.rangeClosed(1, STABLE).boxed().toList());
        missing.removeAll(new HashSet<>(ids));
        assertEquals(List.of(), missing, "missing items");
    }
}
