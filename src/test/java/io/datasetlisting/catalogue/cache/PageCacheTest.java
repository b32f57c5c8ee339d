package io.datasetlisting.catalogue.cache;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.KeptPagesAndSampleData;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;

/**
 * Tests which requests the page cache serves. The profile keeps a cached page for an hour, so that a test sees
 * whether the page was cached.
 */
@QuarkusTest
@TestProfile(KeptPagesAndSampleData.class)
class PageCacheTest {

    private static final String RENAME_IN_THE_DATABASE = "update dataset set dataset_name = 'beside' where id = 3";

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @Inject
    ListingVersion version;

    @Inject
    PageCache pages;

    @Inject
    Vertx vertx;

    @Inject
    MeterRegistry meters;

    private Caller writer;

    @BeforeEach
    void cacheThePage() {
        catalogue.replaceWith(Catalogue.plain(40));
        // A fold changes the version of the listing.
        catalogue.awaitThat("not exists (select from listing_change)");
        // This write makes the service read the version again.
        writer = Caller.writer("Writer");
        awaitEndOfWrites();
        for (int i = 0; i < 2; i++) {
            assertEquals("dataset 3", firstName(""));
        }
    }

    /** A response can arrive before the service has recorded the end of the write. */
    private void awaitEndOfWrites() {
        Patience.await("the end of writes").until(() -> version.current() == version.current());
    }

    private static String firstName(String query) {
        Response page = Listing.list(query);
        page.then().statusCode(200);
        return page.path("results[0].dataset_name");
    }

    @Test
    void aCachedPageHasTheBodyAndHeadersOfAPageThatIsRead() {
        Response cached = Listing.client().header("X-Request-Id", "a").get(Listing.PATH);
        Caller.admin().patch(Listing.PATH + "120/", "{}").then().statusCode(200);
        Response read = Listing.client().header("X-Request-Id", "a").get(Listing.PATH);
        assertEquals(read.asString(), cached.asString());
        assertEquals(Listing.headers(read), Listing.headers(cached));
    }

    /** What a caller reads next ends with its own request, not with that of the caller who has read the version. */
    @Test
    void eachCallerOfTheVersionContinuesInItsOwnContext() {
        Caller.admin().patch(Listing.PATH + "120/", "{}").then().statusCode(200);
        awaitEndOfWrites();
        ContextInternal loop = ((VertxInternal) vertx).createEventLoopContext();
        List<ContextInternal> callers = List.of(loop.duplicate(), loop.duplicate(), loop.duplicate());
        Map<ContextInternal, Context> continued = new ConcurrentHashMap<>();
        loop.runOnContext(nothing -> callers.forEach(caller -> caller.dispatch(next -> version.current().subscribe()
                .with(read -> continued.put(caller, Vertx.currentContext())))));
        Patience.await("three callers").until(() -> continued.size() == callers.size());
        continued.forEach(Assertions::assertSame);
    }

