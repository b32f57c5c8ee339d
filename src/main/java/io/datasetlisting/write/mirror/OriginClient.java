package io.datasetlisting.write.mirror;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.base.HeapShare;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.StrictJson;
import io.datasetlisting.write.change.Digest;
import io.datasetlisting.write.edit.DatasetInput;
import io.datasetlisting.write.mirror.MirrorState.Catalogue;
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
    private static final int MAX_CHANGES = 200;
    /** Seconds for which the origin waits if there is no change. */
    static final int WAIT = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Of a request for which the start of the service waits. */
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);
    private static final int BAD_REQUEST = 400;
    private static final int GONE = 410;
    private static final int CONFLICT = 409;
    private static final int OK = 200;
    private static final int MAX_SHOWN = 200;

    private static final int HEX = 16;

    private final HttpClient client;
    private final DatasetInput input;
    private final String changes;
    private final String token;
    /**
     * Of a page, in bytes. One dataset has at most some 200 KB. A parsed page takes several times its bytes. It is no constant,
     * because a native executable would have the heap of its build.
     */
    private final long maxPage = Math.max(4 << 20, HeapShare.ORIGIN.bytes());
    /** Of the next page: fewer than the most if datasets are large, or if the last request failed. */
    private volatile int changesPerPage = MAX_CHANGES;

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

    /** The origin does not know a position any more, or not for the token of the mirror. */
    static final class PositionLostException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        PositionLostException(String detail) {
            super(detail, null, false, false);
        }
    }

    /** The identity of the origin, within a few seconds. */
    Uni<Catalogue> catalogue() {
        return get(QueryString.parse("limit=1").appendTo(changes), SHORT_TIMEOUT)
                .map(body -> OriginPage.catalogue(parse(body)));
    }

    /** A page of the feed, as soon as there are changes; an empty one after some seconds. */
    Uni<OriginPage> changes(String since) {
        QueryString query = QueryString.parse("limit=" + changesPerPage + "&wait=" + WAIT);
        return page(query, since);
    }

    /** A page of the datasets of one block of the digest. */
    Uni<OriginPage> block(long block, String since) {
        QueryString query = QueryString.parse("limit=" + changesPerPage + "&block=" + block);
        return page(query, since);
    }

    private Uni<OriginPage> page(QueryString query, String since) {
        return get((since == null ? query : query.with("since", since)).appendTo(changes))
                .map(body -> {
                    OriginPage page = OriginPage.of(parse(body), input);
                    int number = page.puts().size() + page.gone().size();
                    changesPerPage = number == 0
                            ? MAX_CHANGES
                            : (int) Math.max(1, Math.min(MAX_CHANGES, maxPage / 2 * number / body.length()));
                    return page;
                }).onFailure().invoke(e -> changesPerPage = Math.max(1, changesPerPage / 2));
    }

    /** The digest at a position, by block, or null if there are changes after the position. */
    Uni<Map<Long, Digest.Block>> digest(String position) {
        return get(QueryString.parse("").with("cursor", position).appendTo(changes + Endpoints.DIGEST))
                .onItem().ifNotNull().transform(body -> {
                    Map<Long, Digest.Block> blocks = new HashMap<>();
                    parse(body).get("blocks")
                            .forEach(block -> blocks.put(block.get("block").longValue(), new Digest.Block(
                                    block.get("count").longValue(),
                                    Long.parseUnsignedLong(block.get("sum").textValue(), HEX))));
                    return blocks;
                });
    }

    /** A redirect is a failure: it would send the token to any other server. */
    private Uni<Buffer> get(String address) {
        return get(address, TIMEOUT);
    }

    private Uni<Buffer> get(String address, Duration timeout) {
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(address)
                .setTimeout(timeout.toMillis()).putHeader("Accept", "application/json");
        if (token != null) {
            options.putHeader("Authorization", "Token " + token);
        }
        return UniHelper.toUni(client.request(options).compose(request -> request.send())
                .compose(response -> body(response).map(body -> check(response.statusCode(), body))));
    }

    private Future<Buffer> body(HttpClientResponse response) {
        Buffer body = Buffer.buffer();
        response.handler(part -> {
            if (body.length() + part.length() <= maxPage) {
                body.appendBuffer(part);
            } else {
                response.request().reset(0,
                        new IllegalStateException("The origin's answer is longer than " + maxPage));
            }
        });
        return response.end().map(ended -> body);
    }

    private static Buffer check(int status, Buffer body) {
        if (status == GONE || status == BAD_REQUEST) {
            throw new PositionLostException(shorten(body));
        } else if (status == CONFLICT) {
            return null;
        } else if (status != OK) {
            throw new IllegalStateException("The origin answers " + status + ": " + shorten(body));
        }
        return body;
    }

    private static JsonNode parse(Buffer body) {
        return StrictJson.parse(body.getBytes(), 0, body.length());
    }

    private static String shorten(Buffer body) {
        return body.toString(StandardCharsets.UTF_8).substring(0, Math.min(MAX_SHOWN, body.length()));
    }
}
