package io.datasetlisting.faces.transaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.catalogue.search.Search;
import io.datasetlisting.catalogue.search.SearchRepository;
import io.datasetlisting.catalogue.search.SortKey;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.GeometryReader;
import io.datasetlisting.faces.item.ItemInput;
import io.datasetlisting.faces.item.ItemInput.Write;
import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.faces.stac.ItemJson;
import io.datasetlisting.faces.stac.ItemPageJson;
import io.datasetlisting.faces.stac.ItemRequests;
import io.datasetlisting.faces.stac.Links;
import io.datasetlisting.faces.stac.SearchResource;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.http.netty.ClientMemory;
import io.datasetlisting.write.edit.DatasetEditRepository;
import io.datasetlisting.write.edit.DatasetInput;
import io.datasetlisting.write.edit.IdempotencyKey;
import io.datasetlisting.write.edit.VisibleDatasets;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Creates, replaces, changes and deletes items. The rights and the rules of the values are those of the API of the listing.
 *
 * @see <a href="https://github.com/stac-api-extensions/transaction">Transaction extension of STAC API</a>
 * @see <a href="https://docs.ogc.org/DRAFTS/20-002r1.html">OGC API - Features Part 4</a>
 */
@Path(Endpoints.STAC)
@Produces({MediaTypes.GEO_JSON, MediaTypes.JSON})
public class TransactionResource {

    /** Largest number of items of a collection. */
    static final int MAX_ITEMS = 1_000;

    private static final List<String> ITEM_TYPES = List.of(MediaTypes.GEO_JSON, MediaTypes.JSON);
    private static final List<String> PATCH_TYPES = List.of(MediaTypes.MERGE_PATCH, MediaTypes.GEO_JSON,
            MediaTypes.JSON);

    private static final String FEATURES = "features";
    /** Members of a collection that say nothing of its items. */
    private static final List<String> COLLECTION_MEMBERS = List.of("type", FEATURES, "links", "numberMatched",
            "numberReturned", "timeStamp", "bbox", "name", "crs");

    private static final Pattern CRS_HEADER = Pattern.compile("<?([^>]*)>?");

    private final DatasetEditRepository datasets;
    private final DatasetInput newDatasets;
    private final DatasetFields fields;
    private final ItemInput input;
    private final ItemJson json;
    private final RequestBody bodies;
    private final SearchRepository searches;
    private final ClientMemory memory;
    private final PublicUrl publicUrl;

    TransactionResource(DatasetEditRepository datasets, DatasetInput newDatasets, DatasetFields fields, ItemInput input,
            ItemJson json, RequestBody bodies, SearchRepository searches, ClientMemory memory, PublicUrl publicUrl) {
        this.datasets = datasets;
        this.newDatasets = newDatasets;
        this.fields = fields;
        this.input = input;
        this.json = json;
        this.bodies = bodies;
        this.searches = searches;
        this.memory = memory;
        this.publicUrl = publicUrl;
    }

    /**
     * The items of a body.
     *
     * @param ids
     *            the ids that the items have in the body, if they could be ids of the service
     * @param leftOut
     *            the parts of the body that are not stored
     * @param key
     *            null without one
     */
    private record NewItems(List<Dataset> datasets, List<Long> ids, boolean isCollection, LeftOut leftOut,
            IdempotencyKey key) {
    }

    @POST
    @Path(SearchResource.ITEMS)
    public Uni<Response> create(@Context RoutingContext context) {
        SearchQuery.refuseParameters(context);
        checkReferenceSystem(context);
        Caller caller = Caller.of(context);
        Preferences preferences = Preferences.of(context.request());
        String key = IdempotencyKey.of(context.request());
        // Evaluated before the insert, because it fails for a request without a host.
        String base = publicUrl.of("", context.request());
        return bodies.item(context, ITEM_TYPES, true, body -> newItems(body, caller, preferences, key, base))
                .call(items -> checkNew(items.ids, caller))
                .call(items -> preferences.isMinimal()
                        ? Uni.createFrom().voidItem()
                        : memory.room(context, ItemRequests.MEMORY_OF_ITEM * items.datasets.size()))
                .chain(items -> datasets.createAll(items.datasets, Author.of(context), items.key)
                        .map(created -> (items.isCollection
                                ? created(created, preferences, base, context)
                                : created(created.get(0), preferences, base, context))
                                .header(LeftOut.HEADER, items.leftOut.value()).build()));
    }

