package io.datasetlisting.write.change;

import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.LowLimits;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RandomWriters;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonObject;

/**
 * Many clients listen to the changes of random writers. They connect and disconnect, and some read slowly. Streams end after some
 * seconds, and the service has little memory for events that clients have not read.
 */
@QuarkusTest
@TestProfile(LowLimits.class)
class ChangeStreamsTest {

    private static final int LISTENERS = RandomTests.times(12, 24);
    private static final Duration WRITING = Duration.ofSeconds(RandomTests.times(2, 15));
    private static final List<String> FILTERS = List.of("", "category=Forest", "in_bbox=-20,-20,10,10");

    @Inject
    Catalogue catalogue;

    @TestHTTPResource
    URI service;

    private Caller owner;

    @BeforeEach
    void fill() {
        List<Dataset> datasets = Catalogue.generated(300);
        catalogue.replaceWith(datasets);
        owner = Caller.privateOwner(datasets);
        catalogue.fold();
    }

    /** What a stream leaves is given back, once. */
    @AfterEach
    void nothingIsLeft() {
        Patience.await("no listener, and no event that was not read").until(
                () -> metric("dataset_changes_listeners") == 0 && metric("dataset_streams_unread_bytes") == 0);
    }

    /** A client that keeps a copy by the events, and connects again with the id of the last one. */
    private final class Listener implements Runnable {

        private final Caller caller;
        private final String filter;
        private final AtomicBoolean ended;
        private final boolean isSlow;
        private final Copy copy;
        private String id;
        private volatile int connections;

        Listener(Caller caller, String filter, boolean isSlow, AtomicBoolean ended) {
            this.caller = caller;
            this.filter = filter;
            this.isSlow = isSlow;
            this.ended = ended;
            copy = Copy.of(caller, filter);
            copy.follow(1000);
            id = copy.since;
        }

        @Override
        public void run() {
            while (!ended.get()) {
                try (SlowClient client = SlowClient.listening(service, caller,
                        "?wait=1" + (filter.isEmpty() ? "" : "&" + filter), id)) {
                    assertTrue(client.head().startsWith("HTTP/1.1 200 "));
                    connections++;
                    listen(client);
                } catch (IOException e) {
                    // The service has closed a slow client.
                }
            }
        }

        private void listen(SlowClient client) throws IOException {
            Map<String, Long> versions = new HashMap<>();
            int left = ThreadLocalRandom.current().nextInt(1000);
            String ofEvent = null;
            for (String line = client.line(); line != null && !ended.get(); line = client.line()) {
                if (line.startsWith("id: ")) {
                    ofEvent = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    apply(new JsonObject(utf8(line.substring(6))).getJsonObject("data"), versions);
                    if (isSlow && ThreadLocalRandom.current().nextInt(100) == 0) {
                        Patience.pause(Duration.ofMillis(500));
                    } else if (left-- == 0) {
                        return;
                    }
                } else if (line.isEmpty() && ofEvent != null) {
                    id = ofEvent;
                }
                assertFalse(line.startsWith("event: reset"));
            }
        }

        /** The client reads a character for each byte. */
        private static String utf8(String bytes) {
            return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }

        private void apply(JsonObject change, Map<String, Long> versions) {
            JsonObject dataset = change.getJsonObject("dataset");
            if (dataset != null) {
                assertTrue(
                        !dataset.getBoolean("is_private") || caller.key() != null
                                && (caller == owner ? owner.user().equals(dataset.getString("user")) : true),
                        () -> caller.username() + " sees " + change);
                String revision = change.getString("revision");
                long version = Long.parseLong(revision.substring(0, revision.indexOf('-')));
                Long before = versions.put(dataset.getString("uav_uid"), version);
                assertTrue(before == null || before <= version, () -> before + " is before " + change);
            }
            synchronized (copy) {
                copy.apply(change);
            }
        }

        private boolean isEqual() {
            synchronized (copy) {
                return copy.revisions.equals(listed(caller, filter));
            }
        }
    }

    private Map<Long, String> listed(Caller caller, String filter) {
        Copy fresh = Copy.of(caller, filter);
        fresh.follow(1000);
        return new TreeMap<>(fresh.revisions);
    }

    /** One random write of many datasets or of one, in a transaction of its own. */
    private void write(Random random) {
        catalogue.sql(random.nextInt(6) == 0
                ? "update dataset set dataset_name = 'n" + random.nextInt() + "', version = version + 1"
                : RandomWriters.statement(random, 330, List.of(owner.id(), 0L)));
    }

