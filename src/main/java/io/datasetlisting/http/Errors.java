package io.datasetlisting.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.base.UnicodeEscapes;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.quarkus.arc.Arc;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Turns exceptions and statuses into error responses of the contract: {@code {"detail": "..."}}, the messages of each field, or
 * problem details (RFC 9457) for a client that accepts {@code application/problem+json}, or a page where the address answers
 * pages. Under {@code /stac} an error is also an exception of
 * <a href="https://docs.ogc.org/is/17-069r4/17-069r4.html#http_status_codes">OGC API</a>:
 * {@code {"code", "description", "detail"}}.
 */
public class Errors {

    private static final Logger LOG = Logger.getLogger(Errors.class);
    private static final LimitedLog WARNINGS = new LimitedLog(LOG);

    /** The sentences for errors that the platform detects. */
    private static final Map<Integer, String> DETAILS = Map.of(
            400, "Malformed request.",
            404, "Not found.",
            406, "Could not satisfy the request Accept header.",
            409, "No number is left for a new dataset, account or workspace.",
            413, "Request body too large.",
            414, "Request address too long.",
            431, "Request header fields too large.",
            500, "A server error occurred.",
            503, "Service temporarily unavailable, try again later.");

    /** Writes errors as pages for people. The room of the pages implements it, because it has the frame of the pages. */
    public interface PageWriter {

        /**
         * An error as a page.
         *
         * @param title
         *            the reason phrase of the status
         * @param sentences
         *            the reasons that a program receives
         */
        String write(RoutingContext context, int status, String title, List<String> sentences);
    }

    @ServerExceptionMapper
    public Response answer(ApiException e, RoutingContext context) {
        return response(context, Failure.of(e));
    }

    @ServerExceptionMapper
    public Response answer(WebApplicationException e, RoutingContext context) {
        int status = e.getResponse().getStatus();
        HttpServerRequest request = context.request();
        return response(context, status >= 500 ? unexpected(e, context) : Failure.of(status, request));
    }

    @ServerExceptionMapper
    public Response answer(Throwable e, RoutingContext context) {
        return response(context, unexpected(e, context));
    }

    /** The body for a request that does not reach the router. */
    public static String body(int status, boolean ofStac) {
        return Failure.of(status, null).json(false, ofStac);
    }

    /** 503 for a request that the service has no room for. */
    public static ApiException unavailable() {
        return new ApiException(503, DETAILS.get(503));
    }

    /** Sends the error of a status. For code outside of REST resources. */
    public static void send(RoutingContext context, int status) {
        send(context, Failure.of(status, context.request()));
    }

    /** Sends the error of an exception. For code outside of REST resources. */
    public static void send(RoutingContext context, Throwable e) {
        send(context,
                e instanceof ApiException apiException ? Failure.of(apiException) : unexpected(e, context));
    }

    /** Failure handler of the pipeline: sends the error of the failure. */
    public static void handle(RoutingContext context) {
        RequestEnd.discardBody(context.request());
        if (context.response().ended()) {
            return;
        }
        Throwable failure = context.failure();
        int status = context.statusCode();
        if (failure instanceof ApiException || DatabaseFailure.isTemporary(failure)) {
            send(context, failure);
        } else if (status < 400 || status >= 500) {
            LOG.errorf(failure, "%s %s failed", context.request().method(), context.request().path());
            send(context, 500);
        } else {
            send(context, status);
        }
    }

    private static void send(RoutingContext context, Failure failure) {
        failure.headers().forEach(context.response()::putHeader);
        String type = type(context);
        Buffer body = Buffer.buffer(failure.body(context, type));
        HttpServerResponse response = context.response()
                .setStatusCode(failure.status)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                // The response to HEAD has no body from which the platform could set it.
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
        if (context.request().method() == HttpMethod.HEAD) {
            // In HTTP/2 the platform would send the body, which clients treat as a protocol error.
            response.end();
        } else {
            response.end(body);
        }
    }

