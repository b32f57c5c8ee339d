package io.datasetlisting.catalogue.index;

import static io.datasetlisting.support.ItemPage.path;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.facet.FacetModel;
import io.datasetlisting.catalogue.grid.GridModel;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.query.FilterModel;
import io.datasetlisting.catalogue.rank.RankWriter;
import io.datasetlisting.catalogue.rank.SmallBlocks;
import io.datasetlisting.catalogue.tile.TileModel;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.faces.item.StacSearch;
import io.datasetlisting.faces.stac.AggregationModel;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;

/**
 * Compares random combinations of filters and callers with a plain computation, in each way of counting, while another thread
 * creates, changes, hides, deletes and imports datasets, is refused, ends folds, folds a backlog and rebuilds the ranks.
 */
@QuarkusTest
class CombinationTest {

    private static final Logger LOG = Logger.getLogger(CombinationTest.class);

    private static final long SEED = RandomTests.seed(33);
    private static final int COMBINATIONS = RandomTests.times(200, 5_000);
    private static final int DATASETS = 1_200;
    private static final int READERS = 3;
    private static final int FILTERS = 4;
    /** Besides the page, of each combination. */
    private static final int VIEWS = 1;
    private static final int PAUSE_MILLIS = 10;
    /** How many times smaller blocks, sections and parts are, so that writes fill, divide and empty them. */
    private static final int SMALLER = 16;
    private static final int CHANGES = RandomTests.times(30, 300);
    private static final int PAGE_SIZE = 60;
    private static final List<String> ORDERS = Stream.concat(
            Views.FIELDS.sortable().stream().sorted().flatMap(field -> Stream.of(field, '-' + field)),
            Stream.of("workspace,-captured_date", "-is_private,workspace,dataset_name")).toList();
    private static final List<String> STATUSES = List.of("", "failed", "finished");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What counts or lists the datasets of a combination, besides a page. */
    private enum View {
        FACETS, HISTOGRAM, GRID, AGGREGATIONS, TILE, ARRAY, SEARCH
    }

    /**
     * One combination.
     *
     * @param query
     *            all filters
     * @param failed
     *            the filters that do not find a dataset, as bits; -1 for a dataset that the caller does not see
     */
    private record Combination(Caller caller, List<FilterModel.Named> filters, String query, Random random,
            String what, Map<Dataset, Integer> failed) {

        List<Dataset> matching(List<Dataset> state, List<String> without) {
            int ignored = 0;
            for (int i = 0; i < filters.size(); i++) {
                ignored |= without.contains(filters.get(i).parameter()) ? 1 << i : 0;
            }
            int counted = ~ignored;
            return state.stream().filter(d -> (failed.computeIfAbsent(d, this::failed) & counted) == 0).toList();
        }

        private int failed(Dataset d) {
            if (!caller.lists(d)) {
                return -1;
            }
            int bits = 0;
            for (int i = 0; i < filters.size(); i++) {
                bits |= filters.get(i).finds().test(d) ? 0 : 1 << i;
            }
            return bits;
        }

        List<Dataset> matching(List<Dataset> state) {
            return matching(state, List.of());
        }
    }

    @Inject
    Catalogue catalogue;

    @Inject
    Pool pool;

    @Inject
    PagingConfig paging;

    @Inject
    MeterRegistry meters;

    @TestHTTPResource("/")
    URI service;

    private final Map<Dataset, JsonNode> items = new ConcurrentHashMap<>();
    private final Map<View, LongAdder> compared = new EnumMap<>(View.class);
    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean failed;
    private CatalogueHistory history;
    private Api api;
    /** The order of all texts that a dataset may have. */
    private Comparator<String> texts;
    private FacetModel facets;

