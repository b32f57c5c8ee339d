package io.datasetlisting.openapi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * A request and its response, independent of the client.
 *
 * @param target
 *            path and query as sent
 * @param body
 *            of the response; empty if there is none
 */
public record Exchange(String method, String target, Map<String, List<String>> requestHeaders, int status,
        Map<String, List<String>> headers, byte[] body) {

    private static final int SHOWN = 500;

    /** The exchange of a request of the JDK's client. */
    public static Exchange of(HttpResponse<?> answer, byte[] body) {
        var uri = answer.request().uri();
        return new Exchange(answer.request().method(),
                uri.getRawPath() + (uri.getRawQuery() == null ? "" : '?' + uri.getRawQuery()),
                anyCase(answer.request().headers().map()), answer.statusCode(), anyCase(answer.headers().map()), body);
    }

    /** Headers with case-insensitive names. */
    static Map<String, List<String>> anyCase(Map<String, List<String>> headers) {
        Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        return anyCase;
    }

    String path() {
        return target.split("\\?", 2)[0];
    }

    String query() {
        return target.substring(Math.min(path().length() + 1, target.length()));
    }

    /** The value of a response header, or null. */
    String header(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : String.join(", ", values);
    }

    /** Whether the request is a preflight of a browser, which the platform answers. */
    boolean isPreflight() {
        return method.equals("OPTIONS") && requestHeaders.containsKey("Access-Control-Request-Method");
    }

    String text() {
        return new String(unpacked(), StandardCharsets.UTF_8);
    }

    private byte[] unpacked() {
        if (body.length == 0 || !"gzip".equals(header("Content-Encoding"))) {
            return body;
        }
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return unpacked.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        String text = text();
        String asked = target.length() > SHOWN ? target.substring(0, SHOWN) + "…" : target;
        return method + ' ' + asked + " -> " + status + ' ' + headers + ' '
                + (text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
    }
}
