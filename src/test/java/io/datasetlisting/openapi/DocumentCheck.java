package io.datasetlisting.openapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.support.StacSchemas;

/** Compares a response with the OpenAPI document: status, headers, media type and body. */
public final class DocumentCheck {

    private static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    /** Headers that the document describes for all responses, and headers of the connection. */
    private static final Set<String> FREE_HEADERS = headers("Content-Type", "Content-Length", "Content-Encoding",
            "Date", "Connection", "Transfer-Encoding", "Keep-Alive", ":status", "X-Request-Id",
            "X-Content-Type-Options",
            "Content-Security-Policy", "Content-Language");

    /** The statuses that refuse an unsupported method, and the responses that describe these statuses. */
    private static final Map<String, String> NO_SUCH_METHOD = Map.of("400", "Invalid", "401", "Unauthenticated", "403",
            "Forbidden", "405", "MethodNotAllowed", "406", "NotAcceptable", "414", "AddressTooLong", "429", "TooMany");

    /** The same for an unknown address. */
    private static final Map<String, String> NO_SUCH_ADDRESS = Map.of("400", "Invalid", "403", "Forbidden", "404",
            "NotFound", "414", "AddressTooLong", "429", "TooMany");

    private final Exchange exchange;
    private final boolean isStac;
    private final boolean isWhole;
    /** A longer address is answered in place of a redirect. */
    private static final int MAX_REDIRECT = 2_900;

    private final Document document;
    private final List<String> violations = new ArrayList<>();

    private DocumentCheck(Exchange exchange) {
        this.exchange = exchange;
        isStac = Endpoints.isStac(exchange.path().replaceAll("/{2,}", "/"));
        // The body of a search may have the member "fields".
        isWhole = QueryString.parse(exchange.query()).get("fields") == null
                && !(isStac && exchange.method().equals("POST"));
        document = isWhole ? Document.WHOLE : Document.OPEN;
    }

    private static Set<String> headers(String... names) {
        Set<String> headers = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        headers.addAll(Arrays.asList(names));
        return headers;
    }

    /** @throws AssertionError if the document does not describe the response */
    public static void check(Exchange exchange) {
        List<String> violations = violations(exchange);
        if (!violations.isEmpty()) {
            throw new AssertionError(
                    "The response does not match src/main/openapi:\n  " + String.join("\n  ", violations)
                            + "\nin " + exchange);
        }
    }

    static List<String> violations(Exchange exchange) {
        DocumentCheck check = new DocumentCheck(exchange);
        if (!exchange.path().matches("/q(/.*)?") && !exchange.isPreflight()) {
            check.run();
        }
        return check.violations;
    }

    private void run() {
        Document.Node response = response();
        if (!response.isThere()) {
            violations.add("status " + exchange.status() + " is not documented");
            return;
        }
        if (isStac && exchange.status() < 400) {
            checkParameters();
        }
        checkHeaders(document.get(response, "headers"));
        checkContent(document.get(response, "content"));
    }

    /** An address under {@code /stac} accepts only the parameters that the document describes. */
    private void checkParameters() {
        Document.Node parameters = document.get(document.pathItem(exchange.path().replaceAll("/{2,}", "/")),
                exchange.method().toLowerCase(Locale.ROOT), "parameters");
        Set<String> known = new TreeSet<>();
        for (int i = 0; i < parameters.value().size(); i++) {
            known.add(document.item(parameters, i).value().path("name").textValue());
        }
        QueryString.parse(exchange.query()).forEach((name, value) -> {
            if (!known.contains(name) && !exchange.method().equals("OPTIONS")) {
                violations.add("the parameter " + name + " is not documented");
            }
        });
    }

