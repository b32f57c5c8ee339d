package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Exports and imports catalogues as a client does. */
public final class Bulk {

    public static final String NDJSON = "application/x-ndjson";

    private Bulk() {
    }

    public static Response export(Caller caller, String query) {
        return caller.request().header("Accept", NDJSON).get(Listing.PATH + query);
    }

    /** The lines of an export that must succeed. */
    public static List<String> exported(Caller caller, String query) {
        Response response = export(caller, query);
        assertEquals(200, response.statusCode(), response::asString);
        return lines(response);
    }

    /** The ids of an export that must succeed, in its order. */
    public static List<Long> exportedIds(Caller caller, String query) {
        return exported(caller, query).stream().map(line -> new JsonObject(line).getLong("id")).toList();
    }

    private static List<String> lines(Response response) {
        String body = new String(response.asByteArray(), StandardCharsets.UTF_8);
        assertTrue(body.isEmpty() || body.endsWith("\n"), "the last line does not end with a line feed");
        return body.lines().toList();
    }

    public static Response send(Caller caller, byte[] lines) {
        return caller.send("POST", Listing.PATH, NDJSON, lines);
    }

    public static byte[] gzip(String text) throws IOException {
        return gzip(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        }
        return bytes.toByteArray();
    }

    /** The outcome in the last line of an import's response. */
    public static Outcome importAs(Caller caller, byte[] lines) {
        Response response = send(caller, lines);
        assertEquals(200, response.statusCode(), response::asString);
        return Outcome.of(String.join("\n", lines(response)));
    }

    public static Outcome importAll(String lines) {
        return importAs(Caller.admin(), lines.getBytes(StandardCharsets.UTF_8));
    }

    public static Outcome importAll(JsonObject... lines) {
        return importAll(body(Stream.of(lines)));
    }

    /** One line for each object. */
    public static String body(Stream<JsonObject> lines) {
        return lines.map(line -> line.encode() + '\n').collect(Collectors.joining());
    }

    /** A short valid line. */
    public static JsonObject line(long id) {
        return new JsonObject().put("id", id)
                .put("uav_uid", new UUID(0x4000, id).toString())
                .put("user", Catalogue.OWNER.username() + ' ' + Catalogue.OWNER.id())
                .put("workspace", 70)
                .put("captured_date", "2021-03-04T05:06:07Z")
                .put("coordinates", new JsonArray().add(1.0).add(2.0));
    }

    /**
     * The outcome of an import.
     *
     * @param refusals
     *            the reasons as JSON text, by line
     */
    public record Outcome(long created, long replaced, long refused, Map<Integer, String> refusals) {

        /** The outcome in the last of some lines. */
        public static Outcome of(String lines) {
            JsonObject counts = new JsonObject(lines.lines().reduce((line, next) -> next).orElseThrow());
            Map<Integer, String> refusals = new LinkedHashMap<>();
            for (Object refusal : counts.getJsonArray("refusals")) {
                JsonObject one = (JsonObject) refusal;
                assertEquals(List.of("line", "reason"), List.copyOf(one.fieldNames()));
                refusals.put(one.getInteger("line"), one.getJsonObject("reason").encode());
            }
            return new Outcome(counts.getLong("created"), counts.getLong("replaced"), counts.getLong("refused"),
                    refusals);
        }

        public static Outcome without(Map<Integer, String> refusals, long created, long replaced) {
            return new Outcome(created, replaced, refusals.size(), refusals);
        }

        /** The outcome of an import that refuses no line. */
        public static Outcome of(long created, long replaced) {
            return new Outcome(created, replaced, 0, Map.of());
        }
    }
}
