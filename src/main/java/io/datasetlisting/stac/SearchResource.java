package io.datasetlisting.stac;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.ClientMemory;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PathId;
import io.datasetlisting.http.PercentEncoding;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.input.ParserThreads;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.input.RequestBody;
import io.datasetlisting.input.StrictJson;
import io.datasetlisting.listing.Filter;
import io.datasetlisting.listing.Search;
import io.datasetlisting.listing.SearchResult;
import io.datasetlisting.listing.SortKey;
import io.datasetlisting.storage.ThumbnailLinks;
import io.datasetlisting.web.Card;
import io.datasetlisting.web.DatasetPages;
import io.datasetlisting.web.JsonView;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Answers searches with pages of items, and single items. */
@Path(Endpoints.STAC)
@Produces({MediaTypes.GEO_JSON, MediaTypes.JSON, MediaTypes.HTML})
public class SearchResource {

    private static final String TYPE = "Dataset";
    private static final String COLLECTION = Endpoints.COLLECTIONS + "/{collection}";
    /**
     * The end of all tags, which are made from datasets. A release that writes the same dataset as another item changes it, so that no client
     * keeps an item of the release before.
     */
    private static final String FORM = "-2";
    /** Bytes that a page of a search holds for each item: the item, and its copy in the page. */
    private static final long MEMORY_OF_ITEM = 5_000;

    private final SearchBody parser;
    private final RequestBody bodies;
    private final ParserThreads threads;
    private final PageTokens tokens;
    private final Items items;
    private final ItemPageJson json;
    private final DocumentPages pages;
    private final DatasetPages datasets;
    private final ThumbnailLinks thumbnails;
    private final PublicUrl publicUrl;
    private final ClientMemory memory;
    private final Clock clock;

    SearchResource(SearchBody parser, RequestBody bodies, ParserThreads threads, PageTokens tokens, Items items,
            ItemPageJson json, DocumentPages pages, DatasetPages datasets, ThumbnailLinks thumbnails,
            PublicUrl publicUrl, ClientMemory memory, Clock clock) {
        this.parser = parser;
        this.bodies = bodies;
        this.threads = threads;
        this.tokens = tokens;
        this.items = items;
        this.json = json;
        this.pages = pages;
        this.datasets = datasets;
        this.thumbnails = thumbnails;
        this.publicUrl = publicUrl;
        this.memory = memory;
        this.clock = clock;
    }

    @GET
    @Path(COLLECTION + Endpoints.ITEMS)
    public Uni<Response> items(@Context RoutingContext context) {
        return search(context, SearchBody.ITEM_PARAMETERS, collection(context));
    }

    private static ItemCollection collection(RoutingContext context) {
        return ItemCollection.of(Endpoint.of(context).path().substring(Endpoints.STAC.length()));
    }

    @GET
    @Path(Endpoints.STAC_SEARCH)
    public Uni<Response> search(@Context RoutingContext context) {
        return search(context, SearchBody.SEARCH_PARAMETERS, ItemCollection.DATASETS);
    }

    @POST
    @Path(Endpoints.STAC_SEARCH)
    public Uni<Response> searchByBody(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return bodies.object(context, SearchResource::isSlow, body -> parser.parse(body, ItemCollection.DATASETS))
                .chain(request -> answer(context, request, null));
    }

    private Uni<Response> search(RoutingContext context, Set<String> parameters, ItemCollection in) {
        QueryString query = query(context);
        return parse(context, query, parameters, in).chain(request -> answer(context, request, query));
    }

    private Uni<SearchRequest> parse(RoutingContext context, QueryString query, Set<String> parameters,
            ItemCollection in) {
        if (isLong(context.request().query())) {
            return threads.run(context, () -> parser.parse(SearchQuery.body(query, context, parameters), in));
        }
        ObjectNode body = SearchQuery.body(query, context, parameters);
        return isSlow(body)
                ? threads.run(context, () -> parser.parse(body, in))
                : Uni.createFrom().item(parser.parse(body, in));
    }

    private static boolean isLong(String query) {
        return query != null && RequestBody.isLong(query.length());
    }

    /** The check of a geometry may take longer than the event loop may be blocked. */
    private static boolean isSlow(ObjectNode body) {
        return body.has("intersects") || body.has("filter");
    }

    private static QueryString query(RoutingContext context) {
        return QueryString.parse(context.request().query());
    }

