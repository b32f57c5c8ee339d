package io.datasetlisting.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Set;
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
 * Decides which responses are compressed, and adapts their headers. The platform compresses each response while it is written,
 * except responses with {@code Content-Encoding: identity}. It then removes this header, but not in HTTP/2, and not without a
 * body.
 *
 * <p>
 * A response with a strong ETag is never compressed: the tag names the bytes of the body. A weak ETag names both forms of a body.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding">RFC 9110, Accept-Encoding</a>
 */
public final class Compression {

    private static final String GZIP = "gzip";
    /** Smallest body in bytes that is compressed. A smaller one fits into a packet anyway. */
    private static final int MIN_LENGTH = 1024;
    private static final String KEY = Compression.class.getName();
    /** Compression would delay events, and the pages of Parquet are compressed. */
    private static final Set<String> NOT_COMPRESSED = Set.of(MediaTypes.EVENT_STREAM, MediaTypes.GEO_PARQUET);
    private static final Platform PLATFORM = new Platform();

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean http2;
    private final boolean head;
    /** Whether the platform compresses the response unless it is marked as identity. */
    private final boolean byPlatform;
    private boolean isAsItIs;
    /** Whether the client accepts gzip and the path is one that this class compresses. */
    private final boolean accepted;

    private Compression(RoutingContext context) {
        request = context.request();
        response = context.response();
        String acceptEncoding = String.join(",", request.headers().getAll(HttpHeaders.ACCEPT_ENCODING));
        http2 = request.version() == HttpVersion.HTTP_2;
        head = request.method() == HttpMethod.HEAD;
        byPlatform = request.version() != HttpVersion.HTTP_1_0 && PLATFORM.compresses(acceptEncoding);
        // A path that cannot be decoded has no normalized path.
        String path = request.path();
        accepted = byPlatform && acceptsGzip(acceptEncoding) && path != null
                && (!path.startsWith("/q/") || path.startsWith(Endpoints.OPENAPI));
    }

    /** Handler that decides on the compression of the response when its headers are written. */
    public static void watch(RoutingContext context) {
        prepare(context);
        context.next();
    }

    /** Decides on the compression of the response to a request that reaches no route. */
    public static void prepare(RoutingContext context) {
        Compression compression = new Compression(context);
        context.put(KEY, compression).addHeadersEndHandler(nothing -> {
            Representation representation = Representation.of(context);
            compression.isAsItIs = representation != null && NOT_COMPRESSED.contains(representation.mediaType());
            compression.setHeaders();
        });
    }

    /** The compressed form of a cached body, made at its first use. */
    public static final class Cached {

        private volatile Buffer bytes;

        /** In bytes; 0 before the first use. */
        public int length() {
            Buffer compressed = bytes;
            return compressed == null ? 0 : compressed.length();
        }

        private Buffer compress(Buffer body) {
            if (bytes == null) {
                bytes = gzip(body);
            }
            return bytes;
        }
    }

    /**
     * The body to send: compressed if the client accepts gzip and the body is large enough, otherwise as it is. In HTTP/2 the
     * platform compresses every body with {@code Content-Encoding: gzip}, so that a compressed one would be compressed twice.
     */
    public static Buffer choose(RoutingContext context, Buffer body, Cached compressed) {
        Compression compression = context.get(KEY);
        if (!compression.accepted || compression.http2 || body.length() < MIN_LENGTH) {
            return body;
        }
        context.response().putHeader(HttpHeaders.CONTENT_ENCODING, GZIP);
        return compressed.compress(body);
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

    private void setHeaders() {
        MultiMap headers = response.headers();
        int status = response.getStatusCode();
        boolean empty = head || status == 304;
        if (headers.contains(HttpHeaders.CONTENT_ENCODING, GZIP, true)) {
            // The body of choose is already compressed.
            return;
        }
        long length = contentLength(headers);
        // Without a length only the response to GET is compressed: the length of the response to HEAD may be small, and
        // compression would delay the progress lines of an import.
        boolean compressed = accepted && status != 304 && !hasStrongTag(headers) && !isAsItIs
                && (length >= MIN_LENGTH || length < 0 && request.method() == HttpMethod.GET);
        if (headers.contains(HttpHeaders.CONTENT_ENCODING, HttpHeaders.IDENTITY, true)) {
            // The mark is the platform's, which it sets on every response at first.
            headers.remove(HttpHeaders.CONTENT_ENCODING);
        }
        if (!compressed) {
            if (byPlatform && (http2 || !empty && length != 0)) {
                headers.set(HttpHeaders.CONTENT_ENCODING, HttpHeaders.IDENTITY);
            }
            return;
        }
        if (http2 || head) {
            headers.set(HttpHeaders.CONTENT_ENCODING, GZIP);
        }
        if (head) {
            // The length of the compressed body is not known.
            headers.remove(HttpHeaders.CONTENT_LENGTH);
        }
    }

    /** The value of {@code Content-Length}, or -1 if it is missing, as for a stream. */
    private static long contentLength(MultiMap headers) {
        String length = headers.get(HttpHeaders.CONTENT_LENGTH);
        return length == null ? -1 : Long.parseLong(length);
    }

    private static boolean hasStrongTag(MultiMap headers) {
        String tag = headers.get(HttpHeaders.ETAG);
        return tag != null && tag.startsWith("\"");
    }

    /**
     * Whether a client accepts gzip with at least the quality of the uncompressed form. A client that sends {@code *} alone, as
     * stac-api-validator does, has named no coding that it can read, and may not be able to read gzip.
     */
    static boolean acceptsGzip(String acceptEncoding) {
        if (acceptEncoding.indexOf(',') < 0 && acceptEncoding.strip().startsWith("*")) {
            return false;
        }
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
                    // The service has no other coding.
                }
            }
        }
        gzip = gzip < 0 ? any : gzip;
        identity = identity < 0 ? any : identity;
        return gzip > 0 && gzip >= identity;
    }

    /** Evaluates {@code Accept-Encoding} as the platform does, which reads {@code gzip;q=0, br} as acceptance of gzip. */
    private static final class Platform extends HttpContentCompressor {

        Platform() {
            super(StandardCompressionOptions.gzip());
        }

        boolean compresses(String acceptEncoding) {
            return determineEncoding(acceptEncoding) != null;
        }
    }
}