    private Document.Node response() {
        String status = Integer.toString(exchange.status());
        String method = exchange.method().toLowerCase(Locale.ROOT);
        // The service merges repeated slashes.
        String path = exchange.path().replaceAll("/{2,}", "/");
        Document.Node item = document.pathItem(path);
        boolean isRead = method.equals("get") || method.equals("head");
        boolean isTooLong = exchange.status() != 301 && exchange.target().length() >= MAX_REDIRECT;
        if (item.isThere() && (!isRead || isTooLong) && !path.endsWith("/") && !item.value().has("options")) {
            // By the document, the service answers as if the slash were there.
            item = document.pathItem(path + '/');
        }
        // An address with matrix parameters is unknown.
        if (!item.isThere() || path.toLowerCase(Locale.ROOT).matches(".*(;|%3b).*")) {
            return error(NO_SUCH_ADDRESS.get(status));
        }
        Document.Node operation = document.get(item, method);
        // The document does not list the files of the pages.
        if (!operation.isThere() && status.equals("404") && path.matches("/(assets|stac/api)/.*")) {
            return error("NotFound");
        }
        return operation.isThere()
                ? document.get(operation, "responses", status)
                : error(NO_SUCH_METHOD.get(status));
    }

    /** Errors under {@code /stac} are exceptions of OGC API. The errors of pages are pages. */
    private Document.Node error(String name) {
        boolean isPage = !isStac && !exchange.path().matches("/(api|tiles)/.*");
        return document.component("responses",
                isStac ? "Stac" + name : isPage && name != null ? "PageError" : "" + name);
    }

    private void checkHeaders(Document.Node documented) {
        Set<String> unknown = headers(exchange.headers().keySet().toArray(String[]::new));
        unknown.removeAll(FREE_HEADERS);
        unknown.removeIf(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-"));
        if (exchange.status() >= 400) {
            unknown.remove("Cache-Control");
        }
        documented.value().fieldNames().forEachRemaining(name -> {
            unknown.remove(name);
            Document.Node header = document.get(documented, name);
            String value = exchange.header(name);
            if (value != null) {
                add("header " + name, document.errors(document.schema(header, "schema"), new TextNode(value)));
            } else if (header.value().path("required").booleanValue()) {
                violations.add("header " + name + " is missing");
            }
        });
        unknown.forEach(name -> violations.add("header " + name + " is not documented"));
    }

    private void checkContent(Document.Node documented) {
        String type = exchange.header("Content-Type");
        boolean head = exchange.method().equals("HEAD");
        if (exchange.body().length > 0 && (head || !documented.isThere())) {
            violations.add("the body is not documented");
        }
        boolean isLeftOut = exchange.body().length == 0
                && ("" + exchange.header("Preference-Applied")).contains("return=minimal");
        if (!documented.isThere() || isLeftOut) {
            return;
        }
        // The document has media types without parameters.
        Document.Node content = document.get(documented,
                type == null ? "none" : type.replaceFirst("^(text/.*); charset=utf-8$", "$1"));
        if (!content.isThere()) {
            violations.add("media type " + type + " is not documented");
        } else if (!head) {
            checkBody(type, content);
        }
    }

    private void checkBody(String type, Document.Node content) {
        Document.Node schema = document.schema(content, "schema");
        String text = exchange.text();
        if (type.endsWith("json") && !type.endsWith("ndjson") || type.equals(MediaTypes.OPENAPI_3_0)) {
            checkJson(schema, text);
            return;
        }
        add("body", document.errors(schema, new TextNode(text)));
        if (type.endsWith("ndjson")) {
            if (!text.isEmpty() && !text.endsWith("\n")) {
                violations.add("the last line does not end with a line feed");
            }
            Document.Node item = document.schema(content, "x-itemSchema");
            text.lines().takeWhile(line -> violations.isEmpty()).forEach(line -> checkJson(item, line));
        }
    }

    private void checkJson(Document.Node schema, String text) {
        try {
            JsonNode json = JSON.readTree(text);
            add("body", document.errors(schema, json));
            if (isStac && !exchange.header("Content-Type").equals(MediaTypes.PROBLEM_JSON)) {
                violations.addAll(StacSchemas.errors(exchange.path(), exchange.status(), text, isWhole));
            }
        } catch (JsonProcessingException e) {
            violations.add("the body is not JSON: " + e.getOriginalMessage());
        }
    }

    private void add(String what, String errors) {
        if (!errors.isEmpty()) {
            violations.add(what + ": " + errors);
        }
    }
}
