package io.datasetlisting.faces.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/**
 * Sends searches and aggregations that are as expensive as the limits allow, several at once. The event loop answers other
 * requests meanwhile.
 */
@QuarkusTest
class ExpensiveSearchTest {

    private static final int AT_ONCE = RandomTests.times(2, 4);
    private static final long PAUSE = 5_000_000;
    /** The largest number of a search. */
    private static final int VERTICES = 5_000;

    /** The packages of JTS whose work grows faster than the number of vertices. */
    private static final Pattern COMPUTES = Pattern
            .compile("org\\.locationtech\\.jts\\.(io|operation|algorithm|index|noding|geomgraph|geom\\.prep)\\.");

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    private ErrorLog log;
    private Api api;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.generated(4_000));
        log = ErrorLog.open();
        api = new Api(service.toString().replaceFirst("/$", ""), null);
    }

    @AfterEach
    void nothingIsLogged() {
        log.close();
        log.assertEmpty();
        // A statement may run on after the response.
        catalogue.awaitNoTransaction();
    }

    private static String list(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
    }

    private static String point(double x, double y) {
        return "[" + x + ',' + y + ']';
    }

    /** A long narrow triangle, parallel to others with nearly the same box. */
    private static String splinter(int index, int count) {
        double width = 60.0 / count;
        double at = index * width;
        String start = point(at - 80, -at);
        return '[' + start + ',' + point(at + 10, 80 - at) + ',' + point(at - 80 + width / 3, -at - width / 3) + ','
                + start + ']';
    }

    private static String intersects(String type, String coordinates) {
        return "{\"intersects\":{\"type\":\"" + type + "\",\"coordinates\":" + coordinates + "}}";
    }

    private static String text(String filter) {
        return new JsonObject().put("filter-lang", "cql2-text").put("filter", filter).encode();
    }

    static Stream<Map.Entry<String, String>> searches() {
        Random random = new Random(22);
        int splinters = VERTICES / 4 - 2;
        String frame = "[[-170,-85],[170,-85],[170,85],[-170,85],[-170,-85]]";
        // There and back again beside itself.
        String comb = list(VERTICES, i -> {
            int tooth = i % (VERTICES - 1) / 2;
            boolean isTop = i % (VERTICES - 1) % 4 == 1 || i % (VERTICES - 1) % 4 == 2;
            return point(tooth * 0.01 + (isTop ? 60 : 0), (isTop ? 60 : 0) - tooth * 0.01);
        });
        List<Map.Entry<String, String>> all = List.of(
                Map.entry("a polygon with holes", intersects("Polygon",
                        "[" + frame + ',' + list(splinters, i -> splinter(i, splinters)).substring(1))),
                Map.entry("many polygons", intersects("MultiPolygon",
                        list(splinters, i -> '[' + splinter(i, splinters) + ']'))),
                Map.entry("a comb", intersects("LineString", comb)),
                Map.entry("a random line", intersects("LineString", list(VERTICES,
                        i -> point(random.nextDouble() * 360 - 180, random.nextDouble() * 180 - 90)))),
                Map.entry("a random ring", intersects("Polygon", '[' + list(VERTICES, i -> i % (VERTICES - 1) == 0
                        ? "[0,0]"
                        : point(random.nextDouble() * 360 - 180, random.nextDouble() * 180 - 90)) + ']')),
                Map.entry("many points", intersects("MultiPoint", list(VERTICES,
                        i -> point(random.nextDouble() * 360 - 180, random.nextDouble() * 180 - 90)))),
                Map.entry("lines through one point", intersects("MultiLineString", list(VERTICES / 2,
                        i -> '[' + point(-179 + i * 0.01, -80) + ',' + point(179 - i * 0.01, 80) + ']'))),
                Map.entry("many geometries in a filter", "{\"filter\":{\"op\":\"or\",\"args\":" + list(400,
                        i -> "{\"op\":\"not\",\"args\":[{\"op\":\"s_intersects\",\"args\":[{\"property\":\"geometry\"},"
                                + "{\"type\":\"Polygon\",\"coordinates\":[" + splinter(i, 400) + "]}]}]}")
                        + "}}"),
                Map.entry("patterns", text(Stream.generate(() -> "casei(title) like casei('%a%e%i%o%u%x')").limit(50)
                        .collect(Collectors.joining(" or ")))),
                Map.entry("a long pattern", text("title like '" + "%a_".repeat(5_000) + "%'")),
                Map.entry("many conditions on arrays", text(Stream.generate(() -> "casei(dataset:bands)>'z'").limit(40)
                        .collect(Collectors.joining(" or ")))));
        // A short run has every second one.
        return IntStream.iterate(0, i -> i < all.size(), i -> i + RandomTests.times(2, 1)).mapToObj(all::get);
    }

    /** The statuses: a page; too expensive; no free thread, or no time. */
    @ParameterizedTest
    @Tag(NightlySuite.TAG)
    @MethodSource("searches")
    void theEventLoopServesOtherRequests(Map.Entry<String, String> search) {
        JsonObject aggregation = new JsonObject(search.getValue()).put("aggregations", List.of("total_count"));
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, AT_ONCE)
                .mapToObj(i -> i % 2 == 0
                        ? api.send("POST", "/stac/search", search.getValue())
                        : api.send("POST", "/stac/aggregate", aggregation.encode()))
                .toList();
        Set<String> onTheEventLoop = new TreeSet<>();
        CompletableFuture<HttpResponse<String>> other = api.send("GET", "/stac/search?limit=1", null);
        while (!answers.stream().allMatch(CompletableFuture::isDone)) {
            if (other.isDone()) {
                assertEquals(200, other.join().statusCode());
                other = api.send("GET", "/stac/search?limit=1", null);
            }
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (thread.getName().startsWith("vert.x-eventloop")) {
                    Arrays.stream(stack).map(StackTraceElement::getClassName)
                            .filter(name -> COMPUTES.matcher(name).lookingAt()).forEach(onTheEventLoop::add);
                }
            });
            LockSupport.parkNanos(PAUSE);
        }
        other.join();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.join();
            assertTrue(Set.of(200, 400, 503).contains(response.statusCode()), response::body);
            if (response.statusCode() != 200) {
                assertEquals(Set.of("code", "description", "detail"), new JsonObject(response.body()).fieldNames());
            }
        }
        assertEquals(Set.of(), onTheEventLoop);
    }
}
