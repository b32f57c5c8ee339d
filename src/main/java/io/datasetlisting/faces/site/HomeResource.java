package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;

/** Redirects the root of the service to the list of datasets. */
@Path(Endpoints.HOME)
@Produces(MediaTypes.HTML)
public class HomeResource {

    private final PublicUrl publicUrl;

    HomeResource(PublicUrl publicUrl) {
        this.publicUrl = publicUrl;
    }

    @GET
    @NonBlocking
    public Response redirect(@Context RoutingContext context) {
        return Response.status(302)
                .header(HttpHeaders.LOCATION, publicUrl.of(Endpoints.PAGES, context.request())).build();
    }
}
