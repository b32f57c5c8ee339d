package io.datasetlisting.faces.stac;

import java.time.Clock;
import java.time.temporal.ChronoUnit;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Answers searches with pages of items, and single items. */
@Path(Endpoints.STAC)
@Produces({MediaTypes.GEO_JSON, MediaTypes.JSON})
public class SearchResource {

    private static final String COLLECTION = Endpoints.COLLECTIONS + "/{collection}";
    /** The items of a collection. */
    public static final String ITEMS = COLLECTION + Endpoints.ITEMS;
    /** An item of a collection. */
    public static final String ITEM = COLLECTION + Endpoints.ITEM;

    private final ItemRequests requests;
    private final Items items;
    private final ItemPageJson json;
    private final ItemJson itemJson;
    private final PublicUrl publicUrl;
    private final Clock clock;

    SearchResource(ItemRequests requests, Items items, ItemPageJson json, ItemJson itemJson, PublicUrl publicUrl,
            Clock clock) {
        this.requests = requests;
        this.items = items;
        this.json = json;
        this.itemJson = itemJson;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    @GET
    @Path(ITEMS)
    public Uni<Response> items(@Context RoutingContext context) {
        return search(context);
    }

    @GET
    @Path(Endpoints.STAC_SEARCH)
    public Uni<Response> search(@Context RoutingContext context) {
        return requests.read(context).chain(asked -> answer(context, asked));
    }

    @POST
    @Path(Endpoints.STAC_SEARCH)
    public Uni<Response> searchByBody(@Context RoutingContext context) {
        return requests.readBody(context).chain(asked -> answer(context, asked));
    }

    /** The response to POST has no tag, because caches do not keep it. */
    private Uni<Response> answer(RoutingContext context, ItemRequests.Asked asked) {
        boolean hasTag = context.request().method() != HttpMethod.POST;
        return items.find(asked.search(), Caller.of(context), publicUrl.of("", context.request()),
                result -> hasTag && itemJson.tag(result).isKnownTo(context))
                .map(page -> {
                    String tag = itemJson.tag(page.result()).toString();
                    return page.items() == null
                            ? EntityTag.notModified(tag)
                            : ok(context, json.write(page, asked, clock.instant().truncatedTo(ChronoUnit.SECONDS),
                                    context), hasTag ? tag : null);
                });
    }

    private static Response ok(RoutingContext context, byte[] body, String tag) {
        return Response.ok(body).type(Representation.of(context).mediaType()).header(HttpHeaders.ETAG, tag).build();
    }

    @GET
    @Path(ITEM)
    public Uni<Response> item(@PathParam("id") String id, @Context RoutingContext context) {
        return requests.one(id, context).chain(search -> items.find(search, Caller.of(context),
                publicUrl.of("", context.request()),
                result -> !result.revisions().isEmpty() && itemJson.tag(result.revisions().get(0)).isKnownTo(context)))
                .map(page -> {
                    if (page.result().revisions().isEmpty()) {
                        throw ApiException.noSuch(ItemRequests.TYPE);
                    }
                    String tag = itemJson.tag(page.result().revisions().get(0)).strong();
                    return page.items() == null
                            ? EntityTag.notModified(tag)
                            : ok(context, page.items().get(0).json(), tag);
                });
    }
}
