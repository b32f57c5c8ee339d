package io.datasetlisting.mirror;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.change.Digest;
import io.datasetlisting.edit.DatasetInput;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.input.StrictJson;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;

/** Asks the origin of a mirror for changes. */
@Singleton
class OriginClient {

    /** Small enough to be parsed on an event loop, large enough that a copy takes few transactions. */
    private static final int CHANGES_PER_PAGE = 200;
    /** Seconds for which the origin waits if there is no change. */
    static final int WAIT = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Of a page, in bytes. A dataset may have two megabytes of statistics. */
    private static final int MAX_PAGE = 512 << 20;
    private static final int GONE = 410;
    private static final int CONFLICT = 409;
    private static final int OK = 200;
    private static final int MAX_SHOWN = 200;

    private static final int HEX = 16;

    private final HttpClient client;
    private final DatasetInput input;
    private final String changes;
    private final String token;

    OriginClient(Vertx vertx, MirrorConfig config, DatasetInput input) {
        this.input = input;
        client = config.url().isPresent()
                ? vertx.createHttpClient(
                        new HttpClientOptions().setConnectTimeout(10_000).setDecompressionSupported(true)
                                .setIdleTimeout((int) TIMEOUT.toSeconds()))
                : null;
        changes = config.url().map(url -> url.toString().replaceAll("/+$", "")).orElse("") + Endpoints.DATASETS
                + Endpoints.CHANGES;
        token = config.token().orElse(null);
    }

    /** The origin does not know a position any more. */
    static final class PositionLostException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        PositionLostException(String detail) {
            super(detail, null, false, false);
        }
    }

    /** A page of the feed, as soon as there are changes. */
    Uni<OriginPage> changes(String since) {
        QueryString query = QueryString.parse("limit=" + CHANGES_PER_PAGE + "&wait=" + WAIT);
        return page(query, since);
    }

    /** A page of the datasets of one block of the digest. */
    Uni<OriginPage> block(long block, String since) {
        QueryString query = QueryString.parse("limit=" + CHANGES_PER_PAGE + "&block=" + block);
        return page(query, since);
    }

    private Uni<OriginPage> page(QueryString query, String since) {
        return get((since == null ? query : query.with("since", since)).appendTo(changes))
                .map(page -> OriginPage.of(page, input));
    }

    /** The digest at a position, by block, or null if there are changes after the position. */
    Uni<Map<Long, Digest.Block>> digest(String position) {
        return get(QueryString.parse("").with("cursor", position).appendTo(changes + Endpoints.DIGEST))
                .onItem().ifNotNull().transform(digest -> {
                    Map<Long, Digest.Block> blocks = new HashMap<>();
                    digest.get("blocks").forEach(block -> blocks.put(block.get("block").longValue(), new Digest.Block(
                            block.get("count").longValue(),
                            Long.parseUnsignedLong(block.get("sum").textValue(), HEX))));
                    return blocks;
                });
    }

    private Uni<JsonNode> get(String address) {
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(address)
                .setTimeout(TIMEOUT.toMillis()).putHeader("Accept", "application/json").setFollowRedirects(true);
        if (token != null) {
            options.putHeader("Authorization", "Token " + token);
        }
        return UniHelper.toUni(client.request(options).compose(request -> request.send())
                .compose(response -> body(response).map(body -> read(response.statusCode(), body))));
    }

    private static Future<Buffer> body(HttpClientResponse response) {
        Buffer body = Buffer.buffer();
        response.handler(part -> {
            body.appendBuffer(part);
            if (body.length() > MAX_PAGE) {
                response.request().reset();
            }
        });
        return response.end().map(ended -> body);
    }

    private static JsonNode read(int status, Buffer body) {
        if (status == GONE) {
            throw new PositionLostException(shorten(body));
        } else if (status == CONFLICT) {
            return null;
        } else if (status != OK) {
            throw new IllegalStateException("The origin answers " + status + ": " + shorten(body));
        }
        return StrictJson.parse(body.getBytes(), 0, body.length());
    }

    private static String shorten(Buffer body) {
        return body.toString(StandardCharsets.UTF_8).substring(0, Math.min(MAX_SHOWN, body.length()));
    }
}
