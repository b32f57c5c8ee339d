package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests ETag and If-None-Match of the listing. */
@QuarkusTest
class ConditionalListingTest {

    private static final String PAGE = "?page_size=5&p=2";

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(12));
    }

    private static String tag(String query) {
        Response response = Listing.list(query);
        response.then().statusCode(200);
        return response.header("ETag");
    }

    private static Response revalidate(String query, String tag) {
        return Listing.client().header("If-None-Match", tag).get(Listing.PATH + query);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PAGE, "?format=geojson", "?fields=id", "?category=Desert", "?ordering=-dataset_name"})
    void aMatchingIfNoneMatchAnswers304WithoutABody(String query) {
        String tag = tag(query);
        for (String tags : List.of(tag, tag.substring(2), "\"x\", " + tag, "*")) {
            Response response = revalidate(query, tags);
            response.then().statusCode(304);
            assertEquals(tag, response.header("ETag"));
            assertEquals("public, max-age=0, must-revalidate", response.header("Cache-Control"));
            assertEquals(0, response.asByteArray().length);
        }
        Listing.client().header("If-None-Match", tag).head(Listing.PATH + query).then().statusCode(304);
        revalidate(query, "\"x\"").then().statusCode(200).header("ETag", tag);
    }

    @Test
    void everyChangeOfThePageChangesTheTag() {
        Set<String> tags = new HashSet<>();
        tags.add(tag(PAGE));
        for (String change : List.of("dataset_name = 'new'", "is_shareable = true", "workspace = 71",
                "thumbnail_key = 'a.jpg'",
                "band_stats = '{\"dsm\":{},\"dtm\":{},\"ortho\":{},\"multispec_ortho\":{}}'")) {
            catalogue.sql("update dataset set " + change + " where id = 21");
            assertTrue(tags.add(tag(PAGE)), change);
        }
        catalogue.sql("update account set username = 'Ada B' where id = " + Catalogue.OWNER.id());
        assertTrue(tags.add(tag(PAGE)), "a change of the owner's name");
        Caller.admin().patch(Listing.PATH + "21/", "{\"dataset_name\":\"newer\"}").then().statusCode(200);
        assertTrue(tags.add(tag(PAGE)), "a change through the API");
        Caller.admin().delete(Listing.PATH + "36/").then().statusCode(204);
        assertTrue(tags.add(tag(PAGE)), "a change of the count");
    }

    @Test
    void changesOutsideOfThePageDoNotChangeTheTag() {
        String tag = tag(PAGE);
        catalogue.sql("update dataset set dataset_name = 'new' where id = 36");
        Caller.admin().patch(Listing.PATH + "3/", "{\"dataset_name\":\"newer\"}").then().statusCode(200);
        Caller.writer("Ada").create("{\"coordinates\":[1,2],\"is_private\":true}");
        clock.setAfterStart(Duration.ofSeconds(5));
        assertEquals(tag, tag(PAGE));
    }

    @Test
    void theTagChangesWhenTheLinksExpire() {
        String tag = tag(PAGE);
        String single = Listing.client().get(Listing.PATH + "21/").header("ETag");
        clock.setAfterStart(Duration.ofMinutes(30));
        revalidate(PAGE, tag).then().statusCode(200);
        assertNotEquals(tag, tag(PAGE));
        revalidate("21/", single).then().statusCode(200);
    }

    @Test
    void thePageKeepsItsTagWithoutLinks() {
        String tag = tag("?fields=id,dataset_name");
        clock.setAfterStart(Duration.ofDays(1));
        revalidate("?fields=id,dataset_name", tag).then().statusCode(304);
    }

    @Test
    void everyLinkIsValidFor30To60Minutes() {
        for (int minute = 0; minute < 120; minute += 7) {
            clock.setAfterStart(Duration.ofMinutes(minute));
            String link = Listing.list("").jsonPath().getString("results[0].thumbnail_image");
            long expires = Long.parseLong(link.replaceFirst(".*&Expires=(\\d+).*", "$1"));
            long left = expires - clock.instant().getEpochSecond();
            assertTrue(left >= 1_800 && left <= 3_600, () -> left + " s are left");
        }
    }

    @Test
    void responsesForAnotherCallerOrFormatHaveAnotherTag() {
        Caller bea = Caller.writer("Bea");
        bea.create("{\"coordinates\":[1,2],\"is_private\":true}");
        assertNotEquals(tag(""), bea.get(Listing.PATH).header("ETag"));
        assertNotEquals(tag(""), Listing.client().accept("application/geo+json").get(Listing.PATH).header("ETag"));
        assertEquals("private, max-age=0, must-revalidate", bea.get(Listing.PATH).header("Cache-Control"));
        revalidate("?p=2", "*").then().statusCode(404);
    }

    @Test
    void aNotModifiedResponseDoesNotReadTheDatasets() {
        String tag = tag(PAGE);
        catalogue.sql("alter table dataset rename column band_stats to hidden");
        try {
            revalidate(PAGE, tag).then().statusCode(304);
        } finally {
            catalogue.sql("alter table dataset rename column hidden to band_stats");
        }
    }
}
