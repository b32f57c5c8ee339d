package io.datasetlisting.openapi;

import static io.datasetlisting.support.Listing.encoded;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.support.Images;

/**
 * Generates requests for every operation of the OpenAPI document: first with good and bad values of one parameter,
 * header or field at a time, then with several random values at once.
 */
final class RequestGenerator {

    private static final List<String> METHODS = List.of("get", "head", "post", "put", "patch", "delete", "options");

    /** Broken encodings, which a query contains unencoded. */
    private static final List<String> BROKEN_ENCODINGS = List.of("%", "%zz", "%0", "%00", "%ff%fe", "%c3%28",
            "%ed%a0%80", "+", "{}|^`\\\"<>", "%2525", "=&&=", ";", "%E2%80%AE");
    private static final List<String> AUTHORIZATIONS = List.of("", "Token", "Token ", "Token a b", "Token wrong",
            "token wrong", "Basic b3BlcmF0b3I6eA==", "Bearer x", "Token \u00e9", "Token " + "x".repeat(4000));
    private static final List<String> ACCEPTS = List.of("", "*/*", "text/html", "application/*;q=0.1", "a", ";;,",
            "application/problem+json", "application/json, application/problem+json", "text/html, */*;q=0",
            "application/json;q=x", "x".repeat(4000));
    private static final List<String> CONTENT_TYPES = List.of("", "a", "text/plain", "application/xml",
            "multipart/form-data",
            "multipart/form-data; boundary=", "multipart/form-data; boundary=\"", "application/json; charset=utf-16",
            "application/x-ndjson;x", "APPLICATION/JSON", "\u00e9/\u00e9");
    private static final List<String> BROKEN_BODIES = List.of("", " ", "{", "[", "nul", "{\"a\":1}{}", "[]", "\"x\"",
            "1", "null", "{\"a\":}", "\0", "\ufeff{}", "{\"dataset_name\":\"\\ud800\"}", "\u00ff", "a=b&a=%zz&%00=%00",
            "--b\r\n", "--b\r\n\r\nx\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"\r\n\r\nx\r\n--b--\r\n",
            "[".repeat(2000), "{}\n{}\n\n{\"id\":1}\n");
    private static final String BOUNDARY = "b";
    /** Of the requests to an operation that behaves like another one, one in this number is sent. */
    private static final int SAMPLE = 8;
    /**
     * Of the pairs of a value that its schema does not name and a place for it, one in this number is sent. The values take
     * turns.
     */
    private static final int PAIRS = 5;
    private static final int TOO_LONG = 1 << 14;
    /** The HTTP server refuses a first line of more than 20,000 bytes before the service sees the request. */
    private static final int LONGEST_TARGET = 19_900;

    private final Document document = Document.OPEN;
    private final Values values = new Values(document);
    private final String token;
    private final Map<String, LongSupplier> ids;
    private final Consumer<Call> sink;
    private final List<Operation> operations = new ArrayList<>();
    private int pairs;

    /**
     * @param token
     *            of an admin
     * @param ids
     *            by the first part of a path: ids of objects that requests may change and delete
     */
    RequestGenerator(String token, Map<String, LongSupplier> ids, Consumer<Call> sink) {
        this.token = token;
        this.ids = ids;
        this.sink = sink;
    }

    /** @param named how many of the texts the schema names, before the other ones */
    private record Parameter(Document.Node node, String name, String in, List<String> texts, int named) {
    }

    private record Operation(String path, String method, Document.Node node, List<Parameter> parameters) {

        boolean isSampled() {
            return method.equals("head") || path.matches("/api/(search_\\w+|dataset_coords)/?")
                    || !path.startsWith("/api/")
                            && !path.matches("/stac/(search|collections/\\w+/items.*)|/datasets/.*");
        }
    }

    /** Generates the requests that vary one value at a time. */
    void generateSingleVariations() {
        Document.Node paths = document.get(document.root(), "paths");
        paths.value().fieldNames().forEachRemaining(path -> {
            Document.Node item = document.get(paths, path);
            for (String method : METHODS) {
                Document.Node node = document.get(item, method);
                if (!node.isThere()) {
                    sink.accept(call(path, method));
                    sink.accept(call(path, method).without("Authorization"));
                    continue;
                }
                List<Parameter> parameters = new ArrayList<>(parameters(item));
                parameters.addAll(parameters(node));
                Operation operation = new Operation(path, method, node, parameters);
                operations.add(operation);
                generateSingleVariations(operation);
            }
        });
    }

