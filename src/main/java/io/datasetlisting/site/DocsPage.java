package io.datasetlisting.site;

import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.web.HtmlPages;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;

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
