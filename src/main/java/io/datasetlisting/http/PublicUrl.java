package io.datasetlisting.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.datasetlisting.base.ApiException;
import io.netty.util.NetUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;

/** The address of the service for clients, and the check of the host in a request. */
@Singleton
public class PublicUrl {

    /** More than the deepest address of the service has. */
    private static final int MAX_DEPTH = 20;
    private static final int MAX_PORT = 65_535;
    /** The longest name of the domain name system. */
    private static final int MAX_HOST = 255;
    private static final Pattern HOST = Pattern.compile("[-A-Za-z0-9._~]+");

    private final String configured;
    private final String prefix;
    private final Set<String> allowedHosts;

    public PublicUrl(HttpConfig config) {
        configured = config.publicBaseUrl().map(url -> url.toString().replaceAll("/+$", "")).orElse(null);
        prefix = configured == null ? "" : URI.create(configured).getRawPath();
        allowedHosts = config.http().allowedHosts().map(hosts -> hosts.stream().map(PublicUrl::normalize)
                .collect(Collectors.toUnmodifiableSet())).orElse(Set.of());
    }

    /** Whether the host of a request is well formed and allowed. Only a request of HTTP/1.0 may come without one. */
    public boolean isAllowed(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        if (authority == null) {
            return allowedHosts.isEmpty() && request.version() == HttpVersion.HTTP_1_0
                    && !request.headers().contains(HttpHeaders.HOST);
        }
        return isValid(authority)
                && (allowedHosts.isEmpty() || allowedHosts.contains(normalize(authority.host())));
    }

    /**
     * The relative address of the service at a path: {@code ../../} at {@code /datasets/1/}. The service may stand behind a path
     * prefix, so a page has relative links. At a path deeper than all addresses of the service, the result is {@code /}: a page
     * repeats it for each link, and an address of 16 KB of slashes would make a page of hundreds of kilobytes.
     */
    public static String root(String path) {
        int depth = (int) path.chars().filter(c -> c == '/').count() - 1;
        if (depth > MAX_DEPTH) {
            return "/";
        }
        return depth <= 0 ? "./" : "../".repeat(depth);
    }

    /**
     * Whether the host is a name or an address that a link may contain. RFC 3986 allows more characters in a host, such as
     * commas, and an empty port. No client needs these, and proxies read them differently.
     */
    private static boolean isValid(HostAndPort authority) {
        // Vert.x reads an empty port as 0, and a missing one as -1.
        int port = authority.port();
        String host = authority.host();
        return (port == -1 || port > 0 && port <= MAX_PORT) && host.length() <= MAX_HOST
                && (host.startsWith("[") ? isIpv6(host) : HOST.matcher(host).matches());
    }

    /** An address without a zone, which has a meaning only on the machine that sends it. */
    private static boolean isIpv6(String host) {
        return host.endsWith("]") && host.indexOf('%') < 0
                && NetUtil.isValidIpV6Address(host.substring(1, host.length() - 1));
    }

    private static String normalize(String host) {
        return host.strip().toLowerCase(Locale.ROOT);
    }

    /** 400 for a host that is missing, malformed or not allowed. */
    public static ApiException invalidHost() {
        return new ApiException(400, "Invalid Host header.");
    }

    /** The path of the configured URL, without a slash at its end. Clients have it before each path, and a proxy removes it. */
    public String prefix() {
        return prefix;
    }

    /**
     * The absolute URL of a path. It begins with the configured URL, or without one with the scheme and host of the request. The
     * platform has already applied the forwarded headers of a trusted proxy to the request.
     *
     * @throws ApiException
     *             400 if no URL is configured and the {@code Host} of the request is missing or malformed
     */
    public String of(String path, HttpServerRequest request) {
        if (configured != null) {
            return configured + path;
        }
        HostAndPort authority = request.authority();
        String host = authority == null || authority.host().isBlank() ? null : authority.toString();
        // The platform has checked the header Host, but not the host from a proxy.
        if (host == null || HostAndPort.parseAuthority(host, -1) == null) {
            throw invalidHost();
        }
        return request.scheme() + "://" + host + path;
    }
}
