package io.datasetlisting.faces.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests that no other spelling of an address bypasses the access rules of the address. */
@QuarkusTest
class AddressVariantsTest {

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    /** Of the variants, one in this number is sent by each method except GET. The methods take turns. */
    private static final int TURNS = RandomTests.times(40, 10);
    private static final int TURNS_OF_GET = RandomTests.times(8, 2);
    private static final long SEED = RandomTests.seed();
    private static final Set<Integer> REFUSED = Set.of(400, 401, 404, 405);
    private static final long ID = 3;

    @Inject
    Catalogue catalogue;

    @Inject
    Endpoints endpoints;

    @TestHTTPResource
    URI service;

    private RawConnection connection;

    /** Resources that are not in the table of endpoints. */
    @Path("/")
    public static class Unknown {

        @GET
        @Path("api/made-up-by-a-test/")
        public String inTheApi() {
            return "reached";
        }

        @POST
        @Path("api/made-up-by-a-test/")
        public String written() {
            return "reached";
        }

        @GET
        @Path("made-up-by-a-test/")
        public String elsewhere() {
            return "reached";
        }
    }

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(4));
        // The feed of changes has datasets only after the fold.
        catalogue.fold();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/made-up-by-a-test/", "/api;x/made-up-by-a-test/", "/made-up-by-a-test/",
            "/;/api/made-up-by-a-test/"})
    void aResourceMissingFromTheTableIsNotFound(String path) throws IOException {
        for (String token : List.of("", "Authorization: Token " + Caller.admin().key() + "\r\n")) {
            for (String method : List.of("GET", "POST")) {
                Answer answer = send(method, path, token);
                assertEquals(404, answer.status(), answer::head);
                assertEquals("{\"detail\":\"Not found.\"}", answer.body());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/openapi", "/q/openapi.json", "/q/metrics", "/q/health", "/q/health/ready",
            "/q/health/group/writers"})
    void optionsNamesTheMethodsOfAnAddressOfThePlatform(String path) throws IOException {
        Answer answer = send("OPTIONS", path, "");
        assertEquals(200, answer.status(), answer::head);
        assertTrue(answer.head().contains("\r\nAllow: GET, HEAD, OPTIONS\r\n"), answer::head);
        assertEquals("", answer.body());
        assertEquals(200, send("GET", path, "").status());
        assertEquals(send("GET", path + "/x", "").status(), send("OPTIONS", path + "/x", "").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /api/token;x/", "POST /api;/token/", "POST /api/token/;", "POST /api/token/;/",
            "POST /;/api/token/", "POST /api/token%3bx/", "POST /api/account;x/", "POST /api/dataset;/",
            "GET /api/dataset/3;x/", "GET /api/dataset/3%3Bx/", "GET /api/dataset/3;/thumbnail/",
            "GET /api/dataset/;3/"})
    void anAddressWithASemicolonIsNotFound(String request) throws IOException {
        String[] words = request.split(" ");
        Answer answer = send(words[0], words[1], "");
        assertEquals(404, answer.status(), answer::head);
        assertEquals("{\"detail\":\"Not found.\"}", answer.body());
    }

    /** A proxy that compares the beginning of a path takes each of them for a path of the service. */
    @ParameterizedTest
    @ValueSource(strings = {"/datasets/%2e%2e/q/metrics", "/stac/../q/metrics", "/datasets/%2E./q/metrics",
            "/datasets/..%2fq/metrics", "/datasets/..%5cq/metrics", "/datasets/..\\q/metrics", "/./q/metrics",
            "/q/./metrics",
            "/q/%2e/metrics", "/api/dataset/..", "/api/dataset/.", "/stac/%2e%2e", "/stac/..?f=json",
            "http://localhost/stac/../q/metrics", "//q/metrics", "/q//metrics", "/%71/metrics", "/q/%6detrics",
            "//%71//health", "http://localhost//q/metrics"})
    void aDotSegmentAndAnotherSpellingOfThePlatformAre400(String path) throws IOException {
        for (String method : List.of("GET", "POST")) {
            Answer answer = send(method, path, "");
            assertEquals(400, answer.status(), answer::head);
        }
        Answer answer = send("GET", path, "");
        assertTrue(answer.body().contains("\"detail\":\"Malformed request.\""), answer::body);
        assertTrue(answer.head().toLowerCase(Locale.ROOT).contains("content-type: application/json"), answer::head);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/dataset/.../", "/api/dataset/.x/", "/api/dataset/x./", "/api/dataset/?x=/../"})
    void otherDotsAreNoDotSegments(String path) throws IOException {
        assertEquals(path.contains("?") ? 200 : 404, send("GET", path, "").status());
    }

    /** A variant with dots may be another address of the table, so it may get the response of any address. */
    @Test
    void variantsShowAnonymousCallersNoMoreThanTheAddresses() throws IOException {
        List<String> paths = endpoints.all().stream()
                .map(endpoint -> endpoint.path().replace("{id}", Long.toString(ID)).replace("{product}", "ortho")
                        .replace("{workspace}", "70").replace("{version}", "20261129T131502Z-1a2b3c4d"))
                .toList();
        int asked = 0;
        for (String method : METHODS) {
            Set<String> plain = new HashSet<>();
            for (String path : paths) {
                for (String same : List.of(path, path.replaceFirst("/?$", ""), path.replaceFirst("/?$", "/"))) {
                    plain.add(summary(send(method, same, "")));
                }
            }
            for (String path : paths) {
                int turn = Math.floorMod(SEED, TURNS) + METHODS.indexOf(method);
                for (String variant : variants(path)) {
                    if (turn++ % (method.equals("GET") ? TURNS_OF_GET : TURNS) != 0) {
                        continue;
                    }
                    Answer answer = send(method, variant, "");
                    assertTrue(REFUSED.contains(answer.status()) || plain.contains(summary(answer)),
                            () -> method + ' ' + variant + " is answered with " + summary(answer));
                    asked++;
                }
            }
        }
        assertTrue(asked > 1_000, asked + " variants");
    }

    /**
     * Without the tokens of searches and of changes: they contain the listing version, which a fold changes. Without the
     * parameters of addresses in pages: a page repeats the parameters of its request.
     */
    private static String summary(Answer answer) {
        String body = answer.body().replaceAll("token=[\\w-]+", "token=")
                .replaceAll("\"next\":\"[\\w-]+\"|\"as_of\":\"[^\"]+\"", "");
        return answer.status() + " " + (body.startsWith("<!DOCTYPE html>") || body.startsWith("{\"tilejson\"")
                ? body.replace("&amp;", "?").replaceAll("\\?(x=%3B|%3Bjsessionid=1)?(?=[?\"'&<])", "")
                        .replaceAll("<input type=\"hidden\"[^>]*>", "")
                : body);
    }

    /** The variants of a path, as a client sends them. */
    private static Set<String> variants(String path) {
        List<String> inserted = List.of(";", ";x", ";x=1", "%3b", "%3B", ";/", "/;/", "//", "/./", "/../", "/x/../",
                "/%2e/", "/%2e%2e/", "%2f", "%5c", "\\", "%00", "%0a", "%20", "+", "%", "%zz", "%c0%af", "%e2%80%8b",
                ".",
                "..", "*", ":", "@", "#", "?", "|", "%25", "%253b", "\u00e9");
        Set<String> variants = new LinkedHashSet<>();
        List<Integer> places = new ArrayList<>(List.of(0, 1, path.length()));
        for (int slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            places.addAll(List.of(slash, slash + 1));
        }
        places.forEach(place -> inserted
                .forEach(text -> variants.add(path.substring(0, place) + text + path.substring(place))));
        for (int i = 0; i < path.length(); i++) {
            String escaped = String.format("%%%02x", (int) path.charAt(i));
            variants.add(path.substring(0, i) + escaped + path.substring(i + 1));
            variants.add(path.substring(0, i) + "%25" + escaped.substring(1) + path.substring(i + 1));
        }
        List<UnaryOperator<String>> whole = List.of(text -> text.toUpperCase(Locale.ROOT), text -> '/' + text,
                text -> text.substring(1), text -> "http://localhost" + text, text -> "http://other@localhost" + text,
                text -> "/x/.." + text, text -> "/q/.." + text, text -> text + text.substring(1),
                text -> text + "index.html", text -> text + "?x=;", text -> text + "?;jsessionid=1");
        whole.forEach(change -> variants.add(change.apply(path)));
        variants.remove(path);
        // Variants that begin with other characters are not variants of this path.
        variants.removeIf(variant -> !variant.startsWith("/") && !variant.startsWith("http")
                && !variant.startsWith("api"));
        return variants;
    }

    /** Reuses the connection of the previous request if it is open. */
    private Answer send(String method, String path, String headers) throws IOException {
        if (connection == null) {
            connection = new RawConnection(service);
        }
        String body = method.startsWith("P") ? "{\"user\": 0, \"right\": \"admin\", \"username\": \"mallory\"}" : "";
        Answer answer = connection.write(method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body).read();
        if (answer.status() == 400 || answer.head().toLowerCase(Locale.ROOT).contains("connection: close")) {
            connection.close();
            connection = null;
        }
        return answer;
    }
}
