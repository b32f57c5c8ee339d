package io.datasetlisting.stac;

import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.StaticFiles;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the page that shows the OpenAPI document to people: Swagger UI from the class path, without any other host. */
@Path(Endpoints.STAC)
public class ApiPageResource {

    private static final String ANY = Endpoints.API + "{file: (\\.html|/.*)}";

    private static final String SWAGGER_UI = "/META-INF/resources/webjars/swagger-ui/" + Endpoints.SWAGGER_UI_VERSION;

    /** The file on the class path for each address. */
    private static final Map<String, String> FILES = Map.of(
            Endpoints.STAC + Endpoints.API_PAGE, "/stac/api.html",
            Endpoints.STAC + Endpoints.API_SCRIPT, "/stac/page.js",
            Endpoints.STAC + Endpoints.SWAGGER_UI_SCRIPT, SWAGGER_UI + "/swagger-ui-bundle.js",
            Endpoints.STAC + Endpoints.SWAGGER_UI_STYLE, SWAGGER_UI + "/swagger-ui.css");

    private final StaticFiles files;

    ApiPageResource(StaticFiles files) {
        this.files = files;
    }

    /** The first request for a file reads and compresses it, which takes longer than an event loop may be blocked. */
    @GET
    @Path(ANY)
    @Blocking
    public Response read(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return files.answer(context, FILES);
    }
}
