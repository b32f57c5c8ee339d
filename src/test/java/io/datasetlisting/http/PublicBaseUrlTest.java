package io.datasetlisting.http;

import static io.datasetlisting.support.Catalogue.plain;
import static io.datasetlisting.support.Listing.client;
import static org.hamcrest.Matchers.equalTo;

import java.util.Map;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

@QuarkusTest
@TestProfile(PublicBaseUrlTest.BaseUrl.class)
class PublicBaseUrlTest {

    public static class BaseUrl implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("dataset.public-base-url", "https://api.example.org/imagery/",
                    "quarkus.http.proxy.proxy-address-forwarding", "true", "quarkus.http.proxy.trusted-proxies",
                    "127.0.0.1", "quarkus.http.proxy.enable-forwarded-host", "true");
        }
    }

    @Inject
    Catalogue catalogue;

    @Test
    void aConfiguredBaseReplacesAllThatARequestSaysOfHosts() {
        catalogue.replaceWith(plain(16));
        client().header("Host", "evil.example").header("X-Forwarded-Host", "evil.example")
                .header("X-Forwarded-Proto", "ftp")
                .get("/api/dataset/?p=2").then()
                .body("previous", equalTo("https://api.example.org/imagery/api/dataset/?p=1&page_size=15"));
    }
}
