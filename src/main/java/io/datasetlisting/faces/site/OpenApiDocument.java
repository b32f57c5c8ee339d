package io.datasetlisting.faces.site;

import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;

import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.access.identity.ProviderScheme;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.http.input.QueryString;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers the OpenAPI document of the service to programs, as YAML or as JSON. The build makes both files of
 * {@code src/main/openapi}, so that the service neither parses nor writes the document. Only the provider of identities
 * comes from the configuration.
 */
@Singleton
public class OpenApiDocument {

    private static final String PATH = Endpoints.OPENAPI;

    /** The document has these addresses. The first one chooses by the parameter {@code format} and by {@code Accept}. */
    public static final List<String> PATHS = List.of(PATH, PATH + ".json", PATH + ".yaml", PATH + ".yml");

    private static final String FILE = "/openapi/openapi";

    private final StaticFiles files;

    OpenApiDocument(StaticFiles files, OidcConfig oidc) {
        this.files = files;
        Stream.of(".json", ".yaml")
                .forEach(type -> files.change(FILE + type, document -> ProviderScheme.describe(document, oidc)));
    }

    /** Handler for all methods but {@code OPTIONS}. It blocks, because the first request for a file reads the file. */
    public void answer(RoutingContext context) {
        HttpServerResponse response = context.response();
        boolean isJson = isJson(context);
        response.putHeader(HttpHeaders.VARY, "Accept, Accept-Encoding");
        response.putHeader(HttpHeaders.CONTENT_TYPE,
                (isJson ? MediaTypes.JSON : MediaTypes.YAML) + ";charset=UTF-8");
        StaticFiles.StaticFile file = files.file(FILE + (isJson ? ".json" : ".yaml"));
        response.putHeader(HttpHeaders.ETAG, file.tag().toString());
        if (file.tag().isKnownTo(context)) {
            response.setStatusCode(304).end();
            return;
        }
        Buffer body = file.choose(context);
        if (context.request().method() == HttpMethod.HEAD) {
            // The platform sets the length only with a body.
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length())).end();
        } else {
            response.end(body);
        }
    }

    private static boolean isJson(RoutingContext context) {
        String path = context.normalizedPath();
        if (PATHS.contains(path) && !path.equals(PATH)) {
            return path.endsWith(".json");
        }
        HttpServerRequest request = context.request();
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        List<String> formats = QueryString.parse(request.query()).getAll("format");
        return accept != null && accept.contains(MediaTypes.JSON)
                || !formats.isEmpty() && formats.get(0).equalsIgnoreCase("json");
    }
}
