package io.datasetlisting.http;

import io.netty.util.NetUtil;
import io.vertx.core.net.HostAndPort;

/**
 * Checks that the host of a request is a name or an address that a link may contain. RFC 3986 allows more characters in a host, such as
 * commas, and an empty port. No client needs these, and proxies read them differently.
 */
final class HostSyntax {

    /** The longest name of the domain name system. */
    private static final int MAX_LENGTH = 255;
    private static final int MAX_PORT = 65_535;

    private HostSyntax() {
    }

    static boolean isValid(HostAndPort authority) {
        // Vert.x reads an empty port as 0, and a missing one as -1.
        int port = authority.port();
        return (port == -1 || port > 0 && port <= MAX_PORT) && isValid(authority.host());
    }

    private static boolean isValid(String host) {
        if (host.isEmpty() || host.length() > MAX_LENGTH) {
            return false;
        }
        return host.charAt(0) == '[' ? isIpv6(host) : host.chars().allMatch(HostSyntax::isOfName);
    }

    /** An address without a zone, which has a meaning only on the machine that sends it. */
    private static boolean isIpv6(String host) {
        return host.endsWith("]") && host.indexOf('%') < 0
                && NetUtil.isValidIpV6Address(host.substring(1, host.length() - 1));
    }

    private static boolean isOfName(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_'
                || c == '~';
    }
}