    @Test
    void eachListenerHasTheCopyOfItsAudience() {
        long seed = RandomTests.seed();
        Random random = new Random(seed);
        AtomicBoolean ended = new AtomicBoolean();
        List<Caller> callers = List.of(Caller.anonymous(), owner, Caller.admin());
        List<Listener> listeners = new ArrayList<>();
        for (int i = 0; i < LISTENERS; i++) {
            listeners.add(new Listener(callers.get(i % 3), FILTERS.get(i / 3 % 3), i % 4 == 0, ended));
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        List<CompletableFuture<Void>> running = listeners.stream()
                .map(listener -> CompletableFuture.runAsync(listener, threads)).toList();
        try {
            long end = System.nanoTime() + WRITING.toNanos();
            Patience.await("two connections of each listener, seed " + seed).until(() -> {
                write(random);
                return System.nanoTime() > end && listeners.stream().allMatch(listener -> listener.connections > 1);
            });
            catalogue.fold();
            for (Listener listener : listeners) {
                Patience.await(listener.caller + " " + listener.filter + ", seed " + seed)
                        .until(() -> listener.isEqual() || running.stream().anyMatch(CompletableFuture::isDone));
            }
        } finally {
            ended.set(true);
            running.forEach(CompletableFuture::join);
            threads.shutdown();
        }
    }

    private void updateAll(String name) {
        catalogue.sql("update dataset set dataset_name = '" + name + "', description = repeat('x', 1000),"
                + " version = version + 1");
        catalogue.fold();
    }

    /** Clients that do not read hold pages of different folds. The ones that hold the oldest page are closed. */
    @Test
    void clientsThatDoNotReadAreClosedAndContinueWithTheirId() throws IOException {
        Copy copy = Copy.of(Caller.admin(), "");
        copy.follow(1000);
        String closed = "dataset_streams_closed_total{reason=\"memory\"}";
        double before = metric(closed);
        List<SlowClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 60 && metric(closed) == before; i++) {
                clients.add(SlowClient.listening(service, Caller.admin(), "?wait=1", copy.since));
                updateAll("round " + i);
                // The bound, and a page.
                assertTrue(metric("dataset_streams_unread_bytes") < 1 << 20);
            }
            assertTrue(metric(closed) > before);
        } finally {
            for (SlowClient client : clients) {
                client.abort();
            }
        }
        try (SlowClient back = SlowClient.listening(service, Caller.admin(), "?wait=1", copy.since)) {
            back.head();
            Map<Long, String> all = listed(Caller.admin(), "");
            while (!copy.revisions.equals(all)) {
                String event = back.lineWhere(line -> line.startsWith("data: ")).substring(6);
                copy.apply(new JsonObject(event).getJsonObject("data"));
            }
        }
    }

    /** A page of a fold with many changes has a position after each hundred of them. */
    @Test
    void aStreamContinuesAfterEachPosition() throws IOException {
        Copy copy = Copy.of(Caller.admin(), "");
        copy.follow(1000);
        updateAll("before");
        copy.follow(1000);
        String begin = copy.since;
        Map<Long, String> all = new TreeMap<>(copy.revisions);
        List<String> ids = new ArrayList<>();
        List<Long> order = new ArrayList<>();
        try (SlowClient client = SlowClient.listening(service, Caller.admin(), "?wait=1", begin)) {
            client.head();
            // The first page of a stream is small: this one is behind an empty page.
            client.lineWhere(line -> line.startsWith("id: "));
            updateAll("after");
            String before = "";
            while (order.size() < all.size()) {
                String line = client.lineWhere(each -> each.startsWith("id: ") || each.startsWith("data: "));
                if (line.startsWith("id: ")) {
                    // Without a change for a second, there is an id without data.
                    if (before.startsWith("id: ")) {
                        ids.remove(ids.size() - 1);
                    }
                    ids.add(line.substring(4));
                } else {
                    order.add(Long.parseLong(new JsonObject(line.substring(6)).getString("subject")));
                }
                before = line;
            }
        }
        assertEquals((all.size() + 99) / 100, ids.size());
        assertEquals(List.copyOf(all.keySet()), order);
        for (int i = 0; i < ids.size(); i++) {
            copy.since = ids.get(i);
            copy.datasets.clear();
            copy.follow(1000);
            assertEquals(order.subList(Math.min(order.size(), 100 * i + 100), order.size()),
                    List.copyOf(copy.datasets.keySet()));
        }
    }

    /** Whenever clients began, they have equal positions afterwards. So they share pages. */
    @Test
    void clientsThatBeganAtDifferentTimesSharePages() {
        Copy first = Copy.of(Caller.anonymous(), "");
        first.follow(1000);
        updateAll("between");
        Copy second = Copy.of(Caller.anonymous(), "");
        second.follow(1000);
        first.follow(1000);
        List<CompletableFuture<String>> pages = Stream.of(first, second)
                .map(copy -> CompletableFuture.supplyAsync(() -> Caller.anonymous()
                        .get(Copy.CHANGES + "?wait=30&since=" + copy.since).then().statusCode(200).extract()
                        .asString()))
                .toList();
        updateAll("later");
        String page = pages.get(0).join();
        assertTrue(page.contains("later"), page);
        // The text of an equal position differs each time that it is written.
        assertEquals(page, pages.get(1).join());
    }
}
