package io.datasetlisting.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;

/**
 * Turns whatever goes wrong into the contract's error: {@code {"detail": "..."}}, or the same as RFC 9457 for a client
 * that accepts {@code application/problem+json}.
 */
public class Errors {

    private static final Logger LOG = Logger.getLogger(Errors.class);

    static final String PROBLEM_JSON = "application/problem+json";

    /** The sentences for errors that the framework finds. */
    private static final Map<Integer, String> DETAILS = Map.of(
            400, "Malformed request.",
            404, "Not found.",
            406, "Could not satisfy the request Accept header.",
            413, "Request body too large.",
            414, "Request address too long.",
            500, "A server error occurred.",
            503, "Service temporarily unavailable, try again later.");

    @ServerExceptionMapper
    public Response answer(ApiException e, HttpServerRequest request) {
        return response(request, e.status(), e.getMessage());
    }

    @ServerExceptionMapper
    public Response answer(WebApplicationException e, HttpServerRequest request) {
        int status = e.getResponse().getStatus();
        return status >= 500 ? unexpected(e, request) : response(request, status, detail(status, request));
    }

    @ServerExceptionMapper
    public Response answer(Throwable e, HttpServerRequest request) {
        return unexpected(e, request);
    }

    /** Answers outside of the REST resources. */
    static void send(RoutingContext context, int status) {
        boolean problem = wantsProblem(context.request());
        context.response()
                .setStatusCode(status)
                .putHeader("Vary", "Accept")
                .putHeader(HttpHeaders.CONTENT_TYPE, problem ? PROBLEM_JSON : "application/json")
                .end(body(status, detail(status, context.request()), problem));
    }

    private static Response unexpected(Throwable e, HttpServerRequest request) {
        if (isDatabaseAway(e)) {
            LOG.warnf("%s %s: database not available: %s", request.method(), request.path(), e.getMessage());
            return Response.fromResponse(response(request, 503, DETAILS.get(503)))
                    .header(HttpHeaders.RETRY_AFTER, 1)
                    .build();
        }
        LOG.errorf(e, "%s %s failed", request.method(), request.path());
        return response(request, 500, DETAILS.get(500));
    }

    /** No connection, a broken one, or PostgreSQL is out of resources (53) or being stopped or started (57). */
    private static boolean isDatabaseAway(Throwable e) {
        if (e instanceof PgException pg) {
            return pg.getSqlState().startsWith("53") || pg.getSqlState().startsWith("57");
        }
        return e instanceof IOException || e instanceof ClosedConnectionException;
    }

    private static String detail(int status, HttpServerRequest request) {
        return switch (status) {
            case 405 -> "Method \"" + request.method() + "\" not allowed.";
            case 415 -> "Unsupported media type \"" + request.getHeader(HttpHeaders.CONTENT_TYPE) + "\" in request.";
            default -> DETAILS.getOrDefault(status, DETAILS.get(400));
        };
    }

    private static Response response(HttpServerRequest request, int status, String detail) {
        boolean problem = wantsProblem(request);
        String body = body(status, detail, problem);
        Response.ResponseBuilder response = Response.status(status)
                .type(problem ? PROBLEM_JSON : "application/json")
                .entity(body);
        if (request.method() == HttpMethod.HEAD) {
            // Nobody writes the body, so nobody else counts it.
            response.header(HttpHeaders.CONTENT_LENGTH, body.getBytes(StandardCharsets.UTF_8).length);
        }
        return response.build();
    }

    private static boolean wantsProblem(HttpServerRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return accept != null && accept.contains(PROBLEM_JSON);
    }

    private static String body(int status, String detail, boolean problem) {
        JsonObject body = new JsonObject();
        if (problem) {
            Response.Status standard = Response.Status.fromStatusCode(status);
            body.put("type", "about:blank")
                    .put("title", standard == null ? "Error" : standard.getReasonPhrase())
                    .put("status", status);
        }
        return body.put("detail", detail).encode();
    }
}
