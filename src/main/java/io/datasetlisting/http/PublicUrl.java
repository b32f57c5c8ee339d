package io.datasetlisting.http;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;

/** The address that clients know the service by. */
@Singleton
public class PublicUrl {

    private final String configured;
    private final Set<String> allowedHosts;

    public PublicUrl(HttpConfig config) {
        configured = config.publicBaseUrl().map(url -> url.toString().replaceAll("/+$", "")).orElse(null);
        allowedHosts = config.http().allowedHosts().map(hosts -> hosts.stream().map(PublicUrl::normal)
                .collect(Collectors.toUnmodifiableSet())).orElse(Set.of());
    }

    /** Whether the request names one of the hosts that it may name. */
    public boolean isAllowed(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return allowedHosts.isEmpty() || authority != null && allowedHosts.contains(normal(authority.host()));
    }

    private static String normal(String host) {
        return host.strip().toLowerCase(Locale.ROOT);
    }

    public static ApiException invalidHost() {
        return new ApiException(400, "Invalid Host header.");
    }

    /**
     * The absolute URL of a path, from the configured base or else from the request. Forwarded headers are already in
     * the request where they come from a trusted proxy.
     *
     * @throws ApiException
     *             400 when the base has to come from the request and its {@code Host} is missing or malformed
     */
    public String of(String path, HttpServerRequest request) {
        if (configured != null) {
            return configured + path;
        }
        HostAndPort authority = request.authority();
        if (authority == null || authority.host().isBlank()) {
            throw invalidHost();
        }
        return request.scheme() + "://" + authority + path;
    }
}
