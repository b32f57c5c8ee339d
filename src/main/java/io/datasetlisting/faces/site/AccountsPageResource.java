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

/** Answers the page on which admins see accounts and make new ones. */
@Path(Endpoints.PAGES + Endpoints.ACCOUNTS_PAGE)
@Produces(MediaTypes.HTML)
public class AccountsPageResource {

    private final AccessPages pages;

    AccountsPageResource(AccessPages pages) {
        this.pages = pages;
    }

    @GET
    @NonBlocking
    public Response page(@Context RoutingContext context) {
        return pages.answerAccounts(context);
    }
}
