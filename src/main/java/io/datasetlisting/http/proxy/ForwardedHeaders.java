package io.datasetlisting.http.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.http.PublicUrl;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.common.net.CidrAddress;
import io.smallrye.common.net.Inet;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;

/**
 * Reads the address of the client, the scheme and the host from the headers of proxies. Each proxy adds to the right of a
 * header, so only the right-most entries are the proxies' own: the client is the right-most address that is not a trusted
 * proxy. Entries further left are what the client has written.
 *
 * <p>
 * The router's own reader takes the left-most entry, and fails at some malformed ones. So this class replaces the headers by
 * at most one valid entry each before anything reads them.
 */
@Singleton
public class ForwardedHeaders {

    private static final String FOR = "X-Forwarded-For";
    private static final String PROTO = "X-Forwarded-Proto";
    private static final String HOST = "X-Forwarded-Host";
    private static final String PORT = "X-Forwarded-Port";
    private static final String FORWARDED = "Forwarded";
    private static final List<String> ALL = List.of(FOR, PROTO, HOST, PORT, "X-Forwarded-Ssl", FORWARDED);

    private static final int MAX_PORT = 65_535;
    /** More than any chain of proxies has. */
    private static final int MAX_HOPS = 32;
    private static final Pattern ADDRESS = Pattern
            .compile("\\[(?<v6>[0-9A-Fa-f:.]+)](?::\\d{1,5})?|(?<v4>[0-9.]+)(?::\\d{1,5})?|(?<bare>[0-9A-Fa-f:.]+)");

    private final boolean enabled;
    private final boolean hostEnabled;
    private final boolean standard;
    private final List<CidrAddress> trusted;

    ForwardedHeaders(@ConfigProperty(name = ForwardingKey.NAME) boolean enabled,
            @ConfigProperty(name = "quarkus.http.proxy.enable-forwarded-host") boolean hostEnabled,
            @ConfigProperty(name = "quarkus.http.proxy.allow-forwarded") boolean standard,
            @ConfigProperty(name = "quarkus.http.proxy.trusted-proxies") Optional<List<String>> trusted) {
        this.enabled = enabled;
        this.hostEnabled = hostEnabled;
        this.standard = standard;
        this.trusted = trusted.orElse(List.of()).stream().map(ForwardedHeaders::network).toList();
        if (enabled && this.trusted.isEmpty()) {
            throw new ConfigurationException(ForwardingKey.PLATFORM_NAME + " needs quarkus.http.proxy.trusted-proxies:"
                    + " without it every client could forge the addresses in the links");
        }
    }

    private static CidrAddress network(String text) {
        String stripped = text.strip();
        InetAddress address = Inet.parseInetAddress(stripped);
        CidrAddress network = address == null
                ? Inet.parseCidrAddress(stripped)
                : CidrAddress.create(address, address.getAddress().length * Byte.SIZE);
        if (network == null) {
            throw new ConfigurationException(
                    "quarkus.http.proxy.trusted-proxies must be addresses and networks such as 10.0.0.0/8, not "
                            + text);
        }
        return network;
    }

    /** Whether forwarded headers count at all. */
    public boolean areEnabled() {
        return enabled;
    }

    /** Handler that reads the headers. Those of a client that is no trusted proxy do not count. */
    public void read(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (enabled) {
            SocketAddress peer = request.connection().remoteAddress();
            InetAddress address = peer == null || peer.hostAddress() == null
                    ? null
                    : Inet.parseInetAddress(peer.hostAddress());
            MultiMap headers = request.headers();
            Origin origin = isTrusted(address) ? standard ? ofForwarded(headers) : ofXForwarded(headers) : Origin.NONE;
            ALL.forEach(headers::remove);
            apply(origin, request);
            if (origin.host != null && HostAndPort.parseAuthority(origin.host, -1) == null) {
                context.fail(PublicUrl.invalidHost());
                return;
            }
        }
        context.next();
    }

    private boolean isTrusted(InetAddress address) {
        return address != null && trusted.stream().anyMatch(network -> network.matches(address));
    }

    /**
     * What the proxies say of a request. A value that is missing or malformed is null.
     *
     * @param scheme
     *            http or https
     * @param port
     *            -1 if the proxies name none
     */
    record Origin(String client, String scheme, String host, int port) {

        static final Origin NONE = new Origin(null, null, null, -1);
    }

