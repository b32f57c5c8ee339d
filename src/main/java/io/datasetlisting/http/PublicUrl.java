package io.datasetlisting.http;

import jakarta.inject.Singleton;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;

/** The address that clients know the service by. */
@Singleton
public class PublicUrl {

    private final String configured;

    public PublicUrl(HttpConfig config) {
        configured = config.publicBaseUrl().map(url -> url.toString().replaceAll("/+$", "")).orElse(null);
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
            throw new ApiException(400, "Invalid Host header.");
        }
        return request.scheme() + "://" + authority + path;
    }
}
