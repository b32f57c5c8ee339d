package io.datasetlisting.faces.list;

import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.datasetlisting.support.Listing;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the newest changes as a page and as an Atom feed. */
@QuarkusTest
class RecentPageTest {

    private static final String PATH = "/datasets/changes/";
    private static final String ATOM = "http://www.w3.org/2005/Atom";
    private static final String TOMBSTONES = "http://purl.org/atompub/tombstones/1.0";
    private static final String LINES = "//h:ol[@class='changes']/h:li/";

    @TestHTTPResource("/")
    String service;

    @Inject
    Catalogue catalogue;

    private Caller owner;

    @BeforeEach
    void fill() {
        // Without the tombstones of other tests.
        catalogue.clear();
        catalogue.replaceWith(dataset(1, d -> d.category = new String[]{"Desert"}), dataset(2, d -> {
            d.category = new String[]{"Forest"};
            d.ownerId = 50;
            d.ownerName = "Owner";
        }), dataset(3, d -> {
            d.isPrivate = true;
            d.ownerId = 50;
            d.ownerName = "Owner";
        }));
        owner = Caller.existing(50, "Owner").token("writer");
        catalogue.fold();
    }

    private static Response atom(Caller caller, String query) {
        Response response = caller.get(PATH + "?format=atom" + query);
        response.then().statusCode(200).header("Content-Type", "application/atom+xml");
        return response;
    }

