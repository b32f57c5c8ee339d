package io.datasetlisting.faces.stac;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.query.ExpressionGenerator;
import io.datasetlisting.catalogue.search.Search.Position;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.stac.SearchModel.Question;
import io.datasetlisting.http.input.StrictJson;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Compares the pages of random searches with {@link SearchModel}. */
@QuarkusTest
class SearchModelTest {

    private static final int DATASETS = 400;
    private static final int SEARCHES = RandomTests.times(30, 400);
    private static final long SEED = RandomTests.seed(22);
    private static final int MAX_ADDRESS = 15_000;

    private static final String BANDS = """
            {"dsm":{},"dtm":{},"ortho":{},"multispec_ortho":{"band_descr":{%s}}}""";

    private static final List<String> LABELS = List.of("nir", "Straße", "aB", "%", "7", "Iı", "ΟΔΟΣ", "datasets", "",
            "12");

    /** Latitude and longitude of corners, or of a point. */
    private static final List<double[]> FAR_PLACES = List.of(new double[]{-90, -180, 90, 180},
            new double[]{-5, 175, 5, 180}, new double[]{-5, -180, 5, -175}, new double[]{0, 180},
            new double[]{0, -180}, new double[]{90, 0}, new double[]{-90, 180}, new double[]{80, -180, 90, 180},
            new double[]{-90, -180, -90, 180}, new double[]{0, 179.99999995}, new double[]{-3, 180, 3, 180});

    /** The members of each item unless members are excluded. */
    private static final List<String> ALWAYS = List.of("type", "stac_version", "id", "collection", "geometry", "bbox",
            "properties.datetime", "links", "assets");

    /** Above the largest number of matches whose ids are read before the page. */
    private static final long MANY = 20_001;
    private static final long OLD_LISTING = -1;

    @Inject
    Catalogue catalogue;

    @Inject
    ItemProperties properties;

    @Inject
    SearchBody parser;

    @Inject
    PageTokens tokens;

    @TestHTTPResource("/")
    URI service;

