package io.datasetlisting.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.listing.ExpressionGenerator;
import io.datasetlisting.stac.SearchModel.Question;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Compares the pages of random searches with {@link SearchModel}. */
@QuarkusTest
class SearchModelTest {

    private static final int DATASETS = 400;
    private static final int SEARCHES = 2_500;
    private static final long SEED = 22;
    private static final int MAX_ADDRESS = 15_000;

    private static final String BANDS = """
            {"dsm":{},"dtm":{},"ortho":{},"multispec_ortho":{"band_descr":{%s}}}""";

    private static final List<String> LABELS = List.of("nir", "Straße", "a", "%", "7");

    /** Latitude and longitude of corners, or of a point. */
    private static final List<double[]> FAR_PLACES = List.of(new double[]{-90, -180, 90, 180},
            new double[]{-5, 175, 5, 180}, new double[]{-5, -180, 5, -175}, new double[]{0, 180},
            new double[]{0, -180}, new double[]{90, 0}, new double[]{-90, 180}, new double[]{80, -180, 90, 180},
            new double[]{-90, -180, -90, 180}, new double[]{0, 179.99999995}, new double[]{-3, 180, 3, 180});

    private static final ObjectMapper JSON = new ObjectMapper();

    @Inject
    Catalogue catalogue;

    @Inject
    ItemProperties properties;

    @TestHTTPResource("/")
    URI service;

    private final List<Caller> callers = new ArrayList<>();
    private final AtomicInteger found = new AtomicInteger();
    private SearchModel model;
    private List<String> otherTexts;

    private void fill() {
        otherTexts = Stream.of(LABELS, List.of("dataset 4", "Dataset 8", "dataset 8", "007", "+7", "Bea"),
                LongStream.rangeClosed(1, 20).mapToObj(Long::toString).toList(),
                LongStream.rangeClosed(1, 3).mapToObj(id -> "00000000-0000-4000-0000-00000000000" + id).toList())
                .flatMap(List::stream).toList();
        ExpressionGenerator generator = new ExpressionGenerator(new Random(SEED),
                List.copyOf(properties.queryables().values()), otherTexts);
        Map<Long, List<String>> bands = new HashMap<>();
        List<Dataset> datasets = LongStream.rangeClosed(1, DATASETS).mapToObj(id -> Catalogue.dataset(id, dataset -> {
            generator.fill(dataset);
            change(dataset, (int) id, bands);
        })).toList();
        catalogue.replaceWith(datasets);
        catalogue.sql("update dataset set is_deleted = is_deleted where id % 3 = 0");
        Map<Long, Instant> updated = new HashMap<>();
        catalogue.sql("select id, updated_at from dataset")
                .forEach(row -> updated.put(row.getLong(0), row.getOffsetDateTime(1).toInstant()));
        model = new SearchModel(datasets, updated, bands, catalogue, Stream.of(otherTexts, ExpressionGenerator.TEXTS)
                .flatMap(List::stream).toList());
        Caller ada = Caller.existing(Catalogue.OWNER.id(), Catalogue.OWNER.username());
        callers.addAll(List.of(Caller.anonymous(), Caller.admin(), ada.token("reader"), ada.token("writer"),
                Caller.existing(12, "Bea").token("reader")));
    }

    private static void change(Dataset dataset, int id, Map<Long, List<String>> bands) {
        dataset.isPrivate = id % 3 == 0;
        dataset.isShareable = id % 2 == 0;
        dataset.cantOrthomosaic = id % 5 == 0;
        dataset.isDeleted = id % 50 == 0;
        if (id % 4 == 0) {
            dataset.ownerId = 12;
            dataset.ownerName = "Bea";
        }
        if (id % 9 == 0) {
            double[] place = FAR_PLACES.get(id / 9 % FAR_PLACES.size());
            dataset.bbox = place.length == 4 ? place : new double[0];
            dataset.coordinates = new double[]{place[0], place[1]};
        }
        if (id % 6 == 0) {
            List<String> labels = LABELS.subList(id % 5, LABELS.size());
            dataset.bandStats = BANDS.formatted(
                    labels.stream().map(label -> '"' + label + "\":1").collect(Collectors.joining(",")));
            bands.put(dataset.id, labels);
        }
        if (id % 41 == 0) {
            dataset.bbox = new double[0];
            dataset.coordinates = null;
        }
    }

