package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.OWNER;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Listing.encoded;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.StacSchemas;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests what items have of the texts of owners, and the parameter {@code q}, which finds them. */
@QuarkusTest
class FreeTextTest {

    private static final String SEARCH = "/stac/search";
    private static final String ITEMS = "/stac/collections/datasets/items";

    /** Of random texts. Several of them are equal without case and accents. */
    private static final List<String> WORDS = List.of("coral", "Coral", "réef", "REEF", "Straße", "strasse", "x", "of",
            "Forest", "terrestrial", "北京", "n1", "1");
    private static final List<String> GAPS = List.of(" ", ", ", "-", "\n\n", " / ", "_");

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(
                dataset(1, d -> {
                    d.datasetName = "Great Barrier survey";
                    d.description = "Coral of the\nouter REEF; \"seen\" by drone.";
                    d.tags = new String[]{"north reef", "Forest", "Óbidos"};
                    d.dataCredits = "Crew of the Endeavour";
                    d.dataCapturedBy = "Lan";
                    d.institutionName = "Naxa Pvt Ltd";
                    d.locationName = "Lizard Island";
                }),
                dataset(2, d -> d.datasetName = "reef of steel"),
                dataset(3, d -> {
                    d.isPrivate = true;
                    d.description = "coral";
                    d.category = new String[]{"Artificial - terrestrial"};
                }),
                dataset(4, d -> {
                    d.coordinates = null;
                    d.description = "coral";
                }),
                dataset(5, d -> {
                    d.isDeleted = true;
                    d.description = "coral";
                }),
                dataset(6, d -> {
                    d.datasetName = "";
                    d.dataCapturedBy = OWNER.username();
                    d.institutionName = "Lan";
                }));
    }

    private static JsonObject ok(Response response) {
        assertEquals(200, response.statusCode(), response::asString);
        return new JsonObject(response.asString());
    }

    private static List<String> ids(JsonObject page) {
        return page.getJsonArray("features").stream().map(item -> ((JsonObject) item).getString("id")).toList();
    }

    private static List<String> found(Caller caller, String terms) {
        return ids(ok(caller.get(SEARCH + "?q=" + encoded(terms))));
    }

    @Test
    void anItemHasTheTexts() {
        Response response = anonymous().get(ITEMS + "/1");
        StacSchemas.check(StacSchemas.ITEM, response.asString());
        JsonObject item = ok(response).getJsonObject("properties");
        assertEquals("Coral of the\nouter REEF; \"seen\" by drone.", item.getString("description"));
        assertEquals(List.of("Forest", "north reef", "Óbidos"), item.getJsonArray("keywords").getList());
        assertEquals(new JsonArray("""
                [{"name": "Ada van Dyk", "description": "Crew of the Endeavour", "roles": ["producer"]},
                 {"name": "Lan", "roles": ["producer"]}, {"name": "Naxa Pvt Ltd", "roles": ["producer"]}]"""),
                item.getJsonArray("providers"));
        assertEquals("Lizard Island", item.getString("dataset:location_name"));
        assertEquals(List.of("north reef", "Forest", "Óbidos"), item.getJsonArray("dataset:tags").getList());
        assertEquals("Naxa Pvt Ltd", item.getString("dataset:institution_name"));
    }

    @Test
    void anItemWithoutThemHasNoneOfTheirProperties() {
        Response response = anonymous().get(ITEMS + "/6");
        StacSchemas.check(StacSchemas.ITEM, response.asString());
        JsonObject item = ok(response).getJsonObject("properties");
        assertEquals(List.of("dataset:data_captured_by", "dataset:institution_name"), item.fieldNames().stream()
                .filter(name -> name.matches("description|dataset:(tags|data_.*|institution_name|location_name)"))
                .toList());
        // Who captured the data is the owner.
        assertEquals(new JsonArray("""
                [{"name": "Ada van Dyk", "roles": ["producer"]}, {"name": "Lan", "roles": ["producer"]}]"""),
                item.getJsonArray("providers"));
    }

    @Test
    void theSchemaDescribesThemAndFiltersDoNotNameThem() {
        for (String name : List.of("description", "dataset:tags", "dataset:data_credits", "dataset:data_captured_by",
                "dataset:institution_name", "dataset:location_name")) {
            JsonObject schema = ok(anonymous().get("/stac/collections/datasets/schema")).getJsonObject("properties");
            assertTrue(schema.containsKey(name), name);
            assertEquals(400, anonymous().get(SEARCH + "?filter=" + encoded("\"" + name + "\" = 'x'")).statusCode());
        }
    }

    @Test
    void theLandingPageDeclaresFreeText() {
        anonymous().get("/stac").then().body("conformsTo",
                hasItems("https://api.stacspec.org/v1.0.0-rc.1/item-search#free-text",
                        "https://api.stacspec.org/v1.0.0-rc.1/ogcapi-features#free-text"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            coral                      | 1
            CORAL,steel                | 1,2
            reef                       | 1,2
            great barrier              | 1
            barrier great              |
            Great  BARRIER, "of steel" | 1,2
            obidos                     | 1
            outer reef                 | 1
            reef seen                  | 1
            drone crew                 |
            drone north                |
            endeavour lan              |
            north reef                 | 1
            reef forest                |
            forest                     | 1,2,6
            terrestrial                |
            Naxa pvt                   | 1
            lizard island              | 1
            Lan                        | 1,6
            lizar                      |
            crew                       | 1
            !!!                        |
            !!!,steel                  | 2
            Ada                        | 6
            Dataset 6                  |
            """)
    void aTermIsAPhraseInOneOfTheTexts(String terms, String ids) {
        List<String> expected = ids == null ? List.of() : List.of(ids.split(","));
        assertEquals(expected, found(anonymous(), terms));
        assertEquals(expected, ids(ok(anonymous().get(ITEMS + "?q=" + encoded(terms)))));
        JsonArray array = new JsonArray(Arrays.asList(terms.split(",")));
        assertEquals(expected, ids(ok(anonymous().post(SEARCH, new JsonObject().put("q", array).encode()))));
        assertEquals(expected, ids(ok(anonymous().post(SEARCH, new JsonObject().put("q", terms).encode()))));
        anonymous().get("/stac/aggregate?aggregations=total_count&q=" + encoded(terms)).then()
                .body("aggregations[0].value", equalTo(expected.size()));
    }

    @Test
    void nobodyFindsWhatNobodySees() {
        Caller owner = Caller.existing(OWNER.id(), OWNER.username()).token("reader");
        assertEquals(List.of("1"), found(anonymous(), "coral"));
        assertEquals(List.of("1"), found(Caller.reader("Eve"), "coral"));
        assertEquals(List.of("1", "3"), found(owner, "coral"));
        assertEquals(List.of("1", "3"), found(admin(), "coral"));
        assertEquals(List.of("3"), found(owner, "artificial terrestrial"));
        assertEquals(List.of(), found(anonymous(), "artificial terrestrial"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?q=", "?q=,", "?q=%20,%09"})
    void anEmptyTextIsAsAbsent(String query) {
        assertEquals(List.of("1", "2", "6"), ids(ok(anonymous().get(SEARCH + query))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\"\"", "[\"\", \" \"]"})
    void anEmptyTextOfABodyIsAsAbsent(String value) {
        assertEquals(List.of("1", "2", "6"), ids(ok(anonymous().post(SEARCH, "{\"q\": " + value + "}"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "{}", "[5]", "[\"a\\u0000\"]", "[\"\\ud800\"]"})
    void aTextThatIsNoneIsA400(String value) {
        anonymous().post(SEARCH, "{\"q\": " + value + "}").then().statusCode(400);
    }

    @Test
    void aTextHasBounds() {
        String most = String.join(",", IntStream.range(0, 20).mapToObj(i -> "t" + i).toList());
        assertEquals(List.of(), found(anonymous(), most));
        assertEquals(400, anonymous().get(SEARCH + "?q=" + most + ",more").statusCode());
        assertEquals(List.of(), found(anonymous(), "x".repeat(255)));
        String longest = String.join(",", IntStream.range(10, 30).mapToObj(i -> "t".repeat(253) + i).toList());
        assertEquals(List.of(), ids(ok(anonymous().post(SEARCH, new JsonObject().put("q", longest).encode()))));
        anonymous().get(SEARCH + "?q=" + "x".repeat(256)).then().statusCode(400)
                .body("description", equalTo("q: a term has at most 255 characters."));
        assertEquals(400, anonymous().get(SEARCH + "?q=a&q=b").statusCode());
        assertEquals(400, anonymous().get(SEARCH + "?q=%00").statusCode());
    }

    @Test
    void aChangeOfATextIsFoundAtOnce() {
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("1", "2"), found(anonymous(), "reef"));
            admin().patch("/api/dataset/6/", "{\"location_name\": \"Reef\"}").then().statusCode(200);
            assertEquals(List.of("1", "2", "6"), found(anonymous(), "reef"));
            catalogue.fold();
            assertEquals(List.of("1", "2", "6"), found(anonymous(), "reef"));
            admin().patch("/api/dataset/6/", "{\"location_name\": null}").then().statusCode(200);
            assertEquals(List.of("1", "2"), found(anonymous(), "reef"));
            catalogue.fold();
        }
    }

    @Test
    void aTokenBelongsToItsText() {
        JsonObject page = ok(anonymous().get(SEARCH + "?limit=1&q=reef"));
        String next = page.getJsonArray("links").stream().map(JsonObject.class::cast)
                .filter(link -> link.getString("rel").equals("next")).findFirst().orElseThrow().getString("href")
                .replaceFirst("^https?://[^/]*", "");
        assertTrue(next.contains("q=reef"), next);
        assertEquals(List.of("2"), ids(ok(anonymous().get(next))));
        anonymous().get(next.replace("q=reef", "q=coral")).then().statusCode(400);
    }

    /** The database keeps 100 characters of a word, whether the text has only ASCII characters or others, too. */
    @ParameterizedTest
    @ValueSource(strings = {"", " é"})
    void aWordIsComparedByItsFirstHundredCharacters(String end) {
        catalogue.replaceWith(dataset(1, d -> d.description = "A " + "W".repeat(150) + "\nreef" + end),
                dataset(2, d -> d.description = "a " + "w".repeat(99) + " reef" + end),
                dataset(3, d -> d.description = "xa " + "w".repeat(100) + " reef_" + end));
        assertEquals(List.of("1"), found(anonymous(), "a " + "w".repeat(120) + " reef"));
        assertEquals(List.of("2"), found(anonymous(), "a " + "w".repeat(99) + " reef"));
        assertEquals(List.of("1", "3"), found(anonymous(), "w".repeat(100) + " reef"));
    }

    private static String text(Random random, int max) {
        return String.join(GAPS.get(random.nextInt(GAPS.size())),
                random.ints(1 + random.nextInt(max), 0, WORDS.size()).mapToObj(WORDS::get).toList());
    }

    /** What the function search_words does to these words. */
    private static String folded(String text) {
        return " " + text.toLowerCase(Locale.ROOT).replace("é", "e").replace("ß", "ss")
                .replaceAll("[^\\p{L}\\p{N}]+", " ").strip() + " ";
    }

    private static boolean matches(Dataset d, List<String> terms) {
        List<String> texts = new ArrayList<>(Arrays.asList(d.datasetName, d.description, d.dataCredits,
                d.dataCapturedBy, d.institutionName, d.locationName));
        Collections.addAll(texts, d.category);
        Collections.addAll(texts, d.tags == null ? new String[0] : d.tags);
        return terms.stream().map(FreeTextTest::folded).anyMatch(term -> texts.stream().filter(Objects::nonNull)
                .anyMatch(text -> folded(text).contains(term)));
    }

    /** A dataset with random texts, each of which may be missing. */
    private static Dataset random(long id, Random random) {
        return dataset(id, d -> {
            d.isPrivate = random.nextInt(4) == 0;
            d.datasetName = text(random, 3);
            d.category = random.nextBoolean() ? d.category : new String[]{"Artificial - terrestrial", "Rocky"};
            d.description = random.nextInt(3) == 0 ? text(random, 12) : null;
            d.tags = random.nextInt(3) == 0
                    ? Stream.generate(() -> text(random, 2)).limit(1 + random.nextInt(3)).distinct()
                            .toArray(String[]::new)
                    : null;
            d.dataCredits = random.nextInt(4) == 0 ? text(random, 4) : null;
            d.dataCapturedBy = random.nextInt(4) == 0 ? text(random, 1) : null;
            d.institutionName = random.nextInt(4) == 0 ? text(random, 2) : null;
            d.locationName = random.nextInt(4) == 0 ? text(random, 2) : null;
        });
    }

    @Test
    void randomTextsAreFoundAsAPlainComputationFindsThem() {
        long seed = RandomTests.seed();
        Random random = new Random(seed);
        List<Dataset> datasets = LongStream.rangeClosed(1, 300).mapToObj(id -> random(id, random)).toList();
        catalogue.replaceWith(datasets);
        List<Caller> callers = List.of(anonymous(), Caller.reader("Eve"),
                Caller.existing(OWNER.id(), OWNER.username()).token("writer"), admin());
        int matching = 0;
        for (int i = 0; i < RandomTests.times(25, 200); i++) {
            List<String> terms = Stream.generate(() -> text(random, 3).replace(",", " "))
                    .limit(1 + random.nextInt(2)).toList();
            Caller caller = callers.get(random.nextInt(callers.size()));
            List<String> expected = datasets.stream().filter(d -> caller.lists(d) && matches(d, terms))
                    .map(d -> Long.toString(d.id)).toList();
            // No column has the last order.
            String order = List.of("", "&sortby=datetime", "&sortby=title").get(random.nextInt(3));
            JsonObject page = ok(caller.get(
                    SEARCH + "?limit=1000&q=" + encoded(String.join(",", terms)) + order));
            assertEquals(expected, order.isEmpty()
                    ? ids(page)
                    : ids(page).stream()
                            .sorted((one, other) -> Long.compare(Long.parseLong(one), Long.parseLong(other))).toList(),
                    () -> terms + " with the seed " + seed);
            assertEquals(expected.size(), page.getInteger("numberMatched"), () -> terms + " with the seed " + seed);
            matching += expected.size();
        }
        assertTrue(matching > RandomTests.times(250, 1_000), "matches: " + matching);
    }
}
