package io.datasetlisting.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.StaticFiles;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers the files of the pages, and the documentation of the API. The first request for a file reads and compresses it, which
 * takes longer than an event loop may be blocked.
 */
@Path("/")
public class AssetResource {

    private final StaticFiles files;

    AssetResource(StaticFiles files) {
        this.files = files;
    }

    @GET
    @Path(StaticFiles.ASSETS + "{file: .+}")
    @Blocking
    public Response file(@Context RoutingContext context) {
        return files.answer(context);
    }

    @GET
    @Path(Endpoints.DOCS + Endpoints.DOCUMENT)
    @Blocking
    public Response document(@Context RoutingContext context) {
        return files.answer(context, "/openapi/openapi.yaml");
    }

    @GET
    @Path(Endpoints.DOCS)
    public Response documentation(@Context RoutingContext context) {
        return DocsPage.answer(context, true);
    }
}
