package io.datasetlisting.faces.download;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;

import org.jboss.resteasy.reactive.RestMulti;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.StreamRepository;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.format.FileThreads;
import io.datasetlisting.faces.stac.ItemRequests;
import io.datasetlisting.faces.stac.ItemRequests.Asked;
import io.datasetlisting.faces.stac.SearchResource;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.write.bulk.Transfers;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Answers all items of a search as one file. The limit and the token of a page have no effect. */
@Path(Endpoints.STAC)
@Produces(MediaTypes.GEO_PARQUET)
public class ItemFileResource {

    /** Browsers save the file under this name. */
    private static final String FILE = "attachment; filename=\"items.%s\"";

    private final ItemRequests requests;
    private final StreamRepository repository;
    private final ItemFiles items;
    private final FileThreads files;
    private final Transfers transfers;
    private final PublicUrl publicUrl;

    ItemFileResource(ItemRequests requests, StreamRepository repository, ItemFiles items, FileThreads files,
            Transfers transfers, PublicUrl publicUrl) {
        this.requests = requests;
        this.repository = repository;
        this.items = items;
        this.files = files;
        this.transfers = transfers;
        this.publicUrl = publicUrl;
    }

    @GET
    @Path(SearchResource.ITEMS)
    public RestMulti<byte[]> items(@Context RoutingContext context) {
        return columns(requests.readAll(context), context);
    }

    @GET
    @Path(SearchResource.ITEMS)
    @Produces(MediaTypes.FLAT_GEOBUF)
    public RestMulti<byte[]> indexedItems(@Context RoutingContext context) {
        return indexed(requests.readAll(context), context);
    }

    @GET
    @Path(Endpoints.STAC_SEARCH)
    public RestMulti<byte[]> search(@Context RoutingContext context) {
        return columns(requests.readAll(context), context);
    }

    @GET
    @Path(Endpoints.STAC_SEARCH)
    @Produces(MediaTypes.FLAT_GEOBUF)
    public RestMulti<byte[]> indexedSearch(@Context RoutingContext context) {
        return indexed(requests.readAll(context), context);
    }

    @POST
    @Path(Endpoints.STAC_SEARCH)
    public RestMulti<byte[]> searchByBody(@Context RoutingContext context) {
        return columns(requests.readAllOfBody(context), context);
    }

    @POST
    @Path(Endpoints.STAC_SEARCH)
    @Produces(MediaTypes.FLAT_GEOBUF)
    public RestMulti<byte[]> indexedSearchByBody(@Context RoutingContext context) {
        return indexed(requests.readAllOfBody(context), context);
    }

    private RestMulti<byte[]> columns(Uni<Asked> request, RoutingContext context) {
        String base = publicUrl.of("", context.request());
        return file(request, "parquet", context, asked -> files.encode(
                stream(asked, asked.search()::orderBy, context), () -> items.openColumns(asked.fields(), base)));
    }

    /** The index has an order of its own. The file is complete before its first byte leaves, as in ExportResource. */
    private RestMulti<byte[]> indexed(Uni<Asked> request, RoutingContext context) {
        String base = publicUrl.of("", context.request());
        return file(request.invoke(asked -> {
            items.requireFolder();
            RequestLimits.lift(context);
        }), "fgb", context, asked -> files.encode(
                stream(asked, prefix -> prefix + "id", context), () -> items.openIndexed(asked.fields(), base)));
    }

    /** The platform also calls the methods for GET for HEAD, which only checks the request. */
    private RestMulti<byte[]> file(Uni<Asked> request, String extension, RoutingContext context,
            Function<Asked, Multi<byte[]>> bytes) {
        boolean isHead = context.request().method() == HttpMethod.HEAD;
        return RestMulti.fromUniResponse(request,
                asked -> isHead
                        ? Multi.createFrom().empty()
                        : transfers.limit(bytes.apply(asked), context),
                asked -> Map.of(HttpHeaders.CONTENT_DISPOSITION, List.of(FILE.formatted(extension))));
    }

    private Multi<List<StoredDataset>> stream(Asked asked, UnaryOperator<String> order, RoutingContext context) {
        return transfers.logged(repository.streamStored(asked.search().filter(), order, Caller.of(context)));
    }
}
