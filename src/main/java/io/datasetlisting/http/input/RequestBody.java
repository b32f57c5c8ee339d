package io.datasetlisting.http.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

import jakarta.inject.Singleton;

import org.jboss.resteasy.reactive.common.headers.HeaderUtil;
import org.jboss.resteasy.reactive.common.util.CaseInsensitiveMap;
import org.jboss.resteasy.reactive.server.core.multipart.MultipartParser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.http.MediaTypes;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.MultiHelper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Parses the body of a request, JSON or a form, that {@link BodyReceiver} receives, and reads the lines of an
 * import as a stream.
 */
@Singleton
public class RequestBody {

    /** The media types that this class reads. */
    public static final List<String> MEDIA_TYPES = List.of("application/json", "application/x-www-form-urlencoded",
            "multipart/form-data");

    private static final List<String> IMPORTS = List.of(MediaTypes.NDJSON, MediaTypes.GEO_PARQUET);

    /** In bytes. Parsing less takes at most as long as passing it to another thread. */
    private static final int LONG = 4 << 10;

    private final BodyReceiver receiver;
    private final ParserThreads threads;

    RequestBody(BodyReceiver receiver, ParserThreads threads) {
        this.receiver = receiver;
        this.threads = threads;
    }

    /**
     * Parses the fields of the body; an empty body has no fields. Fails with an {@link ApiException}: 415 for another
     * media type, 400 for a malformed body, and as {@link BodyReceiver#receive} does.
     */
    public Uni<DrfFields> fields(RoutingContext context) {
        String type = context.request().getHeader("Content-Type");
        return parse(context, body -> body.length == 0
                ? new DrfFields(JsonNodeFactory.instance.objectNode(), false)
                : parse(type == null ? "" : type, body), fields -> false, fields -> fields);
    }

    /**
     * Parses a body of nested JSON; an empty body is an empty object. Fails with an {@link ApiException}: 415 for
     * another media type, 400 for anything but a JSON object, and as {@link BodyReceiver#receive} does.
     *
     * @param isSlow
     *            whether the reader of a short body may take long
     * @param reader
     *            makes the result of the object, possibly on another thread
     */
    public <T> Uni<T> object(RoutingContext context, Predicate<ObjectNode> isSlow, Function<ObjectNode, T> reader) {
        String type = context.request().getHeader("Content-Type");
        return parse(context, body -> parseObject(type == null ? "" : type, body), isSlow, reader);
    }

    /**
     * Parses a body with an item. Fails with an {@link ApiException}: 415 for another media type, 400 for malformed JSON, and
     * as {@link BodyReceiver#receive} does.
     *
     * @param mayBeMany
     *            whether the body may be a collection of items
     * @param reader
     *            makes the result of the JSON, possibly on another thread
     */
    public <T> Uni<T> item(RoutingContext context, List<String> mediaTypes, boolean mayBeMany,
            Function<JsonNode, T> reader) {
        String type = context.request().getHeader("Content-Type");
        return parse(context, body -> {
            if (type == null || !mediaTypes.contains(mediaType(type))) {
                throw unsupported(type == null ? "" : type);
            }
            return StrictJson.parseItem(body, mayBeMany);
        }, json -> false, reader);
    }

    /**
     * Parses and reads a long body in one step: the parsed form takes far more memory than the body, and must not
     * wait for a thread.
     */
    private <P, T> Uni<T> parse(RoutingContext context, Function<byte[], P> parser, Predicate<P> isSlow,
            Function<P, T> reader) {
        return receiver.receive(context).chain(body -> {
            if (isLong(body.length())) {
                return threads.run(context, () -> reader.apply(parse(body, parser)));
            }
            P parsed = parse(body, parser);
            return isSlow.test(parsed)
                    ? threads.run(context, () -> reader.apply(parsed))
                    : Uni.createFrom().item(reader.apply(parsed));
        });
    }

    private static <P> P parse(HeldBody body, Function<byte[], P> parser) {
        try {
            return parser.apply(body.bytes());
        } finally {
            body.release();
        }
    }

    /** Whether a text of this length is parsed on another thread than the event loop. */
    public static boolean isLong(int length) {
        return length > LONG;
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
        Gunzip gunzip = Gunzip.of(request);
        return gunzip == null
                ? sent
                : sent.onItem().transformToIterable(gunzip::decompress)
                        // A chunk may be a thousand times as long as a text. Other requests run between its pieces.
                        .onItem().transformToUniAndConcatenate(
                                piece -> Uni.createFrom().item(piece).emitOn(CallerContext.later()))
                        .onCompletion().invoke(gunzip::end).onTermination().invoke(gunzip::close);
    }

    private static ObjectNode parseObject(String type, byte[] body) {
        if (body.length == 0) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (!mediaType(type).equals("application/json")) {
            throw unsupported(type);
        }
        if (StrictJson.parseDeep(body) instanceof ObjectNode object) {
            return object;
        }
        throw new ApiException(400, "The body is not a JSON object.");
    }

    private static DrfFields parse(String type, byte[] body) {
        return switch (mediaType(type)) {
            case "application/json" -> DrfFields.parse(body, 0, body.length);
            case "application/x-www-form-urlencoded" -> parseUrlEncoded(body);
            case "multipart/form-data" -> new DrfFields(parseMultipart(type, body), true);
            default -> throw unsupported(type);
        };
    }

    /** Whether the body is an import where lines are an answer, in one of the formats that are not held in memory. */
    public static boolean isImport(HttpServerRequest request) {
        return request.method() == HttpMethod.POST && IMPORTS.contains(mediaType(request));
    }

    /** The media type of the body, without parameters; empty if the request names none. */
    static String mediaType(HttpServerRequest request) {
        String type = request.getHeader("Content-Type");
        return type == null ? "" : mediaType(type);
    }

    private static String mediaType(String contentType) {
        return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static ApiException unsupported(String type) {
        return new ApiException(415, "Unsupported media type \"" + type + "\" in request.");
    }

    private static DrfFields parseUrlEncoded(byte[] body) {
        // One char for each byte, as the HTTP decoder passes a query.
        String raw = new String(body, StandardCharsets.ISO_8859_1);
        if (!QueryString.isUtf8(raw)) {
            throw StrictJson.notUtf8();
        }
        return DrfFields.of(QueryString.parse(raw));
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
