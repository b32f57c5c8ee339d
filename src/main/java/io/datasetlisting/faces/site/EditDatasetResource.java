package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.write.edit.VisibleDatasets;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the form that changes a dataset. A dataset that the caller may not read is not found. */
@Path(Endpoints.PAGES + Endpoints.EDIT)
@Produces(MediaTypes.HTML)
public class EditDatasetResource {

    private final DatasetForms forms;
    private final VisibleDatasets datasets;

    EditDatasetResource(DatasetForms forms, VisibleDatasets datasets) {
        this.forms = forms;
        this.datasets = datasets;
    }

    @GET
    public Uni<Response> form(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets.find(id, context).map(dataset -> forms.answer(context, dataset));
    }
}