    private static Failure unexpected(Throwable e, RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.response().ended() || e instanceof CancellationException && RequestEnd.hasEnded(context)) {
            // The request has exceeded its time limit and is answered, or its client has gone. Its result is no longer needed.
            LOG.debugf(e, "%s %s failed after its end", request.method(), request.path());
            return Failure.of(503, request);
        }
        if (DatabaseFailure.isTemporary(e)) {
            String reason = DatabaseFailure.reason(e);
            WARNINGS.warn(reason, request.method() + " " + request.path() + ": database not available: " + reason);
            return Failure.of(503, request);
        }
        if (DatabaseFailure.isSequenceExhausted(e)) {
            LOG.warnf("%s %s: %s", request.method(), request.path(), e.getMessage());
            return Failure.of(409, request);
        }
        LOG.errorf(e, "%s %s failed", request.method(), request.path());
        return Failure.of(500, request);
    }

    /**
     * The content of an error response.
     *
     * @param fields
     *            the messages of each field, or null
     * @param retryAfter
     *            in seconds
     * @param challenge
     *            how a client may authenticate
     */
    private record Failure(int status, String detail, ObjectNode fields, int retryAfter, String challenge) {

        static Failure of(ApiException e) {
            return new Failure(e.status(), e.getMessage(), e.fields(), e.retryAfter(), e.challenge());
        }

        static Failure of(int status, HttpServerRequest request) {
            return new Failure(status, switch (status) {
                case 405 -> "Method \"" + request.method() + "\" not allowed.";
                case 415 ->
                    "Unsupported media type \"" + request.getHeader(HttpHeaders.CONTENT_TYPE) + "\" in request.";
                default -> DETAILS.getOrDefault(status, DETAILS.get(400));
            }, null, 1, "Token");
        }

        Map<String, String> headers() {
            Map<String, String> headers = new HashMap<>();
            // Some caches keep a 404 without this. The dataset may be there a moment later.
            headers.put(HttpHeaders.CACHE_CONTROL, "no-store");
            if (status == 401) {
                headers.put(HttpHeaders.WWW_AUTHENTICATE, challenge);
            } else if ((status == 429 || status == 503) && retryAfter > 0) {
                headers.put(HttpHeaders.RETRY_AFTER, Integer.toString(retryAfter));
            }
            return headers;
        }

        public String body(RoutingContext context, String type) {
            return type.equals(MediaTypes.HTML)
                    ? Arc.container().select(PageWriter.class).get()
                            .write(context, status, title(), ApiException.sentences(detail, fields))
                    : json(type.equals(MediaTypes.PROBLEM_JSON), isOgc(context));
        }

        private String title() {
            Response.Status standard = Response.Status.fromStatusCode(status);
            return standard == null ? "Error" : standard.getReasonPhrase();
        }

        /**
         * @param ogc
         *            whether the error is also an exception of OGC API, with {@code code} and {@code description}
         */
        private String json(boolean problem, boolean ogc) {
            if (fields != null && !problem && !ogc) {
                return fields.toString();
            }
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            if (problem) {
                body.put("type", "about:blank").put("title", title()).put("status", status);
            } else if (ogc) {
                body.put("code", title().replace(" ", "")).put("description", detail);
            }
            body.put("detail", detail);
            if (fields != null) {
                body.set("errors", fields);
            }
            return ogc ? UnicodeEscapes.in(body.toString()) : body.toString();
        }
    }

    private static Response response(RoutingContext context, Failure failure) {
        String type = type(context);
        String body = failure.body(context, type);
        Response.ResponseBuilder response = Response.status(failure.status).type(type).entity(body);
        failure.headers().forEach(response::header);
        if (failure.status == 408 && context.request().version() != HttpVersion.HTTP_2) {
            // The rest of the body may still arrive. In HTTP/2 only the stream ends.
            response.header("Connection", "close");
            RequestEnd.then(context, () -> context.request().connection().close());
        }
        if (context.request().method() == HttpMethod.HEAD) {
            // The platform does not set the length of a body that it does not write.
            response.header(HttpHeaders.CONTENT_LENGTH, body.getBytes(StandardCharsets.UTF_8).length);
        }
        return response.build();
    }

    private static boolean isOgc(RoutingContext context) {
        // The normalized path does not exist if it cannot be decoded.
        return Endpoints.isStac(context.request().path());
    }

    /** The media type of an error. A client that accepts problem details receives them in place of a page. */
    private static String type(RoutingContext context) {
        Representation representation = Representation.of(context);
        if (representation == null ? acceptsProblem(context.request()) : representation.problem()) {
            return MediaTypes.PROBLEM_JSON;
        }
        return representation != null && representation.mediaType().equals(MediaTypes.HTML)
                ? MediaTypes.HTML
                : MediaTypes.JSON;
    }

    /** Whether a client accepts errors as problem details (RFC 9457). */
    public static boolean acceptsProblem(HttpServerRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return accept != null && accept.contains(MediaTypes.PROBLEM_JSON);
    }
}
