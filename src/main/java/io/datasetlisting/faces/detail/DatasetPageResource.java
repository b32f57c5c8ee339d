package io.datasetlisting.faces.detail;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers one dataset as a page for people. */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class DatasetPageResource {

    private final DatasetPages pages;

    DatasetPageResource(DatasetPages pages) {
        this.pages = pages;
    }

    @GET
    @Path(Endpoints.ID)
    public Uni<Response> read(@PathParam("id") String id, @Context RoutingContext context) {
        return pages.answer(context, id, null);
    }
}
