package io.datasetlisting.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Inject;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;

/**
 * Tests with generated requests that no response has a status of 500 or above, and that the OpenAPI document describes
 * every response.
 */
@QuarkusTest
@TestProfile(WithStorage.class)
class GeneratedRequestsTest {

    private static final Logger LOG = Logger.getLogger(GeneratedRequestsTest.class);

    private static final long SEED = RandomTests.seed(20200307);
    private static final int AT_LEAST = RandomTests.times(1_300, 5_000);
    private static final int BY_CHANCE = RandomTests.times(200, 1_000);
    /** One of so many variations of single parameters is sent. */
    private static final int ONE_OF = RandomTests.times(20, 1);
    private static final int AT_ONCE = 6;
    /** The longest time that a response may take, in seconds. */
    private static final int LONGEST_WAIT = 20;
    private static final int TO_DELETE = 2_000;
    /** The Link header contains the query up to four times. */
    private static final int MAX_HEADER = 1 << 20;
    /** How many wrong responses the message shows. */
    private static final int SHOWN = 20;

    @TestHTTPResource("/")
    URL root;

    @Inject
    Catalogue catalogue;

    private final Vertx vertx = Vertx.vertx();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Map<Integer, AtomicInteger> statuses = new ConcurrentSkipListMap<>();

    @Test
    void everyResponseIsDocumentedAndNoneIsAServerError() throws Exception {
        List<Dataset> datasets = new ArrayList<>(Catalogue.plain(TO_DELETE));
        // The document has this number as its example.
        datasets.forEach(each -> each.workspace = 1);
        catalogue.replaceWith(datasets);
        Caller admin = Caller.account("generator").token("admin");
        long lastToken = catalogue.sql("select max(id) from api_token").get(0).getLong(0);
        // Unused numbers, so that the requests revoke no token that a test needs.
        AtomicLong dataset = new AtomicLong();
        List<Call> calls = new ArrayList<>();
        RequestGenerator generator = new RequestGenerator(admin.key(), Map.of("dataset",
                () -> 3 * (1 + dataset.incrementAndGet() % TO_DELETE), "token", () -> lastToken + 1_000_000,
                "account", admin::id, "identity", () -> 1_000_000, "workspace", () -> 1), calls::add);
        generator.generateSingleVariations();
        Random random = new Random(SEED);
        calls.removeIf(call -> random.nextInt(ONE_OF) > 0);
        generator.generateRandomCombinations(BY_CHANCE, new Random(SEED));
        // An import of the largest id leaves no id for a create.
        calls.sort(Comparator.comparing(call -> call.headers().getOrDefault("Content-Type", "").contains("ndjson")));
        assertTrue(calls.size() >= AT_LEAST, () -> "only " + calls.size() + " requests");

        long start = System.nanoTime();
        send(calls);
        LOG.infof("%d requests in %d ms: %s", calls.size(), (System.nanoTime() - start) / 1_000_000, statuses);

        assertEquals("", String.join("\n", wrong.stream().limit(SHOWN).toList()),
                () -> wrong.size() + " of " + calls.size() + " answers, seed " + SEED + ", " + statuses);
    }

    /**
     * The other tests of this application need the admin token, which a generated request may revoke, and ids that fit into an
     * int, while generated imports contain larger ones.
     */
    @AfterEach
    void restore() {
        catalogue.replaceWith();
        catalogue.sql("select setval(sequence, 1000000) from unnest(array["
                + "'dataset_id_seq', 'account_id_seq', 'account_workspace_seq']::regclass[]) sequence");
        catalogue.sql("update api_token set revoked = false where account_id = 0");
        // The service may have cached the revoked token for some seconds.
        Patience.await("the admin token is valid")
                .until(() -> Caller.admin().get("/api/account/me/").statusCode() == 200);
    }

    /** Sends the requests in order, a few concurrently. */
    private void send(List<Call> calls) throws InterruptedException {
        HttpClient client = vertx.createHttpClient(new HttpClientOptions().setDefaultHost(root.getHost())
                .setDefaultPort(root.getPort()).setMaxPoolSize(AT_ONCE).setKeepAlive(true)
                .setMaxHeaderSize(MAX_HEADER).setIdleTimeout(LONGEST_WAIT));
        try {
            Semaphore free = new Semaphore(AT_ONCE);
            for (Call call : calls) {
                free.acquire();
                // The client may lose a response if the service does not read the whole body. The second attempt
                // counts.
                answer(client, call).recover(lost -> answer(client, call)).onComplete(sent -> {
                    try {
                        if (sent.failed()) {
                            wrong.add(
                                    "no answer to " + call.method() + ' ' + call.target() + ' ' + call.headers() + ": "
                                            + sent.cause());
                        } else {
                            recordResponse(sent.result());
                        }
                    } catch (RuntimeException e) {
                        wrong.add(e + " at " + call.method() + ' ' + call.target());
                    } finally {
                        free.release();
                    }
                });
            }
            free.acquire(AT_ONCE);
        } finally {
            vertx.close();
        }
    }

    private static Future<Exchange> answer(HttpClient client, Call call) {
        return send(client, call).timeout(LONGEST_WAIT, TimeUnit.SECONDS);
    }

    private static Future<Exchange> send(HttpClient client, Call call) {
        return client.request(HttpMethod.valueOf(call.method()), call.target()).compose(request -> {
            call.headers().forEach(request::putHeader);
            // On the event loop, which gets no part of the body before there is a handler for it.
            return request.send(Buffer.buffer(call.body())).compose(answer -> answer.body().map(body -> {
                Map<String, List<String>> headers = new TreeMap<>();
                answer.headers().names().forEach(name -> headers.put(name, answer.headers().getAll(name)));
                return call.answered(answer.statusCode(), headers, body.getBytes());
            }));
        });
    }

    private void recordResponse(Exchange exchange) {
        statuses.computeIfAbsent(exchange.status(), status -> new AtomicInteger()).incrementAndGet();
        List<String> violations = new ArrayList<>(DocumentCheck.violations(exchange));
        if (exchange.status() >= 500) {
            violations.add("the status is 500 or above");
        }
        if (!violations.isEmpty()) {
            wrong.add(violations + " in " + exchange);
        }
    }
}
