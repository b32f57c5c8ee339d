package io.datasetlisting.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

import jakarta.inject.Singleton;

import org.jboss.resteasy.reactive.common.headers.HeaderUtil;
import org.jboss.resteasy.reactive.common.util.CaseInsensitiveMap;
import org.jboss.resteasy.reactive.server.core.multipart.MultipartParser;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.RequestLimits;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.vertx.MultiHelper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Reads the body of a request: JSON or a form into memory, up to the maximum size, and the lines of an import as a stream. */
@Singleton
public class RequestBody {

    /** The media types that this class reads. */
    public static final List<String> MEDIA_TYPES = List.of("application/json", "application/x-www-form-urlencoded",
            "multipart/form-data");

    private final long maxSize;
    private final long timeout;

    public RequestBody(HttpConfig config) {
        maxSize = config.http().maxBodySize().asLongValue();
        timeout = config.http().requestTimeout().toMillis();
    }

    /**
     * Reads the fields of the body; an empty body has no fields. Fails with an {@link ApiException}: 408 for a body that does
     * not arrive in time, 413 for a body above the maximum size, 415 for another media type or encoding, 400 for a malformed body.
     */
    public Uni<DrfFields> fields(RoutingContext context) {
        String type = context.request().getHeader("Content-Type");
        return read(context).map(body -> body.length() == 0
                ? new DrfFields(JsonNodeFactory.instance.objectNode(), false)
                : parse(type == null ? "" : type, body.getBytes()));
    }

    /**
     * Reads a body of nested JSON; an empty body is an empty object. Fails with an {@link ApiException}: 408 for a body that does not
     * arrive in time, 413 for a body above the maximum size, 415 for another media type or encoding, 400 for anything but a JSON object.
     */
    public Uni<ObjectNode> object(RoutingContext context) {
        String type = context.request().getHeader("Content-Type");
        return read(context).map(body -> {
            if (body.length() == 0) {
                return JsonNodeFactory.instance.objectNode();
            }
            if (!mediaType(type == null ? "" : type).equals("application/json")) {
                throw unsupported(type);
            }
            if (StrictJson.parseDeep(body.getBytes()) instanceof ObjectNode object) {
                return object;
            }
            throw new ApiException(400, "The body is not a JSON object.");
        });
    }

