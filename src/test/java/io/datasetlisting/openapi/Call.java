package io.datasetlisting.openapi;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A generated request, which is sent unchanged.
 *
 * @param target
 *            path and query; some tests send them unencoded on purpose
 * @param headers
 *            without the headers of the connection
 */
record Call(String method, String target, Map<String, String> headers, byte[] body) {

    Call {
        headers = new TreeMap<>(headers);
    }

    Call query(String query) {
        return new Call(method, target + (target.contains("?") ? '&' : '?') + query, headers, body);
    }

    Call header(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Call(method, target, more, body);
    }

    Call without(String header) {
        Map<String, String> fewer = new TreeMap<>(headers);
        fewer.remove(header);
        return new Call(method, target, fewer, body);
    }

    Call body(String type, byte[] bytes) {
        Call call = header("Content-Type", type);
        return new Call(method, target, call.headers, bytes);
    }

    Exchange answered(int status, Map<String, List<String>> answer, byte[] bytes) {
        Map<String, List<String>> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> sent.put(name, List.of(value)));
        return new Exchange(method, target, sent, status, Exchange.anyCase(answer), bytes);
    }
}
