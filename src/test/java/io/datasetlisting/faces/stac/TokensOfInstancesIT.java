package io.datasetlisting.faces.stac;

import static io.datasetlisting.support.Listing.encoded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/** Tests that the token of a page is of the search in every instance of the service, also after a restart. */
class TokensOfInstancesIT {

    private static final String SEARCH = "/stac/search?limit=3";

    /** Conditions that are no properties. */
    private static final List<String> OTHERS = List.of("q=a,e,i,o", "bbox=-180,-90,180,90",
            "datetime=1900-01-01T00:00:00Z/..", "collections=datasets", "fields=title,-links,properties.created",
            "intersects=" + encoded("{\"type\":\"Polygon\",\"coordinates\":[[[-180,-90],[180,-90],[180,90],[-180,90],"
                    + "[-180,-90]]]}"),
            "filter=" + encoded("not (casei(title) like casei('x%') and title in ('a','b'))"),
            "filter=" + encoded(
                    "updated between timestamp('2000-01-01T00:00:00Z') and timestamp('2999-01-01T00:00:00Z')"));

    @Test
    void aPageOfEachOrderAndEachFilterLeadsToTheNextPageOfAnotherInstance() throws Exception {
        try (PostgresServer postgres = new PostgresServer()) {
            List<Page> pages = new ArrayList<>();
            try (ServiceProcess one = start(postgres)) {
                Api api = new Api(one.url().toString(), null);
                Patience.await("datasets").until(
                        () -> api.json("/stac/search?limit=1").getInteger("numberMatched") > 100);
                for (String search : searches(api)) {
                    JsonObject first = api.json(search);
                    next(first).ifPresent(next -> pages.add(
                            new Page(search, next, api.json(next).getJsonArray("features").encode())));
                }
                assertTrue(pages.size() > 50, () -> pages.size() + " searches with a second page");
                try (ServiceProcess two = start(postgres)) {
                    assertEquals(List.of(), refused(pages, new Api(two.url().toString(), null)));
                    two.stopInOrder();
                }
                one.stopInOrder();
            }
            try (ServiceProcess again = start(postgres)) {
                assertEquals(List.of(), refused(pages, new Api(again.url().toString(), null)));
                again.stopInOrder();
            }
        }
    }

    /**
     * @param next
     *            the address of the second page
     * @param items
     *            of the second page
     */
    private record Page(String search, String next, String items) {
    }

    private static ServiceProcess start(PostgresServer postgres) throws IOException {
        return ServiceProcess.start(postgres.port() + "/postgres", "-Ddataset.sample.enabled=true",
                "-Ddataset.public-base-url=https://catalogue.example.org");
    }

    private static Set<String> searches(Api api) {
        Set<String> searches = new LinkedHashSet<>();
        Set<String> sortables = api.json("/stac/sortables").getJsonObject("properties").fieldNames();
        assertTrue(sortables.size() > 10, sortables::toString);
        sortables.forEach(name -> {
            searches.add(SEARCH + "&sortby=" + encoded(name));
            searches.add(SEARCH + "&sortby=-" + encoded(name));
        });
        Set<String> queryables = api.json("/stac/queryables").getJsonObject("properties").fieldNames();
        assertTrue(queryables.size() > sortables.size(), queryables::toString);
        queryables.forEach(name -> searches.add(SEARCH + "&filter=" + encoded(name.equals("geometry")
                ? "s_intersects(geometry, bbox(-180,-90,180,90))"
                : "\"" + name + "\" is null or id <> '0'")));
        OTHERS.forEach(condition -> searches.add(SEARCH + '&' + condition));
        return searches;
    }

    private static Optional<String> next(JsonObject page) {
        return page.getJsonArray("links").stream().map(JsonObject.class::cast)
                .filter(link -> link.getString("rel").equals("next")).findFirst()
                .map(link -> link.getString("href").replace("https://catalogue.example.org", ""));
    }

    private static List<String> refused(List<Page> pages, Api other) {
        Patience.await("the first page").until(() -> other.get("/stac").statusCode() == 200);
        List<String> refused = new ArrayList<>();
        for (Page page : pages) {
            var answer = other.get(page.next);
            if (answer.statusCode() != 200) {
                refused.add(page.search + ": " + answer.body());
            } else {
                assertEquals(page.items, new JsonObject(answer.body()).getJsonArray("features").encode(), page.search);
            }
        }
        return refused;
    }
}
