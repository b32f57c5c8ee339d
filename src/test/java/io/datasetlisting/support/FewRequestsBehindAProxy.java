package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with a rate limit and a trusted proxy that names the client's address. Several tests share one start
 * of the application.
 */
public class FewRequestsBehindAProxy implements QuarkusTestProfile {

    public static final int PER_MINUTE = 20;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.rate-limit.per-minute", Integer.toString(PER_MINUTE),
                "quarkus.http.proxy.proxy-address-forwarding", "true", "quarkus.http.proxy.trusted-proxies",
                "127.0.0.1,::1", "quarkus.http.proxy.enable-forwarded-host", "true");
    }
}
