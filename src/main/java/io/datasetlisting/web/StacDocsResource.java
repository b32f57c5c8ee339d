package io.datasetlisting.web;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.stac.SearchQuery;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the documentation of {@code /stac}, and the files of both documentations, which also exist without the pages. */
@Path(Endpoints.STAC)
public class StacDocsResource {

    private final StaticFiles files;

    StacDocsResource(StaticFiles files) {
        this.files = files;
    }

    /**
     * The page that shows an OpenAPI document: Swagger UI from the class path, without any other host.
     *
     * @param root
     *            relative address of the service
     * @param files
     *            relative address of the files of the page
     * @param isWhole
     *            whether the page shows the document of the service, or only that of {@code /stac}
     */
    @CheckedTemplate(basePath = "")
    record DocsPage(String root, String files, boolean isWhole) implements TemplateInstance {

        static Response answer(RoutingContext context, boolean isWhole) {
            String root = PublicUrl.root(context.normalizedPath());
            byte[] page = HtmlPages.render(
                    new DocsPage(root, StaticFiles.address(root, StaticFiles.DOCUMENTATION), isWhole));
            return EntityTag.ofContent(page).respond(context, page, MediaTypes.HTML).build();
        }
    }

    @GET
    @Path(Endpoints.API_PAGE)
    public Response page(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return DocsPage.answer(context, false);
    }

    /** The first request for a file reads and compresses it, which takes longer than an event loop may be blocked. */
    @GET
    @Path(Endpoints.API + "/{file: .+}")
    @Blocking
    public Response file(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return files.answer(context);
    }
}
