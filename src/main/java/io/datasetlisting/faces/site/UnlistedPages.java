package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.ScriptSentences;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the pages of an owner's datasets that no listing contains. Their script reads the datasets from the API. */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class UnlistedPages {

    private final PageConfig config;

    UnlistedPages(PageConfig config) {
        this.config = config;
    }

    /**
     * The page of the drafts or of the deleted datasets.
     *
     * @param kind
     *            the last segment of the address of the page, which is that of the API, too
     * @param sentences
     *            of the script, as JSON
     */
    @CheckedTemplate(basePath = "")
    record UnlistedPage(HtmlPages.Layout page, String heading, String kind, boolean isOfDrafts, boolean isAnonymous,
            String sentences) implements TemplateInstance {
    }

    @GET
    @Path(Endpoints.DELETED)
    @NonBlocking
    public Response deleted(@Context RoutingContext context) {
        return answer(context, Endpoints.DELETED);
    }

    @GET
    @Path(Endpoints.DRAFTS)
    @NonBlocking
    public Response drafts(@Context RoutingContext context) {
        return answer(context, Endpoints.DRAFTS);
    }

    private Response answer(RoutingContext context, String kind) {
        Language language = Language.of(context);
        Words words = Words.in(language);
        boolean isOfDrafts = kind.equals(Endpoints.DRAFTS);
        String heading = words.of(isOfDrafts ? "form:drafts" : "form:deleted");
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, heading, context);
        return HtmlPages.respond(new UnlistedPage(layout, heading, kind, isOfDrafts, Caller.of(context).isAnonymous(),
                ScriptSentences.ofOwners(language.tag())), language, context);
    }
}
