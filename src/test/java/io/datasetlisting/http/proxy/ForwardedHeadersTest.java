package io.datasetlisting.http.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.http.proxy.ForwardedHeaders.Origin;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.MultiMap;

/** Tests what counts in the headers of proxies. The networks 10.0.0.0/8 and 2001:db8::/32 are trusted. */
class ForwardedHeadersTest {

    private final ForwardedHeaders headers = reader("10.0.0.0/8", "192.0.2.7", "2001:db8::/32");

    private static ForwardedHeaders reader(String... trusted) {
        return new ForwardedHeaders(true, true, false, Optional.of(List.of(trusted)));
    }

    private static MultiMap of(String... lines) {
        MultiMap map = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < lines.length; i += 2) {
            map.add(lines[i], lines[i + 1]);
        }
        return map;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"203.0.113.1 | 203.0.113.1", "198.51.100.9, 203.0.113.1 | 203.0.113.1",
            "203.0.113.1, 10.1.2.3 | 203.0.113.1", "198.51.100.9, 203.0.113.1, 192.0.2.7, 10.1.2.3 | 203.0.113.1",
            "10.1.2.3 | 10.1.2.3", "10.9.9.9, 10.1.2.3 | 10.9.9.9", "203.0.113.1:4711 | 203.0.113.1",
            "[2a00::1]:4711 | 2a00:0:0:0:0:0:0:1", "2a00::1 | 2a00:0:0:0:0:0:0:1",
            "203.0.113.1, 2001:db8::5 | 203.0.113.1", "::ffff:203.0.113.1 | 203.0.113.1", "a, 10.1.2.3 | 10.1.2.3",
            ", 10.1.2.3 | 10.1.2.3", "203.0.113.1, 198.51.100.9, 10.1.2.3 | 198.51.100.9"})
    void theClientIsTheRightMostAddressThatIsNoTrustedProxy(String header, String client) {
        assertEquals(client, headers.ofXForwarded(of("X-Forwarded-For", header)).client());
        String standard = Stream.of(header.split(",")).map(each -> "for=\"" + each.strip() + '"')
                .collect(Collectors.joining(","));
        assertEquals(client, headers.ofForwarded(of("Forwarded", standard)).client());
    }

    @ParameterizedTest
    @ValueSource(strings = {":1", ",", "203.0.113.1,", "203.0.113.1, ", "", " ", "unknown", "_hidden", "[", "[]",
            "[::1", "::1]",
            "1.2.3", "300.1.1.1", "1.2.3.4:", "1.2.3.4:999999", "1.2.3.4:x", "localhost", "1.2.3.4 5.6.7.8", "\"",
            "0x7f.1",
            "fe80::1%eth0", "\u0661.2.3.4", "a:b:c", ":::", "1.2.3.4;", "for=1.2.3.4"})
    void aMalformedEntryIsNoClient(String last) {
        assertNull(headers.ofXForwarded(of("X-Forwarded-For", last)).client());
        assertNull(headers.ofXForwarded(of("X-Forwarded-For", "203.0.113.1", "X-Forwarded-For", last)).client());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", ";", "for", "for=", "for=\"", "for=\"[\"", "for=unknown", "for=_x", "=", "==",
            "for=1.2.3",
            "for=;proto=;host=", "by=1.2.3.4", "proto=javascript", "for=\"1.2.3.4", "f\u00f6r=1.2.3.4"})
    void aMalformedStandardHeaderSaysNothing(String header) {
        Origin origin = headers.ofForwarded(of("Forwarded", header));
        assertNull(origin.client());
        assertNull(origin.scheme());
    }

    @ParameterizedTest
    @ValueSource(strings = {"javascript", "", "ftp", "https:", "https://", "http, javascript", "\"https\""})
    void onlyHttpAndHttpsAreSchemes(String scheme) {
        assertNull(headers.ofXForwarded(of("X-Forwarded-For", "203.0.113.1", "X-Forwarded-Proto", scheme)).scheme());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "65536", "x", "", "8443x", " "})
    void otherNumbersAreNoPorts(String port) {
        assertEquals(-1, headers.ofXForwarded(of("X-Forwarded-Port", port)).port());
    }

    /** The proxies add to each header, so the entry of the proxy that has named the client stands as far from the right. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"203.0.113.1 | ftp, https", "203.0.113.1, 10.1.2.3 | ftp, https, http",
            "203.0.113.1, 10.1.2.3 | https"})
    void theEntryOfTheProxyThatHasNamedTheClientCounts(String clients, String schemes) {
        assertEquals("https",
                headers.ofXForwarded(of("X-Forwarded-For", clients, "X-Forwarded-Proto", schemes)).scheme());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "for=198.51.100.9;host=evil;proto=http, for=203.0.113.1;host=\"a.example:8443\";proto=https",
            "for=1.1.1.1;host=evil, For=203.0.113.1;Host=\"a.example:8443\";PROTO=HTTPS, for=10.1.2.3;host=inner;proto=http"})
    void theStandardHeaderNamesSchemeAndHost(String header) {
        assertEquals(new Origin("203.0.113.1", "https", "a.example:8443", -1),
                headers.ofForwarded(of("Forwarded", header)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.example.org", "10.0.0.0/99", "", "10.0.0", "*"})
    void aTrustedProxyIsAnAddressOrANetwork(String text) {
        assertThrows(ConfigurationException.class, () -> reader(text));
    }
}