    private NewItems newItems(JsonNode body, Caller caller, Preferences preferences, String key, String base) {
        boolean isCollection = body.path("type").asText().equals("FeatureCollection");
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        List<Dataset> created = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        LeftOut leftOut = new LeftOut();
        if (isCollection) {
            checkCollection(body, preferences.isStrict() ? null : leftOut, errors);
        }
        ObjectNode template = template(newDatasets.newDataset(caller), base);
        int count = isCollection ? body.get(FEATURES).size() : 1;
        for (int i = 0; i < count && errors.size() < ItemInput.MAX_ERRORS; i++) {
            JsonNode sent = isCollection ? body.get(FEATURES).get(i) : body;
            Dataset dataset = newDatasets.newDataset(caller);
            input.read(sent, template, Write.CREATE, preferences.isStrict() ? null : leftOut, dataset,
                    isCollection ? FEATURES + '.' + i + '.' : "", errors);
            created.add(dataset);
            String id = sent.path("id").asText();
            if (id.matches("[1-9]\\d{0,17}")) {
                ids.add(Long.valueOf(id));
            }
        }
        check(errors);
        return new NewItems(created, ids, isCollection, leftOut, key == null
                ? null
                // The API of the listing has the same keys.
                : new IdempotencyKey(caller.accountId(), key, Sha256.of(Endpoints.ITEMS + body)));
    }

    /**
     * @param leftOut
     *            null if a member that cannot be kept is an error
     */
    private static void checkCollection(JsonNode body, LeftOut leftOut, ObjectNode errors) {
        JsonNode features = body.path(FEATURES);
        if (!features.isArray() || features.isEmpty() || features.size() > MAX_ITEMS) {
            errors.putArray(FEATURES).add("Expected 1 to " + MAX_ITEMS + " items.");
            check(errors);
        }
        if (!GeometryReader.isCrs84(body.path("crs"))) {
            errors.putArray("crs").add("The only coordinate reference system is CRS84.");
        }
        body.fieldNames().forEachRemaining(name -> {
            if (COLLECTION_MEMBERS.contains(name)) {
                return;
            }
            if (leftOut != null) {
                leftOut.accept(name);
            } else if (errors.size() < ItemInput.MAX_ERRORS) {
                errors.putArray(ApiException.shorten(name)).add("The service cannot keep this.");
            }
        });
    }

    private static void check(ObjectNode errors) {
        if (!errors.isEmpty()) {
            throw ApiException.invalid(errors);
        }
    }

    /** An item of a new dataset, which shows the members that the service writes itself. */
    private ObjectNode template(Dataset dataset, String base) {
        dataset.coordinates = new double[2];
        return json.tree(fields.all().stored(dataset), base);
    }

