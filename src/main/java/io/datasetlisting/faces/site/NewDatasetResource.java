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

/** Answers the form for a new dataset. */
@Path(Endpoints.PAGES + Endpoints.NEW)
@Produces(MediaTypes.HTML)
public class NewDatasetResource {

    private final DatasetForms forms;

    NewDatasetResource(DatasetForms forms) {
        this.forms = forms;
    }

    @GET
    @NonBlocking
    public Response form(@Context RoutingContext context) {
        return forms.answer(context, null);
    }
}