    @Test
    void aCachedPageIsServedWithinItsMaximumAge() {
        catalogue.sql(RENAME_IN_THE_DATABASE);
        assertEquals("dataset 3", firstName(""));
        assertEquals("beside", firstName("?page_size=7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "DELETE", "import"})
    void aWriteThroughTheServiceInvalidatesCachedPages(String write) {
        catalogue.sql(RENAME_IN_THE_DATABASE);
        switch (write) {
            case "POST" -> writer.create("{\"coordinates\":[1,2]}");
            case "PATCH" -> Caller.admin().patch(Listing.PATH + "120/", "{\"dataset_name\":\"x\"}").then()
                    .statusCode(200);
            case "DELETE" -> Caller.admin().delete(Listing.PATH + "120/").then().statusCode(204);
            default -> Bulk.importAll(String.join("\n", Bulk.exported(Caller.admin(), "")));
        }
        assertEquals("beside", firstName(""));
    }

    @Test
    void aRequestWithATokenUsesNoPageFromBeforeAChange() {
        assertEquals("dataset 3", firstName(writer));
        catalogue.sql(RENAME_IN_THE_DATABASE);
        assertEquals("beside", firstName(writer));
        assertEquals("dataset 3", firstName(""));
    }

    /** Also a change of private datasets, which the pages of other callers do not show, and a change of the right. */
    @Test
    void theCachedPagesOfAnAccountAreItsOwn() {
        Caller owner = Caller.writer("Owner");
        long id = owner.create("{\"coordinates\":[1,2],\"dataset_name\":\"private\",\"is_private\":true}");
        String path = Listing.PATH + "?ordering=-id&page_size=1";
        Map<Caller, String> expected = Map.of(Caller.anonymous(), "dataset 120", writer, "dataset 120", owner,
                "private",
                Caller.admin(), "private", owner.token("reader"), "private");
        for (int i = 0; i < 3; i++) {
            expected.forEach((caller, name) -> assertEquals(name, caller.get(path).path("results[0].dataset_name")));
        }
        double before = hits();
        expected.forEach((caller, name) -> assertEquals(name, caller.get(path).path("results[0].dataset_name")));
        assertEquals(expected.size(), hits() - before);
        String page = "/datasets/?ordering=-id&page_size=1";
        for (int i = 0; i < 2; i++) {
            before = hits();
            expected.forEach((caller, name) -> assertEquals(name, firstNameForPeople(caller.request(), page)));
        }
        assertEquals(expected.size(), hits() - before);
        catalogue.sql("update dataset set dataset_name = 'renamed' where id = " + id);
        assertEquals("renamed", owner.get(path).path("results[0].dataset_name"));
        assertEquals("renamed", firstNameForPeople(owner.request(), page));
        assertEquals("dataset 120", writer.get(path).path("results[0].dataset_name"));
        owner.get(Listing.PATH + "facets/?mine=true").then().body("count", equalTo(1));
        writer.get(Listing.PATH + "facets/?mine=true").then().body("count", equalTo(0));
    }

    private double hits() {
        return meters.get("cache.gets").tags("cache", "dataset.pages", "result", "hit").functionCounter().count();
    }

    private static String firstName(Caller caller) {
        return caller.get(Listing.PATH).path("results[0].dataset_name");
    }

    @Test
    void aCachedPageIsNotServedAfterItsLinkWindow() {
        String link = Listing.list("").path("results[0].thumbnail_image");
        clock.setAfterStart(Duration.ofMinutes(31));
        assertNotEquals(link, Listing.list("").path("results[0].thumbnail_image"));
    }

    @Test
    void aCachedPageAnswersAMatchingIfNoneMatchWith304() {
        String tag = Listing.list("").header("ETag");
        catalogue.sql(RENAME_IN_THE_DATABASE);
        Response notModified = Listing.client().header("If-None-Match", tag).get(Listing.PATH);
        notModified.then().statusCode(304).header("ETag", tag);
        assertEquals(0, notModified.asByteArray().length);
    }

    @Test
    void aCachedPageIsCompressedForAClientThatAcceptsGzip() throws IOException {
        Response plain = Listing.list("");
        catalogue.sql(RENAME_IN_THE_DATABASE);
        for (int i = 0; i < 2; i++) {
            Response compressed = Listing.client().header("Accept-Encoding", "gzip").get(Listing.PATH);
            compressed.then().statusCode(200).header("Content-Encoding", "gzip");
            assertEquals(plain.header("ETag"), compressed.header("ETag"));
            assertEquals(plain.asString(), decompressed(compressed.asByteArray()));
        }
        assertEquals(plain.asString(), Listing.list("").asString());
    }

    private static String decompressed(byte[] bytes) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void requestsWithAnotherHostOrFormatDoNotShareAPage() {
        Response page = Listing.list("");
        String host = page.jsonPath().getString("next").replaceFirst("http://([^/]*)/.*", "$1");
        Response other = Listing.client().header("Host", "other.example").get(Listing.PATH);
        assertTrue(other.jsonPath().getString("next").startsWith("http://other.example/"), other.asString());
        assertTrue(Listing.list("").jsonPath().getString("next").contains(host));
        Listing.client().header("Accept", "application/geo+json").get(Listing.PATH).then()
                .contentType("application/geo+json");
        Listing.list("?format=geojson").then().contentType("application/geo+json");
        Listing.list("").then().contentType("application/json");
        Listing.list("?format=nothing").then().statusCode(404);
        Listing.client().header("Accept", "text/html").get(Listing.PATH).then().statusCode(406);
    }

    @Test
    void thePageForPeopleIsCachedUntilAWrite() {
        assertEquals("dataset 3", firstNameForPeople());
        catalogue.sql(RENAME_IN_THE_DATABASE);
        assertEquals("dataset 3", firstNameForPeople());
        Response cached = given().header("X-Request-Id", "a").header("Accept", "text/html")
                .get("/datasets/?ordering=id");
        Caller.admin().patch(Listing.PATH + "120/", "{}").then().statusCode(200);
        assertEquals("beside", firstNameForPeople());
        Response read = given().header("X-Request-Id", "a").header("Accept", "text/html").get("/datasets/?ordering=id");
        assertEquals(names(read), names(cached));
    }

    /** Count, datasets, choices and private datasets of a page are of one snapshot, so the page is cached whatever is written. */
    @Test
    void aPageForPeopleIsOfOneMomentAndCachedWhileDatasetsAreWritten() {
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> writes = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                catalogue.sql("update dataset set is_private = not is_private where id <= 60");
            }
        });
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < RandomTests.times(20, 60); i++) {
            HtmlPage page = HtmlPage.parse(
                    given().header("Accept", "text/html").get("/datasets/?page_size=100&n=" + i).asString());
            long count = numbers(page, "//*[@id='count']/h:data[3]");
            assertEquals(count, page.ids().size());
            assertEquals(count, numbers(page, "//*[@aria-labelledby='facet-category']//h:data"));
            assertEquals(count, numbers(page, "//*[@aria-labelledby='facet-year']//h:data"));
            HtmlPage others = HtmlPage.parse(Caller.admin().request().accept("text/html")
                    .get("/datasets/?is_private=false&n=" + i).asString());
            assertEquals(40, numbers(others, "//*[@id='count']/h:data[3]")
                    + numbers(others, "//*[@aria-labelledby='facet-mine']//h:data"));
            seen.add("page_size=100&n=" + i);
        }
        isOver.set(true);
        writes.join();
        assertEquals(Set.of(), seen.stream().filter(query -> pages.entries().keySet().stream()
                .noneMatch(key -> query.equals(key.query()))).collect(Collectors.toSet()));
    }

    private static long numbers(HtmlPage page, String path) {
        return page.select(path + "/@value").stream().mapToLong(Long::parseLong).sum();
    }

    private static String firstNameForPeople() {
        return firstNameForPeople(given(), "/datasets/?ordering=id");
    }

    private static String firstNameForPeople(RequestSpecification request, String page) {
        return request.header("Accept", "text/html").get(page).htmlPath().getString("**.find { it.@class == 'name' }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stac/search?limit=3", "/stac/collections/datasets/items?limit=3&f=html"})
    void thePageOfASearchIsCachedUntilAWrite(String path) {
        assertTrue(page(path).asString().contains("dataset 3"));
        catalogue.sql(RENAME_IN_THE_DATABASE);
        Response cached = page(path);
        assertTrue(cached.asString().contains("dataset 3"));
        assertFalse(cached.asString().contains("timeStamp"));
        assertTrue(cached.header("ETag").startsWith("W/\""), cached.header("ETag"));
        given().header("Accept", "text/html").header("If-None-Match", cached.header("ETag")).get(path).then()
                .statusCode(304).header("ETag", cached.header("ETag"));
        assertTrue(writer.request().accept("text/html").get(path).asString().contains("beside"));
        given().accept("application/geo+json").get(path.replace("f=html", "f=json")).then()
                .body(containsString("beside")).body(containsString("timeStamp"));

        Caller.admin().patch(Listing.PATH + "120/", "{}").then().statusCode(200);

        Response read = page(path);
        assertTrue(read.asString().contains("beside"));
        assertEquals(names(read), names(cached));
    }

    private static Set<String> names(Response response) {
        return response.headers().asList().stream().map(header -> header.getName().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** The extent of the collection is on its page. */
    @Test
    void thePageOfADocumentIsCachedUntilAWrite() {
        String path = "/stac/collections/datasets";
        String first = page(path).asString();
        catalogue.sql("update dataset set captured_date = '1971-02-03Z' where id = 3");
        assertEquals(first, page(path).asString());
        Caller.admin().patch(Listing.PATH + "120/", "{}").then().statusCode(200);
        assertTrue(page(path).asString().contains("1971-02-03"));
    }

    @Test
    void theCachedPageOfASearchIsNotServedAfterItsLinkWindow() {
        page("/stac/search?limit=3");
        catalogue.sql(RENAME_IN_THE_DATABASE);
        clock.setAfterStart(Duration.ofMinutes(31));
        assertTrue(page("/stac/search?limit=3").asString().contains("beside"));
    }

    private static Response page(String path) {
        Response page = given().header("X-Request-Id", "a").header("Accept", "text/html").get(path);
        page.then().statusCode(200).contentType("text/html");
        return page;
    }
}
