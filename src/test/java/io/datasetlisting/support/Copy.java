package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A copy of the catalogue, as a client keeps it: it follows the changes, and computes its digest. */
public final class Copy {

    public static final String CHANGES = Listing.PATH + "changes/";
    private static final int BLOCK = 4096;
    /** Also the status of a service that does not answer. */
    private static final int AWAY = 503;

    private final String filter;
    public final TreeMap<Long, String> revisions = new TreeMap<>();
    public final TreeMap<Long, JsonObject> datasets = new TreeMap<>();
    public String since;
    public int resets;
    private Function<String, Answer> reader;

    private Copy(Function<String, Answer> reader, String filter) {
        this.reader = reader;
        this.filter = filter;
    }

    /** The answer of the service to a path. */
    public record Answer(int status, String body) {

        public JsonObject json() {
            assertEquals(200, status, body);
            return new JsonObject(body);
        }
    }

    /**
     * @param filter
     *            parameters, or an empty text
     */
    public static Copy of(Caller caller, String filter) {
        return new Copy(path -> {
            Response response = caller.get(path);
            return new Answer(response.statusCode(), response.asString());
        }, filter);
    }

    /**
     * A copy of what the caller of a service sees.
     *
     * @param filter
     *            parameters, or an empty text
     */
    public static Copy of(Api api, String filter) {
        return new Copy(reader(api), filter);
    }

    private static Function<String, Answer> reader(Api api) {
        return path -> {
            try {
                HttpResponse<String> response = api.get(path);
                return new Answer(response.statusCode(), response.body());
            } catch (CompletionException e) {
                return new Answer(AWAY, e.getMessage());
            }
        };
    }

    /** Follows another service from the same position on. */
    public void moveTo(Api api) {
        reader = reader(api);
    }

    /** Reads one page, unless the service is away. The result says whether there are more. */
    public boolean step(int limit, int wait) {
        Answer answer = reader.apply(CHANGES + "?limit=" + limit + (wait > 0 ? "&wait=" + wait : "")
                + (since == null ? "" : "&since=" + since) + (filter.isEmpty() ? "" : "&" + filter));
        if (answer.status == 410) {
            revisions.clear();
            datasets.clear();
            since = null;
            resets++;
            return true;
        }
        if (answer.status == AWAY) {
            return false;
        }
        JsonObject page = answer.json();
        apply(page.getJsonArray("changes"));
        since = page.getString("next");
        return page.getBoolean("more");
    }

    public void apply(JsonArray changes) {
        for (int i = 0; i < changes.size(); i++) {
            apply(changes.getJsonObject(i));
        }
    }

    public void apply(JsonObject change) {
        if (change.getString("change").equals("put")) {
            JsonObject dataset = change.getJsonObject("dataset");
            revisions.put(dataset.getLong("id"), change.getString("revision"));
            datasets.put(dataset.getLong("id"), dataset);
        } else {
            revisions.remove(change.getLong("id"));
            datasets.remove(change.getLong("id"));
        }
    }

    /** Reads until there are no more changes. */
    public void follow(int limit) {
        while (step(limit, 0)) {
            // The next page.
        }
    }

    public Answer digest() {
        return reader.apply(CHANGES + "digest/?cursor=" + since + (filter.isEmpty() ? "" : "&" + filter));
    }

    /** Follows the changes until the digest of the service is that of the copy. */
    public void awaitEqual() {
        Patience.await("a copy with the digest of the service").until(() -> {
            follow(1000);
            Answer digest = digest();
            // 409: there are newer changes.
            return digest.status != 409 && digest.status != AWAY
                    && digest.json().getJsonArray("blocks").equals(blocks());
        });
    }

    /** The blocks of this copy as the digest has them. */
    public JsonArray blocks() {
        TreeMap<Long, long[]> sums = new TreeMap<>();
        revisions.forEach((id, revision) -> {
            long[] sum = sums.computeIfAbsent(id / BLOCK, block -> new long[2]);
            sum[0]++;
            sum[1] += hash(id + ":" + revision);
        });
        JsonArray blocks = new JsonArray();
        sums.forEach((block, sum) -> blocks.add(new JsonObject().put("block", block).put("count", sum[0])
                .put("sum", String.format("%016x", sum[1]))));
        return blocks;
    }

    private static long hash(String text) {
        try {
            return ByteBuffer.wrap(
                    MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
