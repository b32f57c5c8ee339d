package io.datasetlisting.faces.api;

import java.util.function.Function;
import java.util.regex.Pattern;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.vertx.http.runtime.attribute.ExchangeAttribute;
import io.quarkus.vertx.http.runtime.attribute.ExchangeAttributeBuilder;
import io.quarkus.vertx.http.runtime.attribute.ReadOnlyAttributeException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * The address of a request in the access log, in each pattern that the platform knows, without the secrets of a sign-in at the
 * provider of identities: the provider sends the reader back with a code in the address.
 */
// The platform loads it by its name.
@RegisterForReflection
public final class LoggedAddress implements ExchangeAttributeBuilder {

    private static final int BEFORE_THE_PLATFORM = 10;
    private static final Pattern SECRET = Pattern.compile("(?i)((?:^|[?&])(?:code|state|session_state)=)[^&]*");

    private record Value(Function<HttpServerRequest, String> read) implements ExchangeAttribute {

        @Override
        public String readAttribute(RoutingContext context) {
            return read.apply(context.request());
        }

        @Override
        public void writeAttribute(RoutingContext context, String value) throws ReadOnlyAttributeException {
            throw new ReadOnlyAttributeException("request", value);
        }
    }

    @Override
    public String name() {
        return "address without secrets";
    }

    @Override
    public ExchangeAttribute build(String token) {
        // The platform has a second name for each value as it was before a reroute, and the service reroutes nothing.
        return switch (token.replace("<", "")) {
            case "%U", "%{REQUEST_URL}" -> new Value(LoggedAddress::address);
            case "%q", "%{QUERY_STRING}" -> new Value(LoggedAddress::query);
            case "%{BARE_QUERY_STRING}" -> new Value(request -> query(request).replaceFirst("^\\?", ""));
            case "%r", "%{REQUEST_LINE}" -> new Value(LoggedAddress::line);
            default -> null;
        };
    }

    @Override
    public int priority() {
        return BEFORE_THE_PLATFORM;
    }

    private static String line(HttpServerRequest request) {
        return request.method().name() + ' ' + address(request) + ' ' + switch (request.version()) {
            case HTTP_1_0 -> "HTTP/1.0";
            case HTTP_1_1 -> "HTTP/1.1";
            case HTTP_2 -> "HTTP/2";
        };
    }

    private static String address(HttpServerRequest request) {
        String query = query(request);
        int end = request.uri().indexOf('?');
        return end < 0 ? request.uri() : request.uri().substring(0, end) + query;
    }

    /** With the question mark; empty without a query, and at the address of the sign-in. */
    private static String query(HttpServerRequest request) {
        int start = request.uri().indexOf('?');
        return start < 0 || request.uri().lastIndexOf("signed-in", start) >= 0
                ? ""
                : SECRET.matcher(request.uri().substring(start)).replaceAll("$1...");
    }
}
