package io.datasetlisting.faces.transaction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.vertx.core.http.HttpServerRequest;

/**
 * The preferences of a write, from the header {@code Prefer}. Unknown preferences and values have no effect.
 *
 * @param isStrict
 *            {@code handling=strict}: a write that would lose a part of its body is refused
 * @param isMinimal
 *            {@code return=minimal}: the response has no body
 * @param applied
 *            the value of {@code Preference-Applied}; null if the request has no known preference
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7240">RFC 7240</a>
 */
record Preferences(boolean isStrict, boolean isMinimal, String applied) {

    public static final String APPLIED = "Preference-Applied";

    private static final Map<String, List<String>> KNOWN = Map.of("handling", List.of("strict", "lenient"),
            "return", List.of("minimal", "representation"));

    public static Preferences of(HttpServerRequest request) {
        Map<String, String> chosen = new LinkedHashMap<>();
        for (String preference : String.join(",", request.headers().getAll("Prefer")).split(",")) {
            String[] parts = preference.split(";", 2)[0].split("=", 2);
            String name = parts[0].strip().toLowerCase(Locale.ROOT);
            String value = parts.length == 1 ? "" : parts[1].strip().replace("\"", "");
            if (KNOWN.getOrDefault(name, List.of()).contains(value)) {
                // The first of a repeated preference counts.
                chosen.putIfAbsent(name, value);
            }
        }
        List<String> applied = new ArrayList<>();
        chosen.forEach((name, value) -> applied.add(name + '=' + value));
        return new Preferences("strict".equals(chosen.get("handling")), "minimal".equals(chosen.get("return")),
                applied.isEmpty() ? null : String.join(", ", applied));
    }
}
