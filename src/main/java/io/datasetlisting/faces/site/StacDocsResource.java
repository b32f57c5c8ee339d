package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.StaticFiles;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the documentation of {@code /stac}, and the files of both documentations, which also exist without the pages. */
@Path(Endpoints.STAC)
public class StacDocsResource {

    private final StaticFiles files;
    private final PageConfig config;

    StacDocsResource(StaticFiles files, PageConfig config) {
        this.files = files;
        this.config = config;
    }

    @GET
    @Path(Endpoints.API_PAGE)
    public Response page(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        String root = PublicUrl.root(context.normalizedPath());
        String documentation = StaticFiles.address(root, StaticFiles.DOCUMENTATION);
        Language language = Language.of(context);
        return HtmlPages.respond(config.enabled()
                ? new FramedStacDocsPage(layout(root, language), documentation)
                : new StacDocsPage(documentation), language, context);
    }

    private HtmlPages.Layout layout(String root, Language language) {
        Words words = Words.in(language);
        return HtmlPages.Layout.of(config, words.of("site:stac_docs_title"), words.of("site:stac_docs_description"),
                root, null);
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
