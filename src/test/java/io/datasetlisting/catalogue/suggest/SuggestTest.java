package io.datasetlisting.catalogue.suggest;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests suggestions for the search field, and for a search without a match. */
@QuarkusTest
class SuggestTest {

    private static final String PATH = "/datasets/suggest/";
    /** Of each client, one after another. */
    private static final int PAGES = RandomTests.times(3, 8);

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/datasets/")
    URI pages;

    @BeforeEach
    void fill() {
        List<Dataset> datasets = new ArrayList<>();
        List<String> names = List.of("Everglades flight 1", "Everglades flight 2", "2020-03 Nashville tornado",
                "Jökulsárlón", "دلتا النيل 567", "Île de Ré");
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            datasets.add(dataset(10 + i, d -> d.datasetName = name));
        }
        datasets.add(dataset(30, d -> {
            d.datasetName = "Submarine pens";
            d.isPrivate = true;
            d.ownerId = 8;
            d.ownerName = "Zelda";
        }));
        datasets.add(dataset(31, d -> {
            d.datasetName = "Everglades private";
            d.isPrivate = true;
        }));
        catalogue.replaceWith(datasets);
    }

    private static String encoded(String text) {
        return PercentEncoding.form(text);
    }

    /** The suggestions of a kind as "text (count)". */
    private static List<String> suggested(Caller caller, String query, String kind) {
        Response response = caller.get(PATH + '?' + query);
        assertEquals(200, response.statusCode(), response::asString);
        JsonArray all = new JsonObject(response.asString()).getJsonArray("suggestions");
        assertTrue(all.size() <= 8, all::encode);
        return all.stream().map(JsonObject.class::cast).filter(each -> each.getString("kind").equals(kind))
                .map(each -> each.getString("text") + (each.containsKey("count")
                        ? " (" + each.getLong("count") + ')'
                        : ""))
                .toList();
    }

    private static List<String> names(Caller caller, String text) {
        return suggested(caller, "q=" + encoded(text), "name");
    }

    @ParameterizedTest
    @CsvSource({"everg, Everglades (2)", "EVERGLADS, Everglades (2)", "nashvile, Nashville (1)",
            "jokulsalron, Jökulsárlón (1)", "sarlon, Jökulsárlón (1)", "الدلتا, دلتا (1)", "ile, Île (1)",
            "flight everg, flight Everglades (2)"})
    void aWordIsFoundByItsBeginningByAPartAndWithMistakes(String typed, String suggestion) {
        assertEquals(List.of(suggestion), names(anonymous(), typed));
    }

    @Test
    void theCountIsThatOfTheListUnderTheOtherFilters() {
        assertEquals(List.of("Everglades (2)"), suggested(anonymous(), "q=everg&category=Forest", "name"));
        assertEquals(List.of(), suggested(anonymous(), "q=everg&category=Desert", "name"));
        assertEquals(List.of("Everglades (2)"), suggested(anonymous(), "q=everg&search=nothing&p=7", "name"));
    }

    @Test
    void ownersCategoriesAndIdsAreSuggested() {
        assertEquals(List.of("Ada van Dyk (6)"), suggested(anonymous(), "q=ada", "owner"));
        assertEquals(List.of("Forest (6)"), suggested(anonymous(), "q=for", "category"));
        assertEquals(List.of("10 (1)"), suggested(anonymous(), "q=10", "dataset"));
        assertEquals(List.of(), suggested(anonymous(), "q=9999", "dataset"));
        assertEquals(List.of("10 (1)"), suggested(anonymous(), "q=10&category=Forest&search=nothing", "dataset"));
        assertEquals(List.of(), suggested(anonymous(), "q=10&category=Desert", "dataset"));
    }

    /** Neither the word of a private dataset, its owner nor its id exists for a caller that does not see it. */
    @Test
    void aCallerIsOnlySuggestedWhatTheCallerSees() {
        Caller owner = Caller.existing(8, "Zelda").token("reader");
        Caller other = Caller.existing(7, "Ada van Dyk").token("reader");
        for (Caller caller : List.of(anonymous(), other)) {
            for (String typed : List.of("subm", "submarin", "marine", "sumbarine")) {
                assertEquals(List.of(), names(caller, typed), typed);
            }
            assertEquals(List.of(), suggested(caller, "q=zel", "owner"));
            assertEquals(List.of(), suggested(caller, "q=30", "dataset"));
        }
        for (Caller caller : List.of(owner, admin())) {
            assertEquals(List.of("Submarine (1)"), names(caller, "subm"));
            assertEquals(List.of("Submarine (1)"), names(caller, "sumbarine"));
            assertEquals(List.of("Zelda (1)"), suggested(caller, "q=zel", "owner"));
            assertEquals(List.of("30 (1)"), suggested(caller, "q=30", "dataset"));
        }
        assertEquals(List.of("Everglades (2)"), names(owner, "everg"));
        assertEquals(List.of("Everglades (3)"), names(other, "everg"));
        assertEquals("Frequent words of names: Everglades (2), flight (2), Jökulsárlón (1)",
                noMatch(anonymous(), "sumbarine"));
        assertEquals("Did you mean Submarine (1)?", noMatch(owner, "sumbarine"));
    }

    /** A word of a private dataset, the name of an owner, a public word, and what nobody has. */
    @ParameterizedTest
    @ValueSource(strings = {"mine=true", "in_bbox=x", "captured_after=zz", "captured_until=zz", "category=Zed",
            "workspace=x"})
    void wrongParametersAreRefusedWhateverTheTextIs(String wrong) {
        Response expected = anonymous().get(PATH + '?' + wrong);
        assertEquals(wrong.equals("mine=true") ? 401 : 400, expected.statusCode(), expected::asString);
        for (String typed : List.of("subm", "submarine", "sumbarine", "everg", "zel", "ada", "for", "30", "tokyo",
                "zzqxjvvk", "", "a".repeat(255))) {
            Response response = anonymous().get(PATH + '?' + wrong + "&q=" + typed);
            assertEquals(expected.statusCode(), response.statusCode(), typed);
            assertEquals(expected.asString(), response.asString(), typed);
        }
    }

    /** The text with the word would be longer than a search may be. */
    @Test
    void aLongTextIsNotRefusedBecauseOfTheWordThatItBegins() {
        String before = "x ".repeat(124);
        anonymous().get(PATH + "?q=" + encoded(before + "everg")).then().statusCode(200);
        anonymous().get(PATH + "?q=" + encoded(before + "zzqxj")).then().statusCode(200);
    }

    @Test
    void privateNamesHideNoPublicName() {
        List<Dataset> datasets = new ArrayList<>(List.of(dataset(1, d -> d.datasetName = "brombeerlgxk")));
        for (int i = 0; i < 24; i++) {
            String name = "brombe" + (char) ('a' + i / 3) + "aa";
            datasets.add(dataset(100 + i, d -> {
                d.datasetName = name;
                d.isPrivate = true;
                d.ownerId = 8;
                d.ownerName = "Zelda";
            }));
        }
        catalogue.replaceWith(datasets);
        assertEquals(List.of("brombeerlgxk (1)"), names(anonymous(), "brombe"));
        catalogue.fold();
        assertEquals(List.of("brombeerlgxk (1)"), names(anonymous(), "brombe"));
        assertEquals(List.of("brombeerlgxk"), wordsInMemory("bromb"));
        assertEquals("brombeaaa (3)", names(Caller.existing(8, "Zelda").token("reader"), "brombe").get(0));
    }

    private List<String> wordsInMemory(String beginning) {
        return catalogue.sql("select written from search_word where uses > 0 and word like '" + beginning + "%'")
                .stream()
                .map(row -> row.getString(0)).toList();
    }

    @Test
    void accountsWithoutAPublicDatasetHideNoOwner() {
        catalogue.sql("insert into account (username) select 'Ad' || i from generate_series(1, 9) i");
        assertEquals(List.of("Ada van Dyk (6)"), suggested(anonymous(), "q=ad", "owner"));
        catalogue.sql("delete from account where username ~ '^Ad\\d$'");
    }

    @Test
    void theWordOfADatasetGoesWhenTheDatasetBecomesPrivateOrIsDeleted() {
        catalogue.fold();
        assertEquals(List.of("Jökulsárlón"), wordsInMemory("jokul"));
        catalogue.sql("update dataset set is_private = true where id = 13");
        catalogue.sql("update dataset set is_deleted = true where id = 12");
        catalogue.sql("update dataset set coordinates = null where id = 15");
        catalogue.fold();
        assertEquals(List.of(), wordsInMemory("jokul"));
        assertEquals(List.of(), wordsInMemory("nashv"));
        assertEquals(List.of(), wordsInMemory("re"));
        assertEquals(List.of(), names(anonymous(), "jokul"));
        // The search without a match does not say either that the word is right.
        assertEquals("Frequent words of names: Everglades (2), flight (2), النيل (1)",
                noMatch(anonymous(), "jokulsarlon"));
        assertEquals(List.of("Jökulsárlón (1)"), names(admin(), "jokulsarln"));
        catalogue.sql("update dataset set is_private = false where id = 13");
        catalogue.fold();
        assertEquals(List.of("Jökulsárlón (1)"), names(anonymous(), "jokulsarln"));
        catalogue.clear();
        assertEquals(List.of(), wordsInMemory(""));
        assertEquals(List.of(), names(anonymous(), "jokulsarln"));
    }

    /** Eight posts of 1,000 items with 36 random words each. */
    @Test
    @Tag(NightlySuite.TAG)
    void newNamesAreSuggestedAlsoIfThereAreMoreWordsThanMemoryHas() {
        catalogue.fold();
        assertEquals(List.of("Everglades (2)"), names(anonymous(), "everglads"));
        catalogue.sql("""
                insert into dataset (id, owner_id, owner_name, workspace, dataset_name, category, coordinates)
                select 1000 + i, 7, 'Ada van Dyk', 70, (
                    select string_agg(translate(left(md5(i || ' ' || n), 6), '0123456789', 'ghijklmnop'), ' ')
                    from generate_series(1, 13) n), '{Forest}', '{1, 2}'
                from generate_series(1, 8000) i""");
        catalogue.fold();
        assertEquals(List.of("Everglades (2)"), names(anonymous(), "everglads"));
        catalogue.sql("update dataset set dataset_name = 'Quagmire' where id = 12");
        catalogue.fold();
        assertEquals(List.of("Quagmire (1)"), names(anonymous(), "quagmre"));
        catalogue.sql("update dataset set is_deleted = true where id > 1000");
        catalogue.fold();
        assertEquals(List.of("Jökulsárlón (1)"), names(anonymous(), "jokulsalron"));
        assertEquals(List.of("Quagmire (1)"), names(anonymous(), "quagmre"));
    }

    @Test
    void placesAndCoordinatesAreSuggested() {
        assertEquals("Nashville", suggested(anonymous(), "q=nashv", "place").get(0));
        for (String typed : List.of("36.1, -85.4", "36.1 -85.4", "36°6'N 85°24'W", "85.4W 36.1N", "36.1,-85.4")) {
            assertEquals(List.of("36.1, -85.4"), suggested(anonymous(), "q=" + encoded(typed), "coordinates"), typed);
        }
        for (String typed : List.of("20 12", "91.0, 3", "3.5, 181", "1.2.3, 4", "36.1")) {
            assertEquals(List.of(), suggested(anonymous(), "q=" + encoded(typed), "coordinates"), typed);
        }
        JsonObject first = anonymous().json(PATH + "?q=36.1,-85.4").getJsonArray("suggestions").getJsonObject(0);
        assertEquals("in_bbox", first.getString("parameter"));
        anonymous().get("/api/dataset/?in_bbox=" + first.getString("value")).then().statusCode(200);
    }

    @Test
    void theBoxOfAPlaceOnTheAntimeridianFindsBothSides() {
        List<Dataset> both = new ArrayList<>();
        double[] longitudes = {179.9, -179.9, 0};
        for (int i = 0; i < longitudes.length; i++) {
            double longitude = longitudes[i];
            both.add(dataset(40 + i, d -> {
                d.bbox = new double[]{};
                d.coordinates = new double[]{-16.8, longitude};
            }));
        }
        catalogue.replaceWith(both);
        String fiji = anonymous().json(PATH + "?q=fiji").getJsonArray("suggestions")
                .getJsonObject(0).getString("value");
        anonymous().get("/api/dataset/?in_bbox=" + fiji).then().statusCode(200).body("count", equalTo(2));
        anonymous().get("/datasets/?in_bbox=" + fiji).then().statusCode(200);
    }

    @Test
    void aNameThatChangesIsSuggestedAtOnce() {
        assertEquals(List.of(), names(anonymous(), "zanzib"));
        assertEquals(200, admin().patch("/api/dataset/13/", "{\"dataset_name\":\"Zanzibar reef\"}").statusCode());
        assertEquals(List.of("Zanzibar (1)"), names(anonymous(), "zanzib"));
        assertEquals(List.of(), names(anonymous(), "jokuls"));
        catalogue.fold();
        assertEquals(List.of("Zanzibar (1)"), names(anonymous(), "zanzib"));
    }

    @ParameterizedTest
    @CsvSource({"everglads, Did you mean Everglades (2)?", "nashvile, Did you mean Nashville (1)?",
            "sarlon, Names that contain sarlon: Jökulsárlón (1)", "الدلتا, Did you mean دلتا (1)?",
            "everglads flihgt, Did you mean Everglades flight (2)?",
            "Everglades Nashville, 'Did you mean Everglades (2), Nashville (1)?'",
            "xqzwvk, 'Frequent words of names: Everglades (2), flight (2), Jökulsárlón (1)'"})
    void aSearchWithoutAMatchNamesSimilarWords(String typed, String sentence) {
        assertEquals(sentence, noMatch(anonymous(), typed));
    }

    /** The links and sentences under the empty list. */
    private static String noMatch(Caller caller, String typed) {
        String html = page(caller, "search=" + encoded(typed));
        int start = html.indexOf("<p class=\"did-you-mean\">");
        return start < 0
                ? ""
                : html.substring(start, html.indexOf("</p>", start)).replaceAll("<[^>]*>", "").replaceAll("\\s+", " ")
                        .strip();
    }

    private static String page(Caller caller, String query) {
        Response response = caller.request().accept("text/html").get("/datasets/?" + query);
        assertEquals(200, response.statusCode());
        return response.asString();
    }

    @Test
    void theLinkReplacesTheSearchAndKeepsTheOtherFilters() {
        String html = page(anonymous(), "search=everglads&category=Forest&p=1");
        assertTrue(html.contains("href=\"./?category=Forest&amp;search=Everglades\""), html);
    }

    @Test
    void aPlaceOrCoordinatesWithoutAMatchLeadToTheArea() {
        assertTrue(page(anonymous(), "search=cook+isl").contains("Show the area around Cook Islands"));
        assertTrue(page(anonymous(), "search=Cook+Ilands").contains("Show the area around Cook Islands"));
        assertTrue(page(anonymous(), "search=Maldvies").contains("Show the area around Maldives"));
        assertTrue(page(anonymous(), "search=36.1,-85.4").contains("Show the area around 36.1, -85.4"));
    }

    @Test
    void aSearchForAPlaceShowsIt() {
        String query = queryOfPlace("search=fiji&category=Forest&p=1");
        assertEquals("category=Forest&in_bbox=174.38,-21.92,-178.01,-12.27&place=Fiji",
                URLDecoder.decode(query, StandardCharsets.UTF_8));
        String fiji = page(anonymous(), query);
        assertTrue(fiji.contains("<bdi>Fiji</bdi>"), fiji);
        assertTrue(fiji.contains("<h1>Forest, Fiji: 0 datasets</h1>"), fiji);
    }

    /** Each text is one or two letters from a word of a name. */
    @ParameterizedTest
    @CsvSource({"Malta, Malta", "Creta, Crete", "Kreta, Crete", "Rügen, Rugen", "Corse, Corsica", "Hawai'i, Hawaii",
            "kaua\u02bbi, Kauai"})
    void aPlaceWithExactlyTheNameComesBeforeMisspelledWords(String typed, String place) {
        List<Dataset> datasets = new ArrayList<>();
        for (String name : List.of("Gata", "Mara", "Great", "Kruger", "Coast", "Forst", "Kauri")) {
            datasets.add(dataset(50 + datasets.size(), d -> d.datasetName = name));
        }
        catalogue.replaceWith(datasets);
        JsonArray all = anonymous().json(PATH + "?q=" + encoded(typed)).getJsonArray("suggestions");
        assertEquals("place", all.getJsonObject(0).getString("kind"), all::encode);
        assertEquals(place, all.getJsonObject(0).getString("text"), all::encode);
        assertTrue(typed.contains("'") || all.encode().contains("\"kind\":\"name\""), all::encode);
        assertEquals("in_bbox=" + all.getJsonObject(0).getString("value") + "&place=" + place,
                URLDecoder.decode(queryOfPlace("search=" + encoded(typed)), StandardCharsets.UTF_8));
    }

    /** What Enter opens is what the suggestion opens. */
    @ParameterizedTest
    @ValueSource(strings = {"sicily", "SICILY ISLAND", "isle of sicily", "Kriti", "île de Corse", "honshu",
            "Isle of Skye",
            "mallorca island", "Réunion", "tasmania"})
    void aSearchForAnIslandIsItsSuggestionChosen(String typed) {
        JsonObject suggested = anonymous().json(PATH + "?q=" + encoded(typed))
                .getJsonArray("suggestions").stream().map(JsonObject.class::cast)
                .filter(each -> each.getString("kind").equals("place")).findFirst().orElseThrow();
        assertEquals("in_bbox=" + suggested.getString("value") + "&place=" + suggested.getString("text"),
                URLDecoder.decode(queryOfPlace("search=" + encoded(typed)), StandardCharsets.UTF_8));
    }

    /** The query of the page to which a search for a place leads. */
    private static String queryOfPlace(String query) {
        Response redirect = anonymous().request().redirects().follow(false).accept("text/html")
                .get("/datasets/?" + query);
        assertEquals(302, redirect.statusCode());
        String location = redirect.header("Location");
        return location.substring(location.indexOf('?') + 1);
    }

    @Test
    void aSearchThatNamesAreFoundWithOffersThePlaceToo() {
        String html = page(anonymous(), "search=Nashville");
        assertTrue(html.contains("2020-03 Nashville tornado"), html);
        assertTrue(html.contains("Show the area around Nashville"), html);
        assertTrue(html.contains("&amp;place=Nashville\""), html);
        assertEquals("", noMatch(anonymous(), "Everglades"));
    }

    @Test
    void anEmptyListOffersASubscriptionAndOtherPlaces() {
        String none = page(anonymous(), "search=xqzwvk&category=Forest");
        assertTrue(none.contains("Subscribe to this search: "
                + "<a href=\"changes/?category=Forest&amp;format=atom&amp;search=xqzwvk\""), none);
        String html = page(anonymous(), queryOfPlace("search=Georgia"));
        assertTrue(html.contains("Show the area around Georgia</a> <span>United States</span>"), html);
        assertTrue(page(anonymous(), "page_size=5&category=Forest")
                .contains("Subscribe to this search: <a href=\"changes/?category=Forest&amp;format=atom\""));
    }

    @Test
    void onlyThePlaceOfABoxGivesItItsName() {
        String html = page(anonymous(), "in_bbox=1,2,3,4&place=Fiji");
        assertTrue(html.contains("<bdi>This area</bdi>"), html);
        assertTrue(html.contains("<h1>In this area: 0 datasets</h1>"), html);
    }

    /** A page takes one place in the queue of searches at a time, and is complete without links to similar names. */
    @ParameterizedTest
    @Tag(NightlySuite.TAG)
    @ValueSource(booleans = {true, false})
    void sixtyClientsWithMistakesGetTheirPages(boolean isSame) {
        catalogue.replaceWith(Catalogue.generated(2_000));
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        Map<Integer, Long> answers = IntStream.range(0, 60)
                .mapToObj(each -> pages(client, isSame ? "" : Integer.toString(each), PAGES)).toList().stream()
                .flatMap(each -> each.join().stream())
                .collect(Collectors.groupingBy(status -> status, Collectors.counting()));
        assertEquals(Map.of(200, 60L * PAGES), answers);
    }

    /** The states of answers that a client reads one after another. */
    private CompletableFuture<List<Integer>> pages(HttpClient client, String suffix, int number) {
        if (number == 0) {
            return CompletableFuture.completedFuture(new ArrayList<>());
        }
        HttpRequest request = HttpRequest
                .newBuilder(pages.resolve("?search=zzev" + suffix + "ergladess&x=" + suffix + number))
                .header("Accept", "text/html").build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenCompose(answer -> pages(client, suffix, number - 1).thenApply(later -> {
                    later.add(answer.statusCode());
                    return later;
                }));
    }

    /** The page of a search without a match has another tag when a similar name comes. */
    @Test
    void theTagFollowsTheSuggestions() {
        String page = "/datasets/?search=zanzibbar";
        String before = anonymous().request().accept("text/html").get(page).header("ETag");
        admin().patch("/api/dataset/13/", "{\"dataset_name\":\"Zanzibar reef\"}");
        Response after = anonymous().request().accept("text/html").header("If-None-Match", before).get(page);
        assertEquals(200, after.statusCode());
        assertTrue(after.asString().contains("Did you mean"));
        anonymous().request().accept("text/html").header("If-None-Match", after.header("ETag")).get(page).then()
                .statusCode(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "_", "\\", "'", "\u0001", "😀", "‮abc", "a'; drop table dataset", "\t", "((((", "ﷺﷺﷺ",
            "[[:alpha:]]"})
    void hostileTextsHaveNoNames(String typed) {
        assertEquals(List.of(), names(anonymous(), typed));
        if (!typed.isBlank()) {
            page(anonymous(), "search=" + encoded(typed));
        }
    }

    @Test
    void aTextIsRefusedAsASearchIs() {
        anonymous().get(PATH + "?q=" + "a".repeat(10_000)).then().statusCode(400)
                .body(equalTo("{\"q\":[\"Ensure this field has no more than 255 characters.\"]}"));
        anonymous().get(PATH + "?q=%00").then().statusCode(400)
                .body(equalTo("{\"q\":[\"Null characters are not allowed.\"]}"));
        anonymous().get(PATH).then().statusCode(200).body(equalTo("{\"suggestions\":[]}"));
    }
}