    /** Writes the values as the router reads them. A host keeps its port unless the proxies name another one. */
    private static void apply(Origin origin, HttpServerRequest request) {
        MultiMap headers = request.headers();
        if (origin.client != null) {
            headers.set(FOR, origin.client);
        }
        if (origin.scheme != null) {
            headers.set(PROTO, origin.scheme);
        }
        HostAndPort host = origin.host == null ? hostOf(request) : HostAndPort.parseAuthority(origin.host, -1);
        if (host != null && (origin.host != null || origin.scheme != null || origin.port > 0)) {
            int port = origin.port > 0 ? origin.port : host.port();
            String scheme = origin.scheme == null ? request.connection().isSsl() ? "https" : "http" : origin.scheme;
            boolean isDefault = port == -1 || port == (scheme.equals("https") ? 443 : 80);
            headers.set(HOST, host.host() + (isDefault ? "" : ":" + port));
        }
    }

    /** The host as the client has named it. The router's own method would read the forwarded headers, and keep the result. */
    private static HostAndPort hostOf(HttpServerRequest request) {
        HostAndPort ofHttp2 = request.authority(true);
        String header = request.getHeader(HttpHeaders.HOST);
        return ofHttp2 != null || header == null ? ofHttp2 : HostAndPort.parseAuthority(header, -1);
    }

    Origin ofXForwarded(MultiMap headers) {
        List<String> clients = entries(headers, FOR);
        List<InetAddress> chain = new ArrayList<>();
        for (int i = clients.size() - 1; i >= 0 && continues(chain); i--) {
            chain.add(address(clients.get(i)));
        }
        int hops = Math.max(1, chain.size());
        return new Origin(client(chain), scheme(entry(headers, PROTO, hops)),
                hostEnabled ? entry(headers, HOST, hops) : null, port(entry(headers, PORT, hops)));
    }

    Origin ofForwarded(MultiMap headers) {
        List<String> elements = entries(headers, FORWARDED);
        List<InetAddress> chain = new ArrayList<>();
        String last = "";
        for (int i = elements.size() - 1; i >= 0 && continues(chain); i--) {
            last = elements.get(i);
            chain.add(address(parameter(last, "for")));
        }
        return new Origin(client(chain), scheme(parameter(last, "proto")),
                hostEnabled ? parameter(last, "host") : null, -1);
    }

    /** Whether the last address is a proxy that has added its own entry, so that the entry left of it counts, too. */
    private boolean continues(List<InetAddress> chain) {
        return chain.isEmpty() || chain.size() < MAX_HOPS && isTrusted(chain.get(chain.size() - 1));
    }

    /** The last address that is known: before a malformed entry it is the address of a proxy. */
    private static String client(List<InetAddress> chain) {
        for (int i = chain.size() - 1; i >= 0; i--) {
            if (chain.get(i) != null) {
                return chain.get(i).getHostAddress();
            }
        }
        return null;
    }

    /** All entries of a header from left to right, empty ones included: each proxy counts. */
    private static List<String> entries(MultiMap headers, String name) {
        List<String> lines = headers.getAll(name);
        return lines.isEmpty() ? List.of() : split(String.join(",", lines), ',');
    }

    /** Splits a text at a character outside of quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean isQuoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            isQuoted ^= next == '"';
            if (next == separator && !isQuoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    /** The entry of the proxy that has named the client, or the left-most one if fewer proxies add entries. */
    private static String entry(MultiMap headers, String name, int hops) {
        List<String> entries = entries(headers, name);
        return entries.isEmpty() ? null : entries.get(Math.max(0, entries.size() - hops)).strip();
    }

    private static String parameter(String element, String name) {
        for (String pair : split(element, ';')) {
            String[] parts = pair.strip().split("=", 2);
            if (parts.length == 2 && parts[0].equalsIgnoreCase(name)) {
                String value = parts[1];
                return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                        ? value.substring(1, value.length() - 1)
                        : value;
            }
        }
        return null;
    }

    private static InetAddress address(String text) {
        Matcher matcher = ADDRESS.matcher(text == null ? "" : text.strip());
        if (!matcher.matches()) {
            return null;
        }
        InetAddress address = matcher.group("v4") != null
                ? Inet.parseInet4Address(matcher.group("v4"))
                : Inet.parseInet6Address(matcher.group("v6") == null ? matcher.group("bare") : matcher.group("v6"));
        try {
            // Without a zone, and as an IPv4 address if it is one in the form of IPv6.
            return address == null ? null : InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    private static String scheme(String text) {
        String scheme = text == null ? "" : text.toLowerCase(Locale.ROOT);
        return scheme.equals("http") || scheme.equals("https") ? scheme : null;
    }

    private static int port(String text) {
        int port = text != null && text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
        return port > 0 && port <= MAX_PORT ? port : -1;
    }
}
