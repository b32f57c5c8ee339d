package io.datasetlisting.faces.stac;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.Representation;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the documents of the {@link Catalogue} as JSON. */
@Path(Endpoints.STAC)
@Produces({MediaTypes.JSON, MediaTypes.SCHEMA_JSON, MediaTypes.OPENAPI_3_0})
public class CatalogueResource {

    /** All documents. The platform prefers the resource methods whose paths name an address. */
    public static final String DOCUMENTS = "{path: .*}";

    private final Catalogue catalogue;
    private final ItemPageJson json;

    CatalogueResource(Catalogue catalogue, ItemPageJson json) {
        this.catalogue = catalogue;
        this.json = json;
    }

    @GET
    @Path(DOCUMENTS)
    public Uni<Response> read(@Context RoutingContext context) {
        return catalogue.document(context).map(document -> {
            byte[] body = json.bytes(document);
            return EntityTag.ofContent(body).respond(context, body, Representation.of(context).mediaType()).build();
        });
    }
}
