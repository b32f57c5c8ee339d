package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with a rate limit, a trusted proxy that names the client's address, and a provider of identities that is never
 * asked. Several tests share one start of the application.
 */
public class FewRequestsBehindAProxy implements QuarkusTestProfile {

    public static final int PER_MINUTE = 20;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.rate-limit.per-minute", Integer.toString(PER_MINUTE),
                "dataset.oidc.issuer", "https://provider.example.com", "dataset.oidc.audience", "datasets",
                "quarkus.http.proxy.proxy-address-forwarding", "true", "quarkus.http.proxy.trusted-proxies",
                "127.0.0.1,::1", "quarkus.http.proxy.enable-forwarded-host", "true");
    }
}
