package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the page on which an owner finds its drafts. */
@Path(Endpoints.PAGES + Endpoints.DRAFTS)
@Produces(MediaTypes.HTML)
public class DraftsPageResource {

    private final UnlistedPages pages;

    DraftsPageResource(UnlistedPages pages) {
        this.pages = pages;
    }

    @GET
    @NonBlocking
    public Response page(@Context RoutingContext context) {
        return pages.answer(context, Endpoints.DRAFTS);
    }
}