    /** Generates a number of requests that vary several values at once. */
    void generateRandomCombinations(int count, Random random) {
        for (int i = 0; i < count; i++) {
            Operation operation = operations.get(random.nextInt(operations.size()));
            Call call = good(operation);
            for (int n = random.nextInt(4); n >= 0 && !operation.parameters.isEmpty(); n--) {
                Parameter parameter = operation.parameters.get(random.nextInt(operation.parameters.size()));
                call = with(call, parameter, parameter.texts.get(random.nextInt(parameter.texts.size())));
            }
            if (random.nextInt(SAMPLE) == 0) {
                call = call.header("Accept", ACCEPTS.get(random.nextInt(ACCEPTS.size())));
            }
            if (call.target().length() <= LONGEST_TARGET) {
                sink.accept(call);
            }
        }
    }

    private List<Parameter> parameters(Document.Node holder) {
        List<Parameter> parameters = new ArrayList<>();
        Document.Node list = document.schema(holder, "parameters");
        for (int i = 0; i < list.value().size(); i++) {
            Document.Node node = document.item(list, i);
            List<String> texts = new ArrayList<>();
            texts.add(text(node.value().path("example")));
            values.of(document.schema(node, "schema")).forEach(value -> texts.add(text(value)));
            int named = texts.size();
            texts.addAll(Values.HOSTILE);
            if (node.value().path("in").textValue().equals("header")) {
                // No client sends control characters in a header.
                texts.removeIf(text -> text.chars().anyMatch(c -> c < ' ' || c == 0x7F));
            }
            parameters.add(new Parameter(node, node.value().path("name").textValue(),
                    node.value().path("in").textValue(), texts, named));
        }
        return parameters;
    }

    /**
     * Whether it is the turn of the next pair. {@link #PAIRS} divides no number of values, so that each place gets other values.
     */
    private boolean isItsTurn() {
        return pairs++ % PAIRS == 0;
    }

    /** The text of a value as a parameter; a list is separated by commas. */
    private static String text(JsonNode value) {
        return value.isArray()
                ? StreamSupport.stream(value.spliterator(), false).map(JsonNode::asText)
                        .collect(Collectors.joining(","))
                : value.asText();
    }

    private void generateSingleVariations(Operation operation) {
        Call good = good(operation);
        sink.accept(good);
        sink.accept(good(operation).without("Authorization"));
        sink.accept(good(operation).query("x=" + "x".repeat(TOO_LONG)));
        int number = 0;
        for (Parameter parameter : operation.parameters) {
            for (int i = 0; i < parameter.texts.size(); i++) {
                if (operation.isSampled() ? number++ % SAMPLE == 0 : i < parameter.named || isItsTurn()) {
                    sink.accept(with(good(operation), parameter, parameter.texts.get(i)));
                }
            }
            if (parameter.in.equals("query") && !operation.isSampled()) {
                String name = parameter.name;
                BROKEN_ENCODINGS.stream().filter(broken -> isItsTurn())
                        .forEach(broken -> sink.accept(good(operation).query(name + '=' + broken)));
                sink.accept(good(operation).query(name));
                sink.accept(with(with(good(operation), parameter, parameter.texts.get(0)), parameter, "x"));
                sink.accept(with(with(good(operation), parameter, ""), parameter, parameter.texts.get(0)));
            }
        }
        AUTHORIZATIONS.forEach(value -> sink.accept(good(operation).header("Authorization", value)));
        ACCEPTS.forEach(value -> sink.accept(good(operation).header("Accept", value)));
        Document.Node content = document.get(operation.node, "requestBody", "content");
        if (content.isThere()) {
            content.value().fieldNames().forEachRemaining(type -> bodies(operation, type, document.get(content, type)));
            CONTENT_TYPES.forEach(type -> sink.accept(good(operation).header("Content-Type", type)));
            sink.accept(good(operation).without("Content-Type"));
        }
    }

