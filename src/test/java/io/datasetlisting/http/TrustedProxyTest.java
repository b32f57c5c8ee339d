package io.datasetlisting.http;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FewRequestsBehindAProxy;
import io.datasetlisting.support.HaProxy;
import io.datasetlisting.support.Nginx;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.specification.RequestSpecification;

/** Tests that links use the host that a trusted proxy forwards. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(FewRequestsBehindAProxy.class)
class TrustedProxyTest {

    @Inject
    Catalogue catalogue;

    @Test
    void linksBeginWithTheHostFromATrustedProxy() {
        catalogue.replaceWith(plain(16));
        // Other tests use up the rate limit of other addresses.
        client().header("X-Forwarded-For", "192.0.2.200").header("X-Forwarded-Host", "imagery.example.org")
                .header("X-Forwarded-Proto", "https")
                .get("/api/dataset/").then()
                .body("next", equalTo("https://imagery.example.org/api/dataset/?p=2&page_size=15"));
    }

    /** The platform checks the header {@code Host}, but no forwarded one. */
    @ParameterizedTest
    @ValueSource(strings = {"/robots.txt", "/sitemap.xml", "/", "/datasets/", "/stac?f=html", "/api/dataset/"})
    void aForwardedHostThatIsNoHostIs400(String path) {
        for (String host : List.of("a\"b<c>|'", "a b", "evil.example/path", "[::1")) {
            client().header("X-Forwarded-For", "192.0.2." + path.length()).header("X-Forwarded-Host", host).get(path)
                    .then().statusCode(400).body(containsString("Invalid Host header."));
        }
    }

    private static String next(String... headers) {
        RequestSpecification request = client();
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.get("/api/dataset/").then().statusCode(200).extract().path("next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"javascript", "", "ftp", "https://x", "https,javascript", "\"https\""})
    void aSchemeThatIsNeitherHttpNorHttpsDoesNotCount(String scheme) {
        catalogue.replaceWith(plain(16));
        assertThat(next("X-Forwarded-For", "192.0.2." + (10 + scheme.length()), "X-Forwarded-Proto", scheme),
                startsWith("http://localhost:"));
    }

    @Test
    void theSchemeIsWrittenInLowerCase() {
        catalogue.replaceWith(plain(16));
        assertThat(next("X-Forwarded-For", "192.0.2.40", "X-Forwarded-Proto", "HTTPS", "X-Forwarded-Host", "a.example"),
                startsWith("https://a.example/api/"));
    }

    /** Envoy names no port, and passes the host on as the client has written it. */
    @Test
    void aHostKeepsItsPort() {
        catalogue.replaceWith(plain(16));
        assertThat(next("X-Forwarded-For", "192.0.2.41", "X-Forwarded-Proto", "https", "Host", "a.example:8443"),
                startsWith("https://a.example:8443/api/"));
        assertThat(next("X-Forwarded-For", "192.0.2.41", "X-Forwarded-Proto", "https", "Host", "a.example:8443",
                "X-Forwarded-Port", "9443"), startsWith("https://a.example:9443/api/"));
        assertThat(next("X-Forwarded-For", "192.0.2.41", "X-Forwarded-Proto", "https", "Host", "a.example:443"),
                startsWith("https://a.example/api/"));
        for (String port : List.of("0", "x", "99999", "-1", "")) {
            assertThat(next("X-Forwarded-For", "192.0.2.41", "X-Forwarded-Proto", "https", "Host", "a.example:8443",
                    "X-Forwarded-Port", port), startsWith("https://a.example:8443/api/"));
        }
    }

    /** A client may send the header, and each proxy adds the address of its peer to the right. */
    @Test
    void theClientIsTheRightMostAddressThatIsNoTrustedProxy() {
        for (String own : List.of("192.0.2.50", "192.0.2.51, 127.0.0.1", "192.0.2.52:4711", "[2001:db8::1]:99")) {
            List<Integer> statuses = IntStream.range(0, 2 * FewRequestsBehindAProxy.PER_MINUTE)
                    .mapToObj(
                            i -> client().header("X-Forwarded-For", "203.0.113." + i + ", " + own).get("/api/dataset/")
                                    .statusCode())
                    .toList();
            assertTrue(statuses.contains(429), own);
        }
        // The addresses that the client has made up are not blocked.
        client().header("X-Forwarded-For", "203.0.113.1").get("/api/dataset/").then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Ssl", "Forwarded"})
    void aMalformedHeaderIsAnsweredAtOnce(String name) {
        for (String value : List.of(":1", ",", ", 1.2.3.4", "", " ", "unknown", "[", "[]", "[::1", "::1]:x", "1.2.3",
                "300.1.1.1",
                "1.2.3.4:", "1.2.3.4:99999999", "_hidden", "a b", "\"", "for=", "for=\"[", "for=;proto=;host=", ";;;",
                ",".repeat(5_000), "\",".repeat(5_000))) {
            client().header(name, value)
                    .config(RestAssuredConfig.config().httpClient(HttpClientConfig.httpClientConfig()
                            .setParam("http.socket.timeout", 20_000)))
                    .get("/q/health/live").then().statusCode(200);
        }
    }

    /** nginx adds the address of its peer to what the client has written, as nearly every guide has it. */
    @Test
    void aClientOfNginxCannotChooseItsAddress() throws IOException {
        Nginx.require();
        try (Nginx proxy = new Nginx(RestAssured.port,
                "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;")) {
            assertLimited(proxy.port(), "127.0.0.2");
        }
    }

    @Test
    void aClientOfHaProxyCannotChooseItsAddress() throws Exception {
        HaProxy.require();
        try (HaProxy proxy = HaProxy.before(RestAssured.port, "option forwardfor")) {
            assertLimited(proxy.port(), "127.0.0.3");
        }
    }

    private static void assertLimited(int port, String from) throws IOException {
        RestAssuredConfig fromOutside = RestAssuredConfig.config().httpClient(HttpClientConfig.httpClientConfig()
                .setParam("http.route.local-address", InetAddress.getByName(from)));
        List<Integer> statuses = IntStream.range(0, 2 * FewRequestsBehindAProxy.PER_MINUTE)
                .mapToObj(i -> RestAssured.given().config(fromOutside).header("X-Forwarded-For", "203.0.113." + i)
                        .get("http://127.0.0.1:" + port + "/api/dataset/").statusCode())
                .toList();
        assertTrue(statuses.contains(429), statuses::toString);
    }
}