    private final List<Caller> callers = new ArrayList<>();
    private final AtomicInteger found = new AtomicInteger();
    /** As an admin reads them, by id. */
    private final Map<String, JsonNode> items = new HashMap<>();
    private SearchModel model;
    private List<String> otherTexts;
    /** The workspaces that are collections. */
    private List<Long> workspaces;

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
        workspaces = datasets.stream().filter(Caller.anonymous()::lists)
                .map(d -> d.workspace).distinct().toList();
        catalogue.sql("update dataset set is_deleted = is_deleted where id % 3 = 0");
        Map<Long, Instant> updated = new HashMap<>();
        Map<Long, Instant> created = new HashMap<>();
        catalogue.sql("select id, updated_at, created_at from dataset").forEach(row -> {
            updated.put(row.getLong(0), row.getOffsetDateTime(1).toInstant());
            created.put(row.getLong(0), row.getOffsetDateTime(2).toInstant());
        });
        model = new SearchModel(datasets, updated, created, bands, catalogue,
                Stream.of(otherTexts, ExpressionGenerator.TEXTS)
                        .flatMap(List::stream).toList());
        Caller ada = Caller.owner();
        callers.addAll(List.of(Caller.anonymous(), Caller.admin(), ada.token("reader"), ada.token("writer"),
                Caller.existing(12, "Bea").token("reader")));
        Api admin = new Api(service.toString().replaceFirst("/$", ""), Caller.admin().key());
        PageWalk.read(admin.get("/stac/search?limit=1000")).path("features")
                .forEach(item -> items.put(item.path("id").textValue(), item));
    }

    private static void change(Dataset dataset, int id, Map<Long, List<String>> bands) {
        // Values that the OpenAPI document allows. The labels of bands are any texts.
        dataset.category = id % 7 == 0 ? new String[]{"Desert"} : new String[]{"Forest", "Other"};
        dataset.availableRasters = id % 5 == 0 ? new String[0] : new String[]{"ortho", "dsm"};
        dataset.thumbnailKey = id % 2 == 0 ? null : id % 5 == 0 ? "a/no extension" : "a/" + id + ".png";
        dataset.workspace = Math.max(0, dataset.workspace);
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
            List<String> labels = LABELS.subList(id % 5, 5 + id % 6);
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
        List<String> fields = generator.fields();
        Caller caller = callers.get(random.nextInt(callers.size()));
        List<String> found = model.find(question, caller);
        List<JsonNode> expected = found.stream().map(id -> selected(items.get(id), fields)).toList();
        if (!expected.isEmpty() && expected.size() < DATASETS / 2) {
            this.found.incrementAndGet();
        }
        boolean isOfItems = random.nextBoolean() && !generator.body().has("ids") && !generator.body().has("collections")
                && !generator.body().has("intersects");
        ItemCollection collection = isOfItems
                ? collection(random)
                : ItemCollection.DATASETS;
        List<JsonNode> expectedOfItems = found.stream().filter(id -> isIn(collection, items.get(id)))
                .map(id -> selected(items.get(id), fields)).toList();
        String address = (isOfItems ? "/stac" + collection.path() + "/items?" : "/stac/search?")
                + generator.query().stream().map(SearchModelTest::encoded).collect(Collectors.joining("&"));
        boolean areMany = random.nextBoolean();
        Function<ItemCollection, UnaryOperator<String>> tokens = in -> areMany
                ? token -> ofManyMatches(token, generator.body().toString(), in, caller)
                : UnaryOperator.identity();
        try {
            Api api = new Api(service.toString().replaceFirst("/$", ""), caller.key());
            if (address.length() < MAX_ADDRESS) {
                new PageWalk(api, address, null, tokens.apply(collection), expectedOfItems, random).run();
            }
            new PageWalk(api, "/stac/search", generator.body(), tokens.apply(ItemCollection.DATASETS), expected, random)
                    .run();
            compareAggregations(api, generator, collection, found, random);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed %d, as %s (%d):%n%s%n%s".formatted(seed, caller.username(), caller.id(),
                    address, generator.body()), e);
        }
    }

    /** Asks for aggregations of all items that a search finds, by GET and by POST. */
    private void compareAggregations(Api api, QuestionGenerator generator, ItemCollection collection,
            List<String> found, Random random) {
        AggregationModel aggregations = AggregationModel.any(random);
        List<JsonNode> matching = found.stream().map(items::get).filter(item -> isIn(collection, item)).toList();
        JsonNode expected = aggregations.of(matching);
        String path = "/stac" + (collection == ItemCollection.DATASETS && random.nextBoolean()
                ? ""
                : collection.path()) + "/aggregate";
        ObjectNode body = aggregations.addTo(generator.body().deepCopy());
        body.remove(List.of("sortby", "fields", "limit"));
        assertEquals(expected, aggregations(api.call("POST", path, body)));
        String query = Stream.concat(generator.query().stream(), aggregations.query().stream())
                .filter(parameter -> !parameter.matches("(?s)(sortby|fields|limit)=.*"))
                .map(SearchModelTest::encoded).collect(Collectors.joining("&"));
        if (query.length() < MAX_ADDRESS) {
            assertEquals(expected, aggregations(api.get(path + '?' + query)));
        }
    }

    private static JsonNode aggregations(HttpResponse<String> response) {
        return PageWalk.read(response).get("aggregations");
    }

    /** One that each catalogue has, or that of a workspace. */
    private ItemCollection collection(Random random) {
        return random.nextInt(4) == 0
                ? ItemCollection.ofWorkspace(workspaces.get(random.nextInt(workspaces.size())))
                : ItemCollection.FIXED.get(random.nextInt(ItemCollection.FIXED.size()));
    }

    private static boolean isIn(ItemCollection collection, JsonNode item) {
        if (collection.workspace() != null) {
            return item.at("/properties/dataset:workspace").asLong() == collection.workspace();
        }
        return collection == ItemCollection.DATASETS
                || item.at("/geometry/type").textValue().equals("Point") == (collection == ItemCollection.POINTS);
    }

    private static String encoded(String parameter) {
        int equals = parameter.indexOf('=');
        return parameter.substring(0, equals + 1)
                + Listing.encoded(parameter.substring(equals + 1));
    }

    /**
     * The same position after a page with many matches, which another statement reads. The catalogue would be too large for the
     * test.
     *
     * @param token
     *            null for the first page
     */
    private String ofManyMatches(String token, String body, ItemCollection in, Caller caller) {
        SearchBody.Request search = parser.parse((ObjectNode) StrictJson.parseDeep(body), in);
        io.datasetlisting.access.account.Caller reader = caller.key() == null
                ? io.datasetlisting.access.account.Caller.ANONYMOUS
                : new io.datasetlisting.access.account.Caller(caller.id(), caller.username(), 1L,
                        caller.equals(Caller.admin()) ? Right.ADMIN : Right.READER, 1L);
        PageTokens.Signer signer = tokens.of(search, reader).await().indefinitely();
        Position position = token == null ? Position.START : signer.read(token);
        return signer.write(new Position(position.backward(), MANY, OLD_LISTING, position.edge()));
    }

    /**
     * @param fields
     *            null for the whole item
     */
    private static JsonNode selected(JsonNode item, List<String> fields) {
        if (fields == null) {
            return item;
        }
        Set<String> included = new HashSet<>();
        Set<String> excluded = new HashSet<>();
        for (String field : fields) {
            String name = field.replaceFirst("^-", "");
            String path = item.has(name.split("\\.")[0]) ? name : "properties." + name;
            (field.startsWith("-") ? excluded : included).add(path);
        }
        boolean isAll = included.isEmpty() && !excluded.isEmpty();
        ObjectNode selected = item.deepCopy();
        item.properties().forEach(member -> {
            String name = member.getKey();
            boolean isWhole = included.contains(name) || !excluded.contains(name) && (isAll || ALWAYS.contains(name));
            if (selected.get(name) instanceof ObjectNode object) {
                object.properties().removeIf(inner -> {
                    String path = name + '.' + inner.getKey();
                    boolean isLeft = isWhole || !excluded.contains(name) && ALWAYS.contains(path);
                    return !included.contains(path) && (excluded.contains(path) || !isLeft);
                });
                if (object.isEmpty() && excluded.contains(name) && !included.contains(name)) {
                    selected.remove(name);
                }
            } else if (!isWhole) {
                selected.remove(name);
            }
        });
        return selected;
    }
}