    private void bodies(Operation operation, String type, Document.Node content) {
        for (String broken : BROKEN_BODIES) {
            sink.accept(call(operation.path, operation.method).body(contentType(type),
                    broken.getBytes(StandardCharsets.UTF_8)));
        }
        sink.accept(call(operation.path, operation.method).body(contentType(type), new byte[]{(byte) 0xC3, 0x28}));
        if (type.startsWith("image/")) {
            for (String image : List.of("image/jpeg", "image/png", "image/webp")) {
                sink.accept(call(operation.path, operation.method).body(type, Images.of(image, 1000)));
            }
            sink.accept(call(operation.path, operation.method).body(type, new byte[6 << 20]));
            return;
        }
        Document.Node schema = schema(content);
        if (operation.path.equals("/api/account/")) {
            sink.accept(call(operation.path, operation.method).body(contentType(type), new byte[2 << 20]));
        }
        Document.Node properties = document.get(document.followed(schema), "properties");
        ObjectNode good = object(schema);
        for (Iterator<String> names = properties.value().fieldNames(); names.hasNext();) {
            String name = names.next();
            List<JsonNode> candidates = new ArrayList<>(values.of(document.schema(properties, name)));
            Values.strange().stream().filter(value -> isItsTurn()).forEach(candidates::add);
            for (JsonNode value : candidates) {
                sink.accept(call(operation.path, operation.method).body(contentType(type),
                        write(type, good.deepCopy().set(name, value))));
            }
            ObjectNode fewer = good.deepCopy();
            fewer.remove(name);
            sink.accept(call(operation.path, operation.method).body(contentType(type), write(type, fewer)));
        }
    }

    private Document.Node schema(Document.Node content) {
        return document.schema(content, content.value().has("x-itemSchema") ? "x-itemSchema" : "schema");
    }

    /** An object with the required properties. */
    private ObjectNode object(Document.Node schema) {
        Document.Node followed = document.followed(schema);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (JsonNode required : followed.value().path("required")) {
            String name = required.textValue();
            Document.Node property = document.schema(document.get(followed, "properties"), name);
            object.set(name, switch (name) {
                case "uav_uid" -> JsonNodeFactory.instance.textNode("420c0a79-91a9-5be9-895d-e363457fcec6");
                case "user" -> followed.value().path("required").size() > 2
                        ? JsonNodeFactory.instance.textNode("noaa 1000000")
                        : JsonNodeFactory.instance.numberNode(ids.get("account").getAsLong());
                case "id" -> JsonNodeFactory.instance.numberNode(1_000_000);
                case "username" -> JsonNodeFactory.instance.textNode("generated");
                default -> values.of(property).get(0);
            });
        }
        return object;
    }

    private static String contentType(String type) {
        return type.startsWith("multipart/") ? type + "; boundary=" + BOUNDARY : type;
    }

    private static byte[] write(String type, ObjectNode object) {
        String text = switch (type) {
            case "application/x-www-form-urlencoded" ->
                fields(object, (name, value) -> name + '=' + encoded(value), "&");
            case "multipart/form-data" ->
                fields(object, (name, value) -> "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name
                        + "\"\r\n\r\n" + value + "\r\n", "") + "--" + BOUNDARY + "--\r\n";
            default -> object.toString() + '\n';
        };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String fields(ObjectNode object, BinaryOperator<String> field, String between) {
        return object.properties().stream()
                .map(entry -> field.apply(entry.getKey(), entry.getValue().isContainerNode()
                        ? entry.getValue().toString()
                        : entry.getValue().asText()))
                .collect(Collectors.joining(between));
    }

    private Call with(Call call, Parameter parameter, String text) {
        return switch (parameter.in) {
            case "query" -> call.query(encoded(parameter.name) + '=' + encoded(text));
            case "header" -> call.header(parameter.name, text);
            // The id is after the third slash, or at the end.
            default -> new Call(call.method(),
                    call.target().replaceFirst(parameter.name.equals("workspace")
                            ? "(/workspace-)[^/?]*"
                            : "(/api/\\w+/|/items/|^/datasets/)[^/?]*", "$1" + encoded(text)),
                    call.headers(), call.body());
        };
    }

    private Call call(String path, String method) {
        String kind = path.startsWith("/api/") ? path.replaceFirst("/api/(\\w+).*", "$1") : "dataset";
        String target = path.contains("{id}") ? path.replace("{id}", Long.toString(ids.get(kind).getAsLong())) : path;
        return new Call(method.toUpperCase(Locale.ROOT),
                target.replace("{product}", "ortho").replace("{workspace}", "1").replace("{version}",
                        "20261129T131502Z-1a2b3c4d"),
                Map.of("Authorization", "Token " + token),
                new byte[0]);
    }

    /** A valid request, with a valid body if the operation has one. */
    private Call good(Operation operation) {
        Call call = call(operation.path, operation.method);
        Document.Node content = document.get(operation.node, "requestBody", "content");
        if (!content.isThere()) {
            return call;
        }
        String type = content.value().fieldNames().next();
        return type.startsWith("image/")
                ? call.body(type, Images.of(type, 1000))
                : call.body(type, write(type, object(schema(document.get(content, type)))));
    }
}