    /** Sends {@code 100 Continue} if the client waits for it before it sends its body. */
    public static void welcome(HttpServerRequest request) {
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            request.response().writeContinue();
        }
    }

    /** The body as a stream, decompressed. The platform reads on when the subscriber requests more. */
    public static Multi<byte[]> stream(HttpServerRequest request) {
        Multi<byte[]> sent = MultiHelper.toMulti(request).map(Buffer::getBytes);
        Gunzip gunzip = gunzip(request);
        return gunzip == null
                ? sent
                : sent.onItem().transformToIterable(gunzip::decompress).onCompletion().invoke(gunzip::end);
    }

    /**
     * Null for a body that is not compressed.
     *
     * @throws ApiException
     *             415 for another encoding
     */
    private static Gunzip gunzip(HttpServerRequest request) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding == null || encoding.strip().equalsIgnoreCase("identity") || encoding.isBlank()) {
            return null;
        }
        if (encoding.strip().equalsIgnoreCase("gzip") || encoding.strip().equalsIgnoreCase("x-gzip")) {
            return new Gunzip();
        }
        throw new ApiException(415, "Unsupported content encoding \"" + encoding + "\" in request.");
    }

    private Uni<Buffer> read(RoutingContext context) {
        HttpServerRequest request = context.request();
        return Uni.createFrom().<Buffer>emitter(emitter -> {
            String declared = request.getHeader("Content-Length");
            if (declared != null && Long.parseLong(declared) > maxSize) {
                emitter.fail(tooLarge());
            } else {
                welcome(request);
                RequestLimits.onTimeout(context, () -> {
                    discardRest(request);
                    emitter.fail(new ApiException(408, "The body did not arrive within " + timeout + " ms."));
                });
                collect(request, gunzip(request), emitter);
            }
            request.resume();
        }).onTermination().invoke(() -> RequestLimits.onTimeout(context, null));
    }

    /** Discards the rest of the body, so that the client can read the response. */
    private static void discardRest(HttpServerRequest request) {
        request.handler(rest -> {
        });
    }

    private void collect(HttpServerRequest request, Gunzip gunzip, UniEmitter<? super Buffer> emitter) {
        Buffer body = Buffer.buffer();
        request.exceptionHandler(emitter::fail).endHandler(ended -> {
            try {
                if (gunzip != null) {
                    gunzip.end();
                }
                emitter.complete(body);
            } catch (ApiException e) {
                emitter.fail(e);
            }
        }).handler(chunk -> {
            try {
                append(gunzip == null ? List.of(chunk.getBytes()) : gunzip.decompress(chunk.getBytes()), body);
            } catch (ApiException e) {
                discardRest(request);
                emitter.fail(e);
            }
        });
    }

    private void append(Iterable<byte[]> pieces, Buffer body) {
        for (byte[] piece : pieces) {
            if (body.length() + piece.length > maxSize) {
                throw tooLarge();
            }
            body.appendBytes(piece);
        }
    }

    private static ApiException tooLarge() {
        return new ApiException(413, "Request body too large.");
    }

    private static DrfFields parse(String type, byte[] body) {
        return switch (mediaType(type)) {
            case "application/json" -> DrfFields.parse(body, 0, body.length);
            case "application/x-www-form-urlencoded" -> new DrfFields(parseUrlEncoded(body), true);
            case "multipart/form-data" -> new DrfFields(parseMultipart(type, body), true);
            default -> throw unsupported(type);
        };
    }

    private static String mediaType(String contentType) {
        return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static ApiException unsupported(String type) {
        return new ApiException(415, "Unsupported media type \"" + type + "\" in request.");
    }

    private static ObjectNode parseUrlEncoded(byte[] body) {
        // One char for each byte, as the HTTP decoder passes a query.
        String raw = new String(body, StandardCharsets.ISO_8859_1);
        if (!QueryString.isUtf8(raw)) {
            throw StrictJson.notUtf8();
        }
        QueryString form = QueryString.parse(raw);
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        form.forEach((name, value) -> FormValues.add(fields, name, value));
        return fields;
    }

    private static ObjectNode parseMultipart(String type, byte[] body) {
        String boundary = boundary(type);
        if (boundary == null || boundary.isEmpty()) {
            throw new ApiException(400, "Multipart form parse error - Invalid boundary in multipart: None");
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        MultipartParser.ParseState parser = MultipartParser.beginParse(
                new Parts((name, value) -> FormValues.add(fields, name, value)),
                boundary.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8.name());
        try {
            parser.parse(ByteBuffer.wrap(body));
        } catch (ApiException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The parser throws various exceptions for malformed headers.
            throw new ApiException(400, "Multipart form parse error - malformed part");
        }
        if (!parser.isComplete()) {
            throw new ApiException(400, "Multipart form parse error - the closing boundary is missing");
        }
        return fields;
    }

    private static String boundary(String type) {
        try {
            return HeaderUtil.extractQuotedValueFromHeader(type, "boundary");
        } catch (StringIndexOutOfBoundsException e) {
            // The parameter has no value.
            return null;
        }
    }

    /** Collects the parts that are texts, and ignores files. */
    private static final class Parts implements MultipartParser.PartHandler {

        private final BiConsumer<String, String> fields;
        private final ByteArrayOutputStream value = new ByteArrayOutputStream();
        private String name;

        Parts(BiConsumer<String, String> fields) {
            this.fields = fields;
        }

        @Override
        public void beginPart(CaseInsensitiveMap<String> headers) {
            String disposition = headers.getFirst("Content-Disposition");
            boolean text = disposition != null
                    && HeaderUtil.extractQuotedValueFromHeader(disposition, "filename") == null;
            name = text ? HeaderUtil.extractQuotedValueFromHeader(disposition, "name") : null;
            value.reset();
        }

        @Override
        public void data(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            value.writeBytes(bytes);
        }

        @Override
        public void endPart() {
            if (name != null) {
                byte[] bytes = value.toByteArray();
                fields.accept(name, StrictJson.decodeUtf8(bytes, 0, bytes.length));
            }
        }
    }
}