    @Test
    void randomSearchesFindTheItemsOfTheModel() {
        fill();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Void>> searches = IntStream.range(0, SEARCHES)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> compare(SEED + i), threads)).toList();
            searches.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        assertTrue(found.get() > SEARCHES / 3, found + " searches find some items");
    }

    /** Sends one search by GET and by POST, and walks through its pages. */
    private void compare(long seed) {
        Random random = new Random(seed);
        QuestionGenerator generator = new QuestionGenerator(random, properties, otherTexts);
        Question question = generator.question();
        Caller caller = callers.get(random.nextInt(callers.size()));
        List<String> expected = model.find(question, caller);
        if (!expected.isEmpty() && expected.size() < DATASETS / 2) {
            found.incrementAndGet();
        }
        boolean isOfItems = random.nextBoolean() && !generator.body().has("ids") && !generator.body().has("collections")
                && !generator.body().has("intersects");
        String address = (isOfItems ? "/stac/collections/datasets/items?" : "/stac/search?")
                + generator.query().stream().map(SearchModelTest::encoded).collect(Collectors.joining("&"));
        try {
            Api api = new Api(service.toString().replaceFirst("/$", ""), caller.key());
            if (address.length() < MAX_ADDRESS) {
                new PageWalk(api, address, null, expected, random).run();
            }
            new PageWalk(api, "/stac/search", generator.body(), expected, random).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed %d, as %s (%d):%n%s%n%s".formatted(seed, caller.username(), caller.id(),
                    address, generator.body()), e);
        }
    }

    private static String encoded(String parameter) {
        int equals = parameter.indexOf('=');
        return parameter.substring(0, equals + 1)
                + URLEncoder.encode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
    }

    /**
     * A walk through the pages of one search, in random steps and with changing limits.
     *
     * @param body
     *            null for a search by GET
     * @param expected
     *            the ids of all pages
     */
    private record PageWalk(Api api, String address, ObjectNode body, List<String> expected, Random random) {

        private static final int STEPS = 4;

        void run() {
            int limit = limit();
            JsonNode page = page(null, limit);
            int from = 0;
            int to = check(page, from, limit);
            for (int step = 0; step < STEPS && to - from < expected.size(); step++) {
                String relation = List.of("next", "next", "next", "prev", "prev", "first", "last")
                        .get(random.nextInt(7));
                JsonNode link = link(page, relation);
                if (link == null) {
                    continue;
                }
                limit = limit();
                page = page(link, limit);
                int end = relation.equals("prev") ? from : expected.size();
                from = switch (relation) {
                    case "next" -> to;
                    case "first" -> 0;
                    default -> Math.max(0, end - limit);
                };
                // A page that is read backward ends before the present one, even if it is shorter than the limit.
                to = check(page, from, relation.equals("prev") ? end - from : limit);
            }
        }

        private int limit() {
            return random.nextInt(10) == 0 ? 1_000 : 1 + random.nextInt(30);
        }

        /** Compares a page, and returns the index after its last item. */
        private int check(JsonNode page, int from, int limit) {
            int to = Math.min(from + limit, expected.size());
            List<String> ids = new ArrayList<>();
            page.path("features").forEach(item -> ids.add(item.path("id").textValue()));
            assertEquals(expected.subList(from, to), ids, () -> "items from " + from);
            assertEquals(expected.size(), page.path("numberMatched").intValue());
            assertEquals(ids.size(), page.path("numberReturned").intValue());
            assertEquals(to < expected.size(), link(page, "next") != null, "next");
            assertEquals(from > 0, link(page, "prev") != null, "prev");
            return to;
        }

        private static JsonNode link(JsonNode page, String relation) {
            JsonNode found = null;
            for (JsonNode link : page.path("links")) {
                if (link.path("rel").asText().equals(relation)) {
                    assertFalse(found != null, () -> "two links " + relation);
                    found = link;
                }
            }
            return found;
        }

        /**
         * @param link
         *            null for the first page
         */
        private JsonNode page(JsonNode link, int limit) {
            HttpResponse<String> response;
            if (body == null) {
                String target = link == null ? address : link.path("href").asText().substring(api.url().length());
                String query = target.replaceFirst("(?<=[?&])limit=\\d+&?", "");
                response = api.get(query + (query.matches(".*[?&]") ? "" : query.contains("?") ? "&" : "?") + "limit="
                        + limit);
            } else {
                ObjectNode next = body.deepCopy().put("limit", limit);
                if (link != null) {
                    assertEquals("POST", link.path("method").textValue());
                    assertTrue(link.path("merge").booleanValue());
                    next.setAll((ObjectNode) link.path("body"));
                }
                response = api.call("POST", address, next);
            }
            assertEquals(200, response.statusCode(), response::body);
            try {
                return JSON.readTree(response.body());
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
