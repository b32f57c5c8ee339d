package io.datasetlisting.stac;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.UnicodeEscapes;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the addresses of {@code /stac} that describe the catalogue: all but items, search and the page for people. */
@Path(Endpoints.STAC)
public class CatalogueResource {

    /** The platform prefers the resource methods whose paths name an address. */
    private static final String ANY = "{path: .*}";

    private final CatalogueJson json;
    private final CollectionExtents extents;
    private final ItemSchema schemas;
    private final StacOpenApi openApi;
    private final DocumentPages pages;
    private final PublicUrl publicUrl;
    private final ObjectMapper mapper;

    public CatalogueResource(CatalogueJson json, CollectionExtents extents, ItemSchema schemas, StacOpenApi openApi,
            DocumentPages pages, PublicUrl publicUrl, ObjectMapper mapper) {
        this.json = json;
        this.extents = extents;
        this.schemas = schemas;
        this.openApi = openApi;
        this.pages = pages;
        this.publicUrl = publicUrl;
        this.mapper = mapper;
    }

    /** One method for all addresses, because they differ only in the document. */
    @GET
    @Path(ANY)
    public Uni<Response> read(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return DocumentPages.isPage(context)
                ? page(context)
                : document(context).map(document -> json(document, context));
    }

    private Uni<Response> page(RoutingContext context) {
        if (Endpoint.of(context).path().equals(Endpoints.STAC + Endpoints.API)) {
            // Relative to the directory of this address, where the page is.
            return Uni.createFrom().item(Response.status(303)
                    .header(HttpHeaders.LOCATION, Endpoints.API_PAGE.substring(1)).build());
        }
        // The version is read first: a change while the document is made then has a later version.
        return pages.version(context).chain(version -> document(context)
                .chain(document -> pages.answer(context, () -> document, List.of(), version)));
    }

    private Uni<ObjectNode> document(RoutingContext context) {
        Links links = Links.of(publicUrl, context);
        String path = Endpoint.of(context).path().substring(Endpoints.STAC.length());
        ItemCollection of = ItemCollection.of(path);
        return of == null
                ? ofCatalogue(path, links, context)
                : ofCollection(of, path.substring(of.path().length()), links, context);
    }

    private Uni<ObjectNode> ofCatalogue(String path, Links links, RoutingContext context) {
        return switch (path) {
            case "", "/" -> Uni.createFrom().item(json.landingPage(links));
            case Endpoints.CONFORMANCE -> Uni.createFrom().item(json.conformance());
            case Endpoints.API -> Uni.createFrom().item(openApi.document(links.href("")));
            case Endpoints.COLLECTIONS -> collections(List.of(ItemCollection.values()), context)
                    .map(collections -> json.collections(links, collections));
            case Endpoints.QUERYABLES -> Uni.createFrom().item(schemas.queryables(links.asked()));
            case Endpoints.SORTABLES -> Uni.createFrom().item(schemas.sortables(links.asked()));
            default -> throw ApiException.notFound();
        };
    }

    private Uni<ObjectNode> ofCollection(ItemCollection of, String path, Links links, RoutingContext context) {
        return switch (path) {
            case "" -> collections(List.of(of), context).map(collections -> collections.get(0));
            case Endpoints.QUERYABLES -> Uni.createFrom().item(schemas.queryables(links.asked()));
            case Endpoints.SORTABLES -> Uni.createFrom().item(schemas.sortables(links.asked()));
            case Endpoints.SCHEMA -> Uni.createFrom().item(schemas.schema(links.asked()));
            default -> throw ApiException.notFound();
        };
    }

    private Uni<List<ObjectNode>> collections(List<ItemCollection> asked, RoutingContext context) {
        return extents.of(Caller.of(context)).map(found -> asked.stream()
                .map(of -> json.collection(Links.of(publicUrl, context), of, found)).toList());
    }

    private Response json(ObjectNode document, RoutingContext context) {
        byte[] body = bytes(document);
        return EntityTag.ofContent(body).respond(context, body, Representation.of(context).mediaType()).build();
    }

    private byte[] bytes(ObjectNode document) {
        try {
            return UnicodeEscapes.in(mapper.writeValueAsBytes(document));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can be written", e);
        }
    }
}
