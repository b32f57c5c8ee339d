package io.datasetlisting.http;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.FewRequestsBehindAProxy;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests that links use the host that a trusted proxy forwards. */
@QuarkusTest
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
}
