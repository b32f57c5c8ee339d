package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;

/**
 * The page to which the provider of identities sends a reader back. Its script hands the parameters of the address to the page in
 * which the reader has begun, and closes the window: the service does not read them.
 */
@Path(Endpoints.PAGES + Endpoints.SIGNED_IN)
@Produces(MediaTypes.HTML)
public class SignedInResource {

    private final PageConfig config;

    SignedInResource(PageConfig config) {
        this.config = config;
    }

    @CheckedTemplate(basePath = "")
    record SignedInPage(HtmlPages.Layout page) implements TemplateInstance {
    }

    @GET
    @NonBlocking
    public Response page(@Context RoutingContext context) {
        Language language = Language.of(context);
        String title = Words.in(language).of("site:signed_in");
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, title, context);
        return Response.ok(HtmlPages.render(new SignedInPage(layout), language))
                .header(HttpHeaders.CONTENT_TYPE, MediaTypes.HTML)
                // The address has a code, which no cache needs to know, and no other site either.
                .header(HttpHeaders.CACHE_CONTROL, "no-store").header("Referrer-Policy", "no-referrer").build();
    }
}
