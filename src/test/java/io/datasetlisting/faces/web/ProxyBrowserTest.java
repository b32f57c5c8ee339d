package io.datasetlisting.faces.web;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HaProxy;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Nginx;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;

/** Tests what proxies with usual settings do to the pages, the feed and the headers of the service. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class ProxyBrowserTest extends PagesInBrowser {

    private static final String READY = "document.querySelector('#dataset:not([aria-busy])')";
    private static final String COMPRESSING_NGINX = "gzip_types application/json;";
    private static final String COMPRESSING_HAPROXY = "compression algo gzip\n    compression type application/json";
    private static final String FLIGHT = "{\"dataset_name\":\"flight\",\"bbox\":[1,2,3,4]}";

    private Caller owner;
    private long id;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(3));
        owner = Caller.writer("ada");
        id = owner.post(Listing.PATH, FLIGHT).then().statusCode(201).extract().jsonPath().getLong("id");
    }

    private HaProxy haProxy(String settings) throws IOException {
        return HaProxy.before(list.getPort(), settings);
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private static URI at(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Changes the name in the form, through a proxy. */
    private void save(int port, String name) {
        browser.openPage(at(port, "/datasets/"));
        browser.read("sessionStorage.setItem('dataset-token', '" + owner.key() + "')");
        browser.read("sessionStorage.setItem('dataset-account', '" + owner.username() + "')");
        browser.openPage(at(port, "/datasets/" + id + "/edit/"));
        browser.await(READY);
        browser.click("#dataset [name=dataset_name]");
        browser.read("document.activeElement.select()");
        browser.type(name);
        browser.click("#dataset [type=submit]");
    }

    private void assertSaves(int port) throws Exception {
        HttpRequest read = HttpRequest.newBuilder(at(port, Listing.PATH + id + "/")).header("Accept-Encoding", "gzip")
                .header("Authorization", "Token " + owner.key()).build();
        String tag = client().send(read, HttpResponse.BodyHandlers.discarding()).headers()
                .firstValue("ETag").orElseThrow();
        assertTrue(tag.startsWith("W/"), "the proxy does not compress: " + tag);
        save(port, "saved");
        browser.await("document.querySelector('h1').textContent === 'saved'");
        owner.get(Listing.PATH + id + "/").then().body("dataset_name", equalTo("saved"));
    }

    @Test
    void theFormSavesBehindANginxThatCompresses() throws Exception {
        Nginx.require();
        try (Nginx proxy = new Nginx(list.getPort(), COMPRESSING_NGINX)) {
            assertSaves(proxy.port());
        }
    }

    @Test
    void theFormSavesBehindAnHaProxyThatCompresses() throws Exception {
        HaProxy.require();
        try (HaProxy proxy = haProxy(COMPRESSING_HAPROXY)) {
            assertSaves(proxy.port());
        }
    }

    /** A proxy that changes each tag: the form does not ask for ever. */
    @Test
    void aSaveThatIsAlwaysRefusedEndsInASentence() throws Exception {
        HaProxy.require();
        try (HaProxy proxy = haProxy("http-request set-header If-Match other if { method PATCH DELETE }")) {
            save(proxy.port(), "not saved");
            String unresolved = "The service refuses even its own newest version. Your input is still here.";
            browser.await(NOTICE + ".startsWith('" + unresolved + "')");
            assertEquals("not saved", browser.read("document.querySelector('#dataset [name=dataset_name]').value"));
            browser.click("#dataset .delete");
            browser.click("#deletion [value=delete]");
            browser.await(NOTICE + ".startsWith('" + unresolved + "')");
            owner.get(Listing.PATH + id + "/").then().statusCode(200).body("dataset_name", equalTo("flight"));
        }
    }

    /** By default nginx fills a buffer before it passes anything on. */
    @Test
    void eventsArriveThroughAnNginxWithDefaults() throws Exception {
        Nginx.require();
        for (String settings : new String[]{"", "proxy_http_version 1.1; gzip_types *;"}) {
            try (Nginx proxy = new Nginx(list.getPort(), settings)) {
                assertEventsArrive(proxy.port());
            }
        }
    }

    @Test
    void eventsArriveThroughAnHaProxyWithDefaults() throws Exception {
        HaProxy.require();
        for (String settings : new String[]{"", COMPRESSING_HAPROXY + " text/event-stream"}) {
            try (HaProxy proxy = haProxy(settings)) {
                assertEventsArrive(proxy.port());
            }
        }
    }

    private static void assertEventsArrive(int port) throws Exception {
        HttpRequest events = HttpRequest.newBuilder(at(port, Listing.PATH + "changes/?since=2000-01-01T00:00:00Z"))
                .header("Accept", "text/event-stream").header("Accept-Encoding", "gzip").build();
        CompletableFuture<HttpResponse<InputStream>> response = client().sendAsync(events,
                HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.get(20, TimeUnit.SECONDS).body()) {
            assertEquals(200, response.get().statusCode());
            assertTrue(body.read() >= 0);
        }
    }

    /**
     * HAProxy as Debian installs it ends a request after 50 seconds without a response, and nginx after 60: 504. ChangesTest
     * compares the longest wait with them; a long run waits for it here.
     */
    @Test
    void aLongPollEndsBeforeProxiesEndIt() throws Exception {
        Nginx.require();
        HaProxy.require();
        catalogue.fold();
        JsonPath page = owner.get(Listing.PATH + "changes/").jsonPath();
        assertEquals(false, page.getBoolean("more"));
        try (HaProxy haProxy = haProxy(""); Nginx nginx = new Nginx(list.getPort(), "")) {
            List<CompletableFuture<HttpResponse<String>>> polls = Stream.of(haProxy.port(), nginx.port())
                    .map(each -> client().sendAsync(HttpRequest
                            .newBuilder(at(each,
                                    Listing.PATH + "changes/?wait=" + RandomTests.times(1, 60) + "&since="
                                            + page.getString("next")))
                            .header("Authorization", "Token " + owner.key()).build(),
                            HttpResponse.BodyHandlers.ofString()))
                    .toList();
            for (CompletableFuture<HttpResponse<String>> poll : polls) {
                assertEquals(200, poll.get(90, TimeUnit.SECONDS).statusCode());
            }
        }
    }

    /** The default buffer for the headers of a response has 4,096 bytes. A larger head is 502. */
    @Test
    void longQueriesAreAnsweredThroughProxiesWithDefaults() throws Exception {
        Nginx.require();
        HaProxy.require();
        try (HaProxy haProxy = haProxy(""); Nginx proxy = new Nginx(list.getPort(), "")) {
            HttpClient client = client();
            for (String path : new String[]{Listing.PATH, "/datasets/", "/api/dataset",
                    "/stac/collections/datasets/items"}) {
                for (int length = 300; length < 7_000; length += 97) {
                    HttpRequest request = HttpRequest.newBuilder(at(length % 2 == 0 ? proxy.port() : haProxy.port(),
                            path + "?p=2&page_size=1&x=" + "a".repeat(length))).build();
                    int status = client.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode();
                    assertTrue(status == 200 || status == 301 || status == 400 && path.startsWith("/stac"),
                            path + " with " + length + ": " + status);
                }
            }
        }
    }
}