    /**
     * @param query
     *            null for a search by POST
     */
    private Uni<Response> answer(RoutingContext context, SearchRequest request, QueryString query) {
        HttpServerRequest http = context.request();
        Caller caller = Caller.of(context);
        String base = publicUrl.of("", http);
        String path = Endpoint.of(context).path();
        SearchLinks links = new SearchLinks(base, path, base + PercentEncoding.address(path, http.query()), query,
                Endpoint.of(context).hasPageBesideJson());
        Uni<PageTokens.Signer> signing = memory.room(context, MEMORY_OF_ITEM * request.search().limit())
                .chain(() -> tokens.of(request, caller));
        return signing.chain(signer -> {
            Search search = request.token() == null
                    ? request.search()
                    : request.search().from(signer.read(request.token()));
            if (DocumentPages.isPage(context)) {
                return items.findDatasets(search.atMost(DocumentPages.MAX_ITEMS), caller, base)
                        .chain(found -> page(context, found, request, links, signer));
            }
            return items.find(search, caller, base, result -> query != null && tag(result).isKnownTo(context))
                    .map(page -> {
                        String tag = tag(page.result()).toString();
                        return page.items() == null
                                ? notModified(tag)
                                : Response.ok(write(page, request, now(), links, signer))
                                        .type(Representation.of(context).mediaType())
                                        .header(HttpHeaders.ETAG, query == null ? null : tag).build();
                    });
        });
    }

    /** The page has no time stamp, so that it can be cached. */
    private Uni<Response> page(RoutingContext context, Items.PageOfDatasets found, SearchRequest request,
            SearchLinks links, PageTokens.Signer signer) {
        ThumbnailLinks.Signer pictures = thumbnails.signer();
        List<Card> cards = found.datasets().stream().map(dataset -> Card.of(dataset, pictures::link)).toList();
        return pages.answer(context, () -> tree(write(found.page(), request, null, links, signer)), cards,
                new DocumentPages.Version(found.page().result().listing(), pictures.id()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * @param timeStamp
     *            null for none
     */
    private byte[] write(Items.Page page, SearchRequest request, Instant timeStamp, SearchLinks links,
            PageTokens.Signer signer) {
        return json.write(page, request.fields(), timeStamp, links.of(page.result(), signer::write));
    }

    private static JsonNode tree(byte[] json) {
        return StrictJson.parse(json, 0, json.length);
    }

    /** The tag is weak, because the time stamp of a page and the tokens in its links differ from response to response. */
    private static EntityTag tag(SearchResult result) {
        return new EntityTag(Revision.hash(result.revisions(), result.count()), "items" + FORM);
    }

    private static Response notModified(String tag) {
        return Response.notModified().header(HttpHeaders.ETAG, tag).build();
    }

    @GET
    @Path(COLLECTION + Endpoints.ITEM)
    public Uni<Response> item(@PathParam("id") String id, @Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        long number = PathId.parse(id, TYPE);
        if (!Long.toString(number).equals(id)) {
            throw ApiException.noSuch(TYPE);
        }
        Search search = new Search(
                Filter.NONE.matching(collection(context).and(List.of(new Expression.Ids(List.of(number))))),
                List.of(SortKey.id(false)), 1, Search.Position.START);
        if (DocumentPages.isPage(context)) {
            return items.find(search, Caller.of(context), publicUrl.of("", context.request()), result -> false)
                    .chain(page -> {
                        if (page.items().isEmpty()) {
                            throw ApiException.noSuch(TYPE);
                        }
                        return datasets.answer(context, id,
                                JsonView.of(tree(page.items().get(0).json())));
                    });
        }
        return items.find(search, Caller.of(context), publicUrl.of("", context.request()),
                result -> !result.revisions().isEmpty() && tag(result.revisions().get(0)).isKnownTo(context))
                .map(page -> {
                    if (page.result().revisions().isEmpty()) {
                        throw ApiException.noSuch(TYPE);
                    }
                    String tag = tag(page.result().revisions().get(0)).toString();
                    return page.items() == null
                            ? notModified(tag)
                            : Response.ok(page.items().get(0).json()).type(Representation.of(context).mediaType())
                                    .header(HttpHeaders.ETAG, tag).build();
                });
    }

    private static EntityTag tag(Revision revision) {
        return new EntityTag(revision.version(), Long.toString(revision.updated(), Character.MAX_RADIX) + FORM);
    }
}