    private static Document xml(Response response) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            return factory.newDocumentBuilder().parse(new ByteArrayInputStream(response.asByteArray()));
        } catch (Exception e) {
            throw new AssertionError(new String(response.asByteArray(), StandardCharsets.UTF_8), e);
        }
    }

    private static List<Element> elements(Node parent) {
        List<Element> elements = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                elements.add(element);
            }
        }
        return elements;
    }

    private static String text(Element parent, String name) {
        return parent.getElementsByTagNameNS(ATOM, name).item(0).getTextContent();
    }

    /** The entries and tombstones, each as "put" or "gone" and the number of the dataset in its link, or its id. */
    private static List<String> changes(Response response) {
        List<String> changes = new ArrayList<>();
        for (Element element : elements(xml(response).getDocumentElement())) {
            if (element.getLocalName().equals("entry")) {
                String page = elements(element).stream().filter(each -> each.getLocalName().equals("link"))
                        .findFirst().orElseThrow().getAttribute("href");
                changes.add("put " + page.replaceAll(".*/datasets/(\\d+)/", "$1"));
            } else if (element.getLocalName().equals("deleted-entry")) {
                assertEquals(TOMBSTONES, element.getNamespaceURI());
                Instant.parse(element.getAttribute("when"));
                changes.add("gone " + element.getAttribute("ref"));
            }
        }
        return changes;
    }

    private static HtmlPage page(Caller caller, String query) {
        Response response = caller.request().accept("text/html").get(PATH + query);
        response.then().statusCode(200).header("Content-Type", "text/html; charset=utf-8");
        return HtmlPage.parse(response.asString());
    }

    private String idOf(long dataset) {
        return "urn:uuid:" + catalogue.sql("select uav_uid::text from dataset where id = " + dataset).get(0)
                .getString(0);
    }

    private void change(long dataset, String assignments) {
        catalogue.sql("update dataset set version = version + 1, " + assignments + " where id = " + dataset);
        catalogue.fold();
    }

    @Test
    void thePageListsTheNewestChangesFirst() {
        change(1, "dataset_name = 'one <b>'");
        change(2, "is_deleted = true");
        HtmlPage page = page(anonymous(), "");
        assertEquals("Newest changes", page.one("//h:h1"));
        assertEquals(List.of("Dataset 2 is gone.", "changed"), page.select(LINES + "h:span[1]"));
        assertEquals(List.of("one <b>"), page.select(LINES + "h:a"));
        assertEquals(List.of("../../datasets/1/"), page.select(LINES + "h:a/@href"));
        List<String> times = page.select(LINES + "h:time/@datetime");
        assertEquals(2, times.size());
        assertTrue(Instant.parse(times.get(0)).isAfter(Instant.parse(times.get(1))), times::toString);
        assertEquals("./?format=atom",
                page.one("//h:link[@rel='alternate'][@type='application/atom+xml']/@href"));
        assertEquals(service + "datasets/changes/", page.one("//h:link[@rel='canonical']/@href"));
    }

    @Test
    void theListLeadsToTheChangesWithItsFilters() {
        Response list = anonymous().request().accept("text/html").get("/datasets/?category=Forest&page_size=5");
        HtmlPage page = HtmlPage.parse(list.asString());
        assertEquals("../datasets/changes/?category=Forest",
                page.one("//*[@class='formats']//h:a[text()='Newest changes']/@href"));
        assertEquals("changes/?category=Forest&format=atom",
                page.one("//h:link[@rel='alternate'][@type='application/atom+xml']/@href"));
        HtmlPage changes = page(anonymous(), "?category=Forest&page_size=5");
        assertEquals("../?category=Forest", changes.one("//h:main/h:p/h:a/@href"));
        assertEquals("Datasets: Forest", changes.one("//h:main/h:p/h:a"));
        assertEquals(List.of("../../datasets/2/"), changes.select(LINES + "h:a/@href"));
    }

    @Test
    void theFeedIsAtom() {
        String id = idOf(2);
        Element first = (Element) xml(atom(anonymous(), "")).getElementsByTagNameNS(ATOM, "entry").item(0);
        assertEquals(id, text(first, "id"));
        assertEquals("added", elements(first).stream().filter(each -> each.getLocalName().equals("category"))
                .findFirst().orElseThrow().getAttribute("term"));
        change(2, "dataset_name = 'two'");
        Document document = xml(atom(anonymous(), ""));
        Element feed = document.getDocumentElement();
        assertEquals(ATOM, feed.getNamespaceURI());
        assertEquals("feed", feed.getLocalName());
        assertEquals(service + "datasets/changes/?format=atom", text(feed, "id"));
        Element entry = (Element) document.getElementsByTagNameNS(ATOM, "entry").item(0);
        assertEquals(id, text(entry, "id"), "the same after a change");
        assertEquals("two", text(entry, "title"));
        assertEquals("Owner", text(entry, "name"));
        assertEquals(text(feed, "updated"), text(entry, "updated"));
        assertTrue(Instant.parse(text(entry, "updated")).isAfter(Instant.parse(text(first, "updated"))));
        assertTrue(Instant.parse(text(entry, "published")).isBefore(Instant.parse(text(entry, "updated"))));
        // Newsboat opens the last alternate, whatever its type.
        assertEquals(List.of("alternate " + service + "datasets/2/", "related " + service + "api/dataset/2/"),
                elements(entry).stream().filter(each -> each.getLocalName().equals("link"))
                        .map(link -> link.getAttribute("rel") + ' ' + link.getAttribute("href")).toList());
    }

    /** A feed reader shows feeds by their titles. */
    @Test
    void theTitleOfAFeedSaysItsFilters() {
        String all = text(xml(atom(anonymous(), "")).getDocumentElement(), "title");
        assertEquals(all.replace("Newest changes · ", "Newest changes · Datasets: Forest, “<b>&” · "),
                text(xml(atom(anonymous(), "&category=Forest&search=%3Cb%3E%26")).getDocumentElement(), "title"));
    }

    /** The feed reader of a person sends the languages of its system. A kept feed of one language is not that of another. */
    @Test
    void theFeedIsInTheLanguageOfTheReader() {
        for (String[] each : new String[][]{{"en", "Newest changes · ", "added", "Captured "},
                {"de", "Neueste Änderungen · ", "neu", "Aufgenommen "},
                {"en", "Newest changes · ", "added", "Captured "}}) {
            Response response = anonymous().request().header("Accept-Language", each[0]).get(PATH + "?format=atom");
            response.then().statusCode(200).header("Content-Language", each[0])
                    .header("Vary", containsString("Accept-Language"));
            Element feed = xml(response).getDocumentElement();
            assertEquals(each[0], feed.getAttribute("xml:lang"));
            assertTrue(text(feed, "title").startsWith(each[1]), text(feed, "title"));
            Element category = (Element) feed.getElementsByTagNameNS(ATOM, "category").item(0);
            assertEquals("added", category.getAttribute("term"));
            assertEquals(each[2], category.getAttribute("label"));
            assertTrue(text(feed, "summary").startsWith(each[3]), text(feed, "summary"));
            anonymous().request().header("Accept-Language", each[0]).header("If-None-Match", response.header("ETag"))
                    .get(PATH + "?format=atom").then().statusCode(304).header("Content-Language", each[0]);
        }
    }

    @Test
    void noTitleBreaksTheFeed() {
        String name = "a \\u0001\\u001f\\u007f\\ufffe ]]> <&\\\"'> \\ud83d\\ude00 \\u202e";
        owner.patch(Listing.PATH + "2/", "{\"dataset_name\": \"" + name + "\"}").then().statusCode(200);
        catalogue.fold();
        Element entry = (Element) xml(atom(anonymous(), "")).getElementsByTagNameNS(ATOM, "entry").item(0);
        assertEquals("a \ufffd\ufffd\u007f\ufffd ]]> <&\"'> \ud83d\ude00 \u202e", text(entry, "title"));
    }

    @Test
    void eachCallerSeesItsOwnAudience() {
        String first = idOf(1);
        String third = idOf(3);
        assertEquals(List.of("put 2", "put 1"), changes(atom(anonymous(), "")));
        Response own = atom(owner, "");
        assertEquals(List.of("put 3", "put 2", "put 1"), changes(own));
        assertEquals("private, max-age=0, must-revalidate", own.header("Cache-Control"));
        assertEquals("public, max-age=0, must-revalidate", atom(anonymous(), "").header("Cache-Control"));
        assertTrue(page(owner, "").select(LINES + "h:strong").contains("private"));
        // A public dataset that becomes private is gone for others, and changed for its owner.
        catalogue.sql("update dataset set is_private = true, owner_id = " + owner.id() + ", owner_name = '"
                + owner.username() + "' where id = 1");
        change(3, "is_deleted = true");
        assertEquals(List.of("gone " + first, "put 2"), changes(atom(anonymous(), "")));
        assertEquals(List.of("gone " + third, "put 1", "put 2"), changes(atom(owner, "")));
        assertEquals(List.of("gone " + third, "put 1", "put 2"), changes(atom(Caller.admin(), "")));
        assertEquals(List.of("gone " + third, "put 1"), changes(atom(owner, "&mine=true&is_private=true")));
        anonymous().get(PATH + "?format=atom&mine=true").then().statusCode(401);
        anonymous().request().accept("text/html").get(PATH + "?mine=true").then().statusCode(401)
                .header("Content-Type", "text/html; charset=utf-8");
    }

    @Test
    void theTagChangesWithTheContent() {
        for (String query : List.of("", "?format=atom")) {
            Response known = anonymous().get(PATH + query);
            String tag = known.header("ETag");
            for (int i = 0; i < 2; i++) {
                anonymous().request().header("If-None-Match", tag).get(PATH + query).then().statusCode(304)
                        .header("ETag", tag);
            }
            Response head = anonymous().request().head(PATH + query);
            head.then().statusCode(200).header("ETag", tag).header("Content-Type", known.contentType())
                    .header("Content-Length", equalTo(known.header("Content-Length")));
            assertEquals("", head.asString());
            change(1, "dataset_name = 'other " + query.length() + "'");
            Response changed = anonymous().request().header("If-None-Match", tag).get(PATH + query);
            assertEquals(200, changed.statusCode());
            assertNotEquals(tag, changed.header("ETag"));
        }
        anonymous().request().accept("application/atom+xml").get(PATH).then().statusCode(200)
                .header("Content-Type", "application/atom+xml");
        anonymous().get(PATH + "?format=csv").then().statusCode(404);
        anonymous().get(PATH + "?format=atom&workspace=x").then().statusCode(400);
    }

    /** The row of a dataset with a pending change may be of a transaction that is not durable. */
    @Test
    void aDatasetWithAPendingChangeIsLeftOut() {
        catalogue.during("lock table rank in share row exclusive mode", () -> {
            catalogue.sql("update dataset set version = version + 1, dataset_name = 'new' where id = 1");
            assertEquals(List.of("put 2"), changes(atom(anonymous(), "")));
            assertFalse(atom(anonymous(), "").asString().contains(">new<"));
        });
        catalogue.fold();
        assertEquals(List.of("put 1", "put 2"), changes(atom(anonymous(), "")));
    }

    @Test
    void theNumberOfChangesHasABound() {
        catalogue.sql("insert into dataset (id, dataset_name, owner_id, owner_name, workspace, uav_uid, captured_date,"
                + " coordinates, bbox, category, thumbnail_key) select 100 + i, 'd' || i, owner_id, owner_name, workspace,"
                + " gen_random_uuid(), captured_date, coordinates, bbox, category, thumbnail_key"
                + " from dataset, generate_series(1, 60) i where id = 1");
        catalogue.fold();
        assertEquals(50, changes(atom(anonymous(), "")).size());
        catalogue.sql("update dataset set is_deleted = true where id > 100");
        catalogue.fold();
        List<String> all = changes(atom(anonymous(), ""));
        assertEquals(50, all.size());
        assertEquals(50, new HashSet<>(all).size());
        // Other datasets that are gone do not hide the changes that match.
        assertTrue(changes(atom(anonymous(), "&category=Desert")).contains("put 1"));
        List<String> times = page(anonymous(), "").select(LINES + "h:time/@datetime");
        assertEquals(times.stream().sorted(Comparator.reverseOrder()).toList(), times);
        // An empty catalogue has a feed, too.
        catalogue.clear();
        catalogue.fold();
        Document document = xml(atom(anonymous(), ""));
        assertEquals(List.of(), changes(atom(anonymous(), "")));
        Instant.parse(text(document.getDocumentElement(), "updated"));
        assertEquals("Nothing has changed yet.", page(anonymous(), "").one("//h:main/h:p[2]"));
    }
}
