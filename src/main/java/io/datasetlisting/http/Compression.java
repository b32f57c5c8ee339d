package io.datasetlisting.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Which answers are compressed. The platform does it while they are written, to all but those that are marked as
 * {@code Content-Encoding: identity}, and takes that mark away; in HTTP/2, and where there is no body, it stays.
 *
 * <p>
 * A compressed answer is another representation, and has another ETag: {@code "1-a"} is {@code "1-a-gzip"} there. The
 * rest of the service never sees those.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding">RFC 9110, Accept-Encoding</a>
 */
public final class Compression {

    private static final String GZIP = "gzip";
    /** What is smaller hardly gets smaller still, and fits into a packet as it is. */
    private static final int WORTH_IT = 1024;
    private static final String TAG_END = "-gzip\"";
    private static final String KEY = Compression.class.getName();
    private static final Platform PLATFORM = new Platform();

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean http2;
    private final boolean head;
    /** Whether the platform compresses what is not marked. */
    private final boolean possible;
    private final boolean wanted;
    /** The client's {@code If-None-Match}. */
    private final String known;

    private Compression(RoutingContext context) {
        request = context.request();
        response = context.response();
        String accepted = joined(request, HttpHeaders.ACCEPT_ENCODING);
        http2 = request.version() == HttpVersion.HTTP_2;
        head = request.method() == HttpMethod.HEAD;
        possible = request.version() != HttpVersion.HTTP_1_0 && PLATFORM.compresses(accepted);
        // The normalized path is not there for a path that can't be decoded.
        String path = request.path();
        wanted = possible && isWanted(accepted) && path != null && path.startsWith("/api/");
        known = joined(request, HttpHeaders.IF_NONE_MATCH);
    }

    /** Decides on the compression of each response when its headers are written. */
    public static void watch(RoutingContext context) {
        prepare(context);
        context.next();
    }

    /** The same for a request that reaches no route. */
    public static void prepare(RoutingContext context) {
        Compression compression = new Compression(context);
        context.put(KEY, compression).addHeadersEndHandler(nothing -> compression.decide());
    }

    /**
     * The entity tags of a request's {@code If-Match} or {@code If-None-Match}, or null. The tag of a compressed response stands for
     * the uncompressed one, except where a 304 would refer a client that cannot read gzip to a compressed response.
     */
    static String entityTags(RoutingContext context, CharSequence header) {
        HttpServerRequest request = context.request();
        if (!request.headers().contains(header)) {
            return null;
        }
        Compression compression = context.get(KEY);
        String tags = joined(request, header);
        boolean exact = header == HttpHeaders.IF_NONE_MATCH && !compression.wanted
                && (compression.head || request.method() == HttpMethod.GET);
        return exact ? tags : tags.replace(TAG_END, "\"");
    }

    /** What a body that is sent again and again was compressed to when it was first. */
    public static final class Cached {

        private volatile Buffer bytes;

        /** In bytes, 0 as long as nobody has asked for it. */
        public int length() {
            Buffer compressed = bytes;
            return compressed == null ? 0 : compressed.length();
        }

        private Buffer of(Buffer body) {
            if (bytes == null) {
                bytes = gzip(body);
            }
            return bytes;
        }
    }

    /** What to send of a body: itself, or what it is compressed to where that is worth it and the client reads it. */
    public static Buffer choose(RoutingContext context, Buffer body, Cached compressed) {
        Compression compression = context.get(KEY);
        if (!compression.wanted || body.length() < WORTH_IT) {
            return body;
        }
        context.response().putHeader(HttpHeaders.CONTENT_ENCODING, GZIP);
        return compressed.of(body);
    }

    private static Buffer gzip(Buffer body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4);
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(body.getBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    private static String joined(HttpServerRequest request, CharSequence header) {
        return String.join(",", request.headers().getAll(header));
    }

    private void decide() {
        MultiMap headers = response.headers();
        int status = response.getStatusCode();
        boolean empty = head || status == 304;
        if (headers.contains(HttpHeaders.CONTENT_ENCODING, GZIP, true)) {
            // By choose.
            headers.set(HttpHeaders.ETAG, compressedTag(headers));
            return;
        }
        long length = length(headers);
        // How long a HEAD's answer would be is not always known; and the lines that say how far an import is would be held back.
        boolean compressed = status == 304
                ? isKnownCompressed(headers)
                : wanted && (length >= WORTH_IT || length < 0 && request.method() == HttpMethod.GET);
        if (headers.contains(HttpHeaders.CONTENT_ENCODING, HttpHeaders.IDENTITY, true)) {
            // The platform's own mark, which it sets on everything.
            headers.remove(HttpHeaders.CONTENT_ENCODING);
        }
        if (!compressed) {
            if (possible && (http2 || !empty && length != 0)) {
                headers.set(HttpHeaders.CONTENT_ENCODING, HttpHeaders.IDENTITY);
            }
            return;
        }
        String tag = compressedTag(headers);
        if (tag != null) {
            headers.set(HttpHeaders.ETAG, tag);
        }
        if (http2 || head && status != 304) {
            headers.set(HttpHeaders.CONTENT_ENCODING, GZIP);
        }
        if (head) {
            // Only who compresses it knows it.
            headers.remove(HttpHeaders.CONTENT_LENGTH);
        }
    }

    /** -1 where nobody has counted, as of a stream. */
    private static long length(MultiMap headers) {
        String length = headers.get(HttpHeaders.CONTENT_LENGTH);
        return length == null ? -1 : Long.parseLong(length);
    }

    private boolean isKnownCompressed(MultiMap headers) {
        String tag = compressedTag(headers);
        return wanted && tag != null && known.contains(tag);
    }

    /** The tag that goes with the compressed answer; null where there is none, or a weak one, which goes with both. */
    private static String compressedTag(MultiMap headers) {
        String tag = headers.get(HttpHeaders.ETAG);
        return tag == null || !tag.startsWith("\"") ? null : tag.substring(0, tag.length() - 1) + TAG_END;
    }

    /** Whether a client reads gzip, and likes it as much as what is not compressed. */
    static boolean isWanted(String acceptEncoding) {
        double gzip = -1;
        double identity = -1;
        double any = -1;
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = coding.split(";", -1);
            double quality = Accept.quality(parts);
            switch (parts[0].strip()) {
                case GZIP, "x-gzip" -> gzip = quality;
                case "identity" -> identity = quality;
                case "*" -> any = quality;
                default -> {
                    // Not spoken here.
                }
            }
        }
        gzip = gzip < 0 ? any : gzip;
        identity = identity < 0 ? any : identity;
        return gzip > 0 && gzip >= identity;
    }

    /** The platform reads {@code Accept-Encoding} by rules of its own, and takes {@code gzip;q=0, br} for a yes. */
    private static final class Platform extends HttpContentCompressor {

        Platform() {
            super(StandardCompressionOptions.gzip());
        }

        boolean compresses(String acceptEncoding) {
            return determineEncoding(acceptEncoding) != null;
        }
    }
}