    @Test
    void noCountDiffersFromAPlainComputationWhateverIsAskedBesideWriters() throws InterruptedException {
        List<Dataset> datasets = Catalogue.generated(DATASETS);
        datasets.stream().filter(d -> d.id % 4 == 0).forEach(CatalogueWriter::readRaster);
        catalogue.replaceWith(datasets);
        history = new CatalogueHistory(datasets);
        api = new Api(service.toString().replaceFirst("/$", ""), null);
        for (View view : View.values()) {
            compared.put(view, new LongAdder());
        }
        Caller creator = Caller.writer("combinations");
        texts = catalogue.nameOrder(Stream.of(CatalogueWriter.owners(datasets, creator).stream(), STATUSES.stream(),
                CatalogueWriter.NAMES.stream(), datasets.stream().map(d -> d.datasetName))
                .flatMap(parts -> parts).collect(Collectors.toSet()));
        facets = new FacetModel(texts);
        List<Caller> callers = List.of(Caller.anonymous(), Caller.privateOwner(datasets), creator, Caller.admin());
        Api admin = api.with(Caller.admin().key());
        CatalogueWriter writer = new CatalogueWriter(admin, creator, catalogue, history,
                new RankWriter(admin, pool, SEED, List.of()), SEED);

        ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
        SmallBlocks blocks = new SmallBlocks(catalogue, SMALLER);
        try {
            List<CompletableFuture<Void>> work = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                work.add(run(threads, () -> compare(callers)));
            }
            work.add(run(threads, () -> {
                writer.writeOne();
                pause();
            }));
            CompletableFuture.allOf(work.toArray(CompletableFuture[]::new)).join();
        } finally {
            threads.shutdownNow();
            blocks.close();
        }
        LOG.infof("Seed %d: %d combinations, %s, beside %d changes", SEED, next.get(), compared, history.changes());
        assertEquals(List.of(), catalogue.sql("select * from wrong_ranks()"));
        double refused = meters.get("dataset.columns.refused").counter().count();
        assertEquals(hasColumns(), refused == 0, () -> refused + " requests were answered without columns");
    }

    /** Whether the columns fit into memory. */
    boolean hasColumns() {
        return true;
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Void> run(ExecutorService threads, Runnable turn) {
        return CompletableFuture.runAsync(() -> {
            while (!failed && (next.get() < COMBINATIONS || history.changes() < CHANGES)) {
                turn.run();
            }
        }, threads).whenComplete((done, failure) -> failed |= failure != null);
    }

    private void compare(List<Caller> callers) {
        long number = next.getAndIncrement();
        Random random = new Random(SEED + number);
        Caller caller = callers.get(random.nextInt(callers.size()));
        List<FilterModel.Named> filters = FilterModel.any(random, FILTERS);
        String query = filters.stream().map(FilterModel.Named::text).collect(Collectors.joining("&"));
        Combination combination = new Combination(caller, filters, query, random,
                "combination %d, for %s: %s".formatted(number, caller.username(), query), new IdentityHashMap<>());
        List<View> views = new ArrayList<>(List.of(View.values()));
        Collections.shuffle(views, random);
        comparePage(combination);
        views.subList(0, VIEWS).forEach(view -> {
            compared.get(view).increment();
            switch (view) {
                case FACETS -> compareFacets(combination);
                case HISTOGRAM -> compareHistogram(combination);
                case GRID -> compareGrid(combination);
                case AGGREGATIONS -> compareAggregations(combination);
                case TILE -> compareTile(combination);
                case ARRAY -> compareArray(combination);
                case SEARCH -> compareSearch(combination);
            }
        });
    }

    private void compare(Combination of, String address, Consumer<CatalogueHistory.Answer<HttpResponse<byte[]>>> how) {
        history.compare(() -> api.with(of.caller.key()).bytes(address), how);
    }

    private static JsonObject json(HttpResponse<byte[]> response, String what) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        assertEquals(200, response.statusCode(), () -> what + ": " + text);
        return new JsonObject(text);
    }

    private void comparePage(Combination of) {
        String order = ORDERS.get(of.random.nextInt(ORDERS.size()));
        int size = 1 + of.random.nextInt(PAGE_SIZE);
        int last = lastPage(of.matching(history.last()).size(), size);
        boolean isLast = of.random.nextInt(10) == 0;
        int number = 1 + of.random.nextInt(last + 1);
        compare(of, Listing.PATH + "?fields=id,category,is_shareable&ordering=" + order + "&page_size=" + size + "&p="
                + (isLast ? "last" : number) + '&' + of.query, answer -> {
                    List<Dataset> matching = of.matching(answer.state());
                    int pages = lastPage(matching.size(), size);
                    int page = isLast ? pages : number;
                    if (page > pages) {
                        assertEquals(404, answer.response().statusCode(), of.what);
                        return;
                    }
                    JsonObject listed = json(answer.response(), of.what);
                    assertEquals(matching.size(), listed.getInteger("count"), of.what);
                    assertEquals(
                            new JsonArray(matching.stream().sorted(order(order)).skip((page - 1L) * size).limit(size)
                                    .map(d -> new JsonObject().put("id", d.id).put("category", List.of(d.category))
                                            .put("is_shareable", d.isShareable))
                                    .toList()),
                            listed.getJsonArray("results"),
                            () -> of.what + " by " + order + ", page " + page + " of " + size);
                });
    }

    private static int lastPage(int count, int size) {
        return Math.max(1, (count + size - 1) / size);
    }

    private Comparator<Dataset> order(String order) {
        Comparator<Dataset> all = null;
        for (String field : order.split(",")) {
            Comparator<Dataset> key = field.endsWith("gsd")
                    ? FilterModel.byGsd(field.startsWith("-"))
                    : field.startsWith("-") ? key(field.substring(1)).reversed() : key(field);
            all = all == null ? key : all.thenComparing(key);
        }
        Comparator<Dataset> byId = key("id");
        return all.thenComparing(order.startsWith("-") ? byId.reversed() : byId);
    }

    private Comparator<Dataset> key(String field) {
        return switch (field) {
            case "captured_date" -> Comparator.comparing((Dataset d) -> d.capturedDate);
            case "workspace" -> Comparator.comparing((Dataset d) -> d.workspace);
            case "is_shareable" -> Comparator.comparing((Dataset d) -> d.isShareable);
            case "is_private" -> Comparator.comparing((Dataset d) -> d.isPrivate);
            case "uav_uid" -> Comparator.comparing((Dataset d) -> d.uavUid.toString());
            case "user" -> Comparator.comparing((Dataset d) -> d.ownerName, texts);
            case "dataset_name" -> Comparator.comparing((Dataset d) -> d.datasetName, texts);
            case "cant_orthomosaic" -> Comparator.comparing((Dataset d) -> d.cantOrthomosaic);
            case "is_dem_processing" -> Comparator.comparing((Dataset d) -> d.isDemProcessing);
            case "cumulative_adjustment" -> Comparator.comparing((Dataset d) -> d.cumulativeAdjustment);
            case "latest_adjustment_status" -> Comparator.comparing((Dataset d) -> d.latestAdjustmentStatus, texts);
            case "id" -> Comparator.comparing((Dataset d) -> d.id);
            default -> throw new IllegalArgumentException(field);
        };
    }

    private void compareFacets(Combination of) {
        compare(of, Listing.PATH + "facets/?x=1&" + of.query, answer -> {
            JsonObject counted = json(answer.response(), of.what);
            assertEquals(of.matching(answer.state()).size(), counted.getInteger("count"), of.what);
            assertEquals(FacetModel.PARAMETERS.keySet(), counted.getJsonObject("facets").fieldNames(), of.what);
            FacetModel.PARAMETERS.forEach((facet, own) -> assertEquals(
                    facets.choices(facet, of.matching(answer.state(), own)),
                    counted.getJsonObject("facets").getJsonArray(facet), () -> facet + " of " + of.what));
        });
    }

    /** The datasets of all pages, which a stream reads. */
    private void compareArray(Combination of) {
        compare(of, "/api/search_datasets?ordering=id&" + of.query, answer -> {
            assertEquals(200, answer.response().statusCode(), of.what);
            JsonArray listed = new JsonArray(new String(answer.response().body(), StandardCharsets.UTF_8));
            assertEquals(of.matching(answer.state()).stream().map(d -> d.id).sorted().limit(paging.maxArraySize())
                    .toList(), listed.stream().map(d -> ((JsonObject) d).getLong("id")).toList(), of.what);
        });
    }

    /** A page of a search, and the page that begins behind its last item. */
    private void compareSearch(Combination of) {
        String order = ORDERS.get(of.random.nextInt(ORDERS.size()));
        int size = 1 + of.random.nextInt(PAGE_SIZE);
        StacSearch search = search("ordering=" + order + "&page_size=" + size + '&' + of.query);
        if (!search.leftOut().isEmpty()) {
            compareArray(of);
            return;
        }
        List<Dataset> first = new ArrayList<>();
        String[] next = {null};
        compare(of, "/stac/search?" + search.query(), answer -> {
            JsonObject page = json(answer.response(), of.what);
            List<Dataset> expected = of.matching(answer.state()).stream().sorted(order(order)).limit(size).toList();
            assertItems(expected, page, of.what + " by " + order);
            first.addAll(expected);
            next[0] = path(page, "next");
        });
        if (next[0] != null) {
            Dataset last = first.get(first.size() - 1);
            compare(of, next[0], answer -> assertItems(
                    of.matching(answer.state()).stream().sorted(order(order))
                            .filter(d -> order(order).compare(d, last) > 0).limit(size).toList(),
                    json(answer.response(), of.what), of.what + " by " + order + " behind " + last.id));
        }
    }

    private static void assertItems(List<Dataset> expected, JsonObject page, String what) {
        assertEquals(expected.stream().map(d -> Long.toString(d.id)).toList(), page.getJsonArray("features").stream()
                .map(item -> ((JsonObject) item).getString("id")).toList(), what);
    }

    /** The search with the same filters. */
    private StacSearch search(String query) {
        return StacSearch.of(ListingQuery.parse(QueryString.parse(query), paging, Views.FIELDS,
                io.datasetlisting.access.account.Caller.ANONYMOUS), Views.FIELDS);
    }

    private void compareHistogram(Combination of) {
        String interval = List.of("year", "month", "day").get(of.random.nextInt(3));
        compare(of, Listing.PATH + "histogram/?interval=" + interval + '&' + of.query, answer -> {
            List<Dataset> matching = of.matching(answer.state());
            assertEquals(FacetModel.histogram(interval, matching), json(answer.response(), of.what),
                    () -> interval + " of " + of.what);
        });
    }

    private void compareGrid(Combination of) {
        double[] box = of.filters.stream().filter(filter -> filter.parameter().equals("in_bbox")).findAny()
                .map(filter -> Stream.of(filter.text().substring(8).split(",")).mapToDouble(Double::parseDouble)
                        .toArray())
                .orElse(GridModel.WORLD);
        compare(of, "/datasets/grid/?x=1&" + of.query, answer -> GridModel.assertCounts(of.matching(answer.state()),
                box, json(answer.response(), of.what), of.what));
    }

    /** Of the search with the same filters. Some filters have no equivalent in CQL2. */
    private void compareAggregations(Combination of) {
        StacSearch search = search(of.query);
        if (!search.leftOut().isEmpty()) {
            compareFacets(of);
            return;
        }
        AggregationModel model = AggregationModel.any(of.random);
        String query = Stream.of(model.query().stream(),
                search.box().isEmpty() ? Stream.<String>of() : Stream.of("bbox=" + String.join(",", search.box())),
                search.filter().isEmpty()
                        ? Stream.<String>of()
                        : Stream.of("filter=" + Listing.encoded(search.filter())))
                .flatMap(parts -> parts).collect(Collectors.joining("&"));
        if (of.random.nextBoolean()) {
            compare(of, "/stac/aggregate?" + query, answer -> compareAggregations(of, model, answer));
            return;
        }
        ObjectNode body = model.addTo(JsonNodeFactory.instance.objectNode());
        search.box().forEach(corner -> body.withArray("bbox").add(Double.parseDouble(corner)));
        if (!search.filter().isEmpty()) {
            body.put("filter", search.filter()).put("filter-lang", "cql2-text");
        }
        history.compare(() -> api.with(of.caller.key()).bytes("/stac/aggregate", body),
                answer -> compareAggregations(of, model, answer));
    }

    private void compareAggregations(Combination of, AggregationModel model,
            CatalogueHistory.Answer<HttpResponse<byte[]>> answer) {
        JsonNode expected = model.of(of.matching(answer.state()).stream().map(
                d -> items.computeIfAbsent(d, absent -> AggregationModel.item(absent, FacetModel.bands(absent))))
                .toList());
        try {
            JsonNode actual = MAPPER.readTree(answer.response().body());
            assertEquals(200, answer.response().statusCode(), () -> of.what + actual);
            assertEquals(expected, actual.get("aggregations"), of.what);
        } catch (IOException e) {
            throw new AssertionError(of.what, e);
        }
    }

    /** A tile with a dataset that matches, if there is one. */
    private void compareTile(Combination of) {
        int zoom = of.random.nextInt(of.random.nextBoolean() ? 4 : 15);
        List<Dataset> now = of.matching(history.last());
        int[] tile = now.isEmpty()
                ? new int[]{0, 0}
                : TileModel.around(now.get(of.random.nextInt(now.size())), zoom);
        compare(of, "/tiles/" + zoom + '/' + tile[0] + '/' + tile[1] + ".mvt?x=1&" + of.query, answer -> {
            assertEquals(200, answer.response().statusCode(), of.what);
            TileModel.assertCounts(of.matching(answer.state()), zoom, tile[0], tile[1], answer.response().body(),
                    of.what);
        });
    }
}