    /** Fails with 409 if the caller sees an item with one of the ids. */
    private Uni<Void> checkNew(List<Long> ids, Caller caller) {
        if (ids.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Search search = new Search(new Expression.Ids(ids), SortKey.BY_ID, 1, Search.Position.START);
        return searches.search(search, caller).invoke(found -> {
            if (found.count() > 0) {
                throw new ApiException(409, "There is an item with the id " + found.revisions().get(0).id()
                        + " already. An item without an id is a new one.");
            }
        }).replaceWithVoid();
    }

    private Response.ResponseBuilder created(Dataset dataset, Preferences preferences, String base,
            RoutingContext context) {
        StoredDataset stored = fields.all().stored(dataset);
        return response(201, preferences, () -> json.write(stored, base), context)
                .header(HttpHeaders.LOCATION, Links.item(base, dataset.id))
                .header(HttpHeaders.ETAG, json.tag(stored.revision()).strong());
    }

    private Response.ResponseBuilder created(List<Dataset> created, Preferences preferences, String base,
            RoutingContext context) {
        return response(201, preferences,
                () -> ItemPageJson.join(
                        "{\"type\":\"FeatureCollection\",\"features\":[]}".getBytes(StandardCharsets.UTF_8),
                        created.stream().map(dataset -> json.write(fields.all().stored(dataset), base)).toList()),
                context);
    }

    /** A response with a body, unless the client prefers none. */
    private static Response.ResponseBuilder response(int status, Preferences preferences, Supplier<byte[]> body,
            RoutingContext context) {
        Response.ResponseBuilder response = preferences.isMinimal()
                ? Response.status(status == 200 ? 204 : status)
                : Response.status(status).type(Representation.of(context).mediaType()).entity(body.get());
        return response.header(Preferences.APPLIED, preferences.applied());
    }

    /** Replaces an item. A property that the item does not have gets the value of a new dataset, if an item can be without it. */
    @PUT
    @Path(SearchResource.ITEM)
    public Uni<Response> put(@PathParam("id") String id, @Context RoutingContext context) {
        return change(id, Write.REPLACE, ITEM_TYPES, context);
    }

    /** Changes the members of an item that the request has, by a merge patch. */
    @PATCH
    @Path(SearchResource.ITEM)
    public Uni<Response> patch(@PathParam("id") String id, @Context RoutingContext context) {
        return change(id, Write.UPDATE, PATCH_TYPES, context);
    }

    private Uni<Response> change(String id, Write write, List<String> mediaTypes, RoutingContext context) {
        long number = ItemRequests.id(id, context);
        checkReferenceSystem(context);
        Preferences preferences = Preferences.of(context.request());
        String base = publicUrl.of("", context.request());
        LeftOut leftOut = new LeftOut();
        return bodies.item(context, mediaTypes, false, body -> body)
                .chain(body -> datasets.change(number, Author.of(context), AuditAction.CHANGE_DATASET, dataset -> {
                    checkWritable(dataset, write == Write.REPLACE, context);
                    ObjectNode errors = JsonNodeFactory.instance.objectNode();
                    leftOut.clear();
                    input.read(body, json.tree(fields.all().stored(dataset), base), write,
                            preferences.isStrict() ? null : leftOut, dataset, "", errors);
                    check(errors);
                })).map(dataset -> {
                    StoredDataset stored = fields.all().stored(dataset);
                    return response(200, preferences, () -> json.write(stored, base), context)
                            .header(HttpHeaders.ETAG, json.tag(stored.revision()).strong())
                            .header(LeftOut.HEADER, leftOut.value()).build();
                });
    }

    /** Hides the dataset of the item, as the API of the listing does. */
    @DELETE
    @Path(SearchResource.ITEM)
    public Uni<Void> delete(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets
                .change(ItemRequests.id(id, context), Author.of(context), AuditAction.DELETE_DATASET, dataset -> {
                    checkWritable(dataset, false, context);
                    dataset.isDeleted = true;
                }).replaceWithVoid();
    }

    /**
     * @param dataset
     *            null if it does not exist
     * @param isReplaced
     *            whether a precondition is checked first, as Part 4 has it for PUT
     */
    private void checkWritable(Dataset dataset, boolean isReplaced, RoutingContext context) {
        // A draft has no location, and so is no item.
        Dataset item = dataset == null || dataset.coordinates == null ? null : dataset;
        if (isReplaced && (item == null || !item.isVisibleTo(Caller.of(context)))
                && context.request().headers().contains(HttpHeaders.IF_MATCH)) {
            throw new ApiException(412, "Precondition failed: there is no such item.");
        }
        VisibleDatasets.check(item, context);
        if (!item.isWritableBy(Caller.of(context))) {
            throw ApiException.forbidden();
        }
        json.tag(fields.all().stored(item).revision()).checkPrecondition(context);
    }

    private static void checkReferenceSystem(RoutingContext context) {
        String crs = context.request().getHeader("Content-Crs");
        if (crs != null && !GeometryReader.isCrs84(CRS_HEADER.matcher(crs.strip()).replaceFirst("$1"))) {
            throw new ApiException(400, "Content-Crs: the only coordinate reference system is CRS84.");
        }
    }
}
