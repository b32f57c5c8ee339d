package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
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

    private final PageConfig config;
    private final PublicUrl publicUrl;

    AssetResource(StaticFiles files, PageConfig config, PublicUrl publicUrl) {
        this.files = files;
        this.config = config;
        this.publicUrl = publicUrl;
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
        return files.answer(context, "/openapi/openapi"
                + (Representation.of(context).mediaType().equals(MediaTypes.JSON) ? ".json" : ".yaml"));
    }

    @GET
    @Path(Endpoints.DOCS)
    public Response documentation(@Context RoutingContext context) {
        String root = PublicUrl.root(context.normalizedPath());
        Language language = Language.of(context);
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, "API", Words.in(language).of("site:docs_description"),
                root, null);
        return HtmlPages.respond(new DocsPage(layout, StaticFiles.address(root, StaticFiles.DOCUMENTATION),
                publicUrl.of("/", context.request())), language, context);
    }
}
