package io.datasetlisting.faces.stac;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.aggregation.AggregationRequest;
import io.datasetlisting.catalogue.search.Search;
import io.datasetlisting.catalogue.search.SortKey;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.faces.collection.Collections;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.item.ItemFields;
import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.input.ParserThreads;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.http.netty.ClientMemory;
import io.datasetlisting.write.change.ChangeParameters;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Reads the searches of requests, for JSON and for pages. */
@Singleton
public class ItemRequests {

    /** The name of an item in sentences. */
    public static final String TYPE = "Dataset";

    /** Bytes that a page of a search holds for each item: the item, and its copy in the page. */
    public static final long MEMORY_OF_ITEM = 5_000;

    private final SearchBody parser;
    private final RequestBody bodies;
    private final ParserThreads threads;
    private final PageTokens tokens;
    private final ClientMemory memory;
    private final Collections collections;

    ItemRequests(SearchBody parser, RequestBody bodies, ParserThreads threads, PageTokens tokens, ClientMemory memory,
            Collections collections) {
        this.parser = parser;
        this.bodies = bodies;
        this.threads = threads;
        this.tokens = tokens;
        this.memory = memory;
        this.collections = collections;
    }

    /**
     * The search of a request.
     *
     * @param search
     *            from the position of the page
     * @param fields
     *            null for whole items
     * @param tokens
     *            write the tokens of other pages; null without pages
     */
    public record Asked(Search search, ItemFields fields, PageTokens.Signer tokens) {
    }

    /** Waits for room for a page of items, or of collections, which are not larger. */
    Uni<Void> room(RoutingContext context, int limit) {
        return memory.room(context, MEMORY_OF_ITEM * limit);
    }

    /** The search of a GET request for a search or for the items of a collection. Waits for room for its page. */
    public Uni<Asked> read(RoutingContext context) {
        return readSearch(context).chain(request -> open(context, request));
    }

    /** The search of a GET request whose items are all asked for. There is no page, and so no memory for one. */
    public Uni<Asked> readAll(RoutingContext context) {
        return readSearch(context).map(ItemRequests::all);
    }

    private Uni<SearchBody.Request> readSearch(RoutingContext context) {
        boolean isOfItems = Endpoint.of(context).path().endsWith(Endpoints.ITEMS);
        return collection(context).chain(in -> parse(context,
                isOfItems ? SearchBody.ITEM_PARAMETERS : SearchBody.SEARCH_PARAMETERS, body -> parser.parse(body, in)));
    }

    /** The search of a POST request whose items are all asked for. */
    public Uni<Asked> readAllOfBody(RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return bodies.object(context, ItemRequests::isSlow, body -> parser.parse(body, ItemCollection.DATASETS))
                .map(ItemRequests::all);
    }

    private static Asked all(SearchBody.Request request) {
        return new Asked(request.search(), request.fields(), null);
    }

    /** The condition of a GET request without pages, for the catalogue or a collection. */
    Uni<Expression> filter(RoutingContext context) {
        return collection(context)
                .chain(in -> parse(context, SearchBody.FILTER_PARAMETERS, body -> parser.parse(body, in)))
                .map(request -> request.search().filter());
    }

    /** The condition of the feed of changes, whose own parameters are no conditions. */
    Uni<Expression> filterOfChanges(RoutingContext context) {
        return parse(context, QueryString.parse(context.request().query()).without(ChangeParameters.NAMES),
                SearchBody.FILTER_PARAMETERS, body -> parser.parse(body, ItemCollection.DATASETS))
                .map(request -> request.search().filter());
    }

    /** The search of a POST request. Waits for room for its page. */
    Uni<Asked> readBody(RoutingContext context) {
        SearchQuery.refuseParameters(context);
        return bodies.object(context, ItemRequests::isSlow, body -> parser.parse(body, ItemCollection.DATASETS))
                .chain(request -> open(context, request));
    }

    /** The aggregations that a request asks for, by GET or by POST. */
    Uni<AggregationRequest> readAggregations(RoutingContext context) {
        if (context.request().method() != HttpMethod.POST) {
            return collection(context).chain(in -> parse(context, SearchBody.AGGREGATION_PARAMETERS,
                    body -> parser.parseAggregation(body, in)));
        }
        SearchQuery.refuseParameters(context);
        return collection(context).chain(in -> bodies.object(context, ItemRequests::isSlow,
                body -> parser.parseAggregation(body, in)));
    }

    /**
     * The search that finds one item.
     *
     * @param id
     *            as in the path
     *
     * @throws ApiException
     *             400 for a parameter, 404 if it is no id
     */
    public Uni<Search> one(String id, RoutingContext context) {
        long number = id(id, context);
        return collection(context).map(in -> new Search(
                Expression.and(in.and(List.of(new Expression.Ids(List.of(number))))),
                SortKey.BY_ID, 1, Search.Position.START));
    }

    /**
     * The id of an item in a path.
     *
     * @throws ApiException
     *             400 for a parameter, 404 if it is no id
     */
    public static long id(String id, RoutingContext context) {
        SearchQuery.refuseParameters(context);
        long number = PathId.parse(id, TYPE);
        if (!Long.toString(number).equals(id)) {
            throw ApiException.noSuch(TYPE);
        }
        return number;
    }

    /** The collection in the path; all datasets for a search. */
    private Uni<ItemCollection> collection(RoutingContext context) {
        return collections.of(context).map(in -> in == null ? ItemCollection.DATASETS : in);
    }

    private <T> Uni<T> parse(RoutingContext context, Set<String> parameters, Function<ObjectNode, T> reader) {
        return parse(context, QueryString.parse(context.request().query()), parameters, reader);
    }

    private <T> Uni<T> parse(RoutingContext context, QueryString query, Set<String> parameters,
            Function<ObjectNode, T> reader) {
        String text = context.request().query();
        if (text != null && RequestBody.isLong(text.length())) {
            return threads.run(context, () -> reader.apply(SearchQuery.body(query, context, parameters)));
        }
        ObjectNode body = SearchQuery.body(query, context, parameters);
        return isSlow(body)
                ? threads.run(context, () -> reader.apply(body))
                : Uni.createFrom().item(reader.apply(body));
    }

    /** The check of a geometry may take longer than the event loop may be blocked. */
    private static boolean isSlow(ObjectNode body) {
        return body.has("intersects") || body.has("filter");
    }

    private Uni<Asked> open(RoutingContext context, SearchBody.Request request) {
        return room(context, request.search().limit())
                .chain(() -> tokens.of(request, Caller.of(context)))
                .map(signer -> new Asked(request.token() == null
                        ? request.search()
                        : request.search().from(signer.read(request.token())), request.fields(), signer));
    }
}
