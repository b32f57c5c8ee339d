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
@TestProfile(TrustedProxyTest.BehindAProxy.class)
public class TrustedProxyTest {

    public static class BehindAProxy implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("quarkus.http.proxy.proxy-address-forwarding", "true",
                    "quarkus.http.proxy.trusted-proxies", "127.0.0.1", "quarkus.http.proxy.enable-forwarded-host",
                    "true");
        }
    }

    @Inject
    Catalogue catalogue;

    @Test
    void aTrustedProxySaysWhatTheLinksBeginWith() {
        catalogue.replaceWith(plain(16));
        client().header("X-Forwarded-Host", "imagery.example.org").header("X-Forwarded-Proto", "https")
                .get("/api/dataset/").then()
                .body("next", equalTo("https://imagery.example.org/api/dataset/?p=2&page_size=15"));
    }
}
