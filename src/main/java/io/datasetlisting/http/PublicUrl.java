package io.datasetlisting.http;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;

/** The address of the service for clients, and the check of the host in a request. */
@Singleton
public class PublicUrl {

    private final String configured;
    private final Set<String> allowedHosts;

    public PublicUrl(HttpConfig config) {
        configured = config.publicBaseUrl().map(url -> url.toString().replaceAll("/+$", "")).orElse(null);
        allowedHosts = config.http().allowedHosts().map(hosts -> hosts.stream().map(PublicUrl::normalize)
                .collect(Collectors.toUnmodifiableSet())).orElse(Set.of());
    }

    /** Whether the host of a request is allowed. */
    public boolean isAllowed(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return allowedHosts.isEmpty() || authority != null && allowedHosts.contains(normalize(authority.host()));
    }

    /**
     * The relative address of the service at a path: {@code ../../} at {@code /datasets/1/}. The service may stand behind a path prefix,
     * so a page has relative links.
     */
    public static String root(String path) {
        int depth = (int) path.chars().filter(c -> c == '/').count() - 1;
        return depth <= 0 ? "./" : "../".repeat(depth);
    }

    private static String normalize(String host) {
        return host.strip().toLowerCase(Locale.ROOT);
    }

    /** 400 for a host that is missing, malformed or not allowed. */
    public static ApiException invalidHost() {
        return new ApiException(400, "Invalid Host header.");
    }

    /**
     * The absolute URL of a path. It begins with the configured URL, or without one with the scheme and host of the request. The platform
     * has already applied the forwarded headers of a trusted proxy to the request.
     *
     * @throws ApiException
     *             400 if no URL is configured and the {@code Host} of the request is missing or malformed
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
