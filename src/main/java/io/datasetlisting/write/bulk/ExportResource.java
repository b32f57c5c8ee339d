package io.datasetlisting.write.bulk;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestMulti;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.ListingJson;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.StreamRepository;
import io.datasetlisting.catalogue.rank.ListingVersionRepository;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.format.Csv;
import io.datasetlisting.dataset.format.DatasetFlatGeobuf;
import io.datasetlisting.dataset.format.DatasetParquet;
import io.datasetlisting.dataset.format.FileThreads;
import io.datasetlisting.dataset.format.GeoJson;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ChangeCursors;
import io.datasetlisting.http.paging.PageLinks;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Exports all datasets that a caller may see and that match the filters, as NDJSON, CSV, GeoJSON, GeoParquet or FlatGeobuf. */
@Path(Endpoints.DATASETS)
public class ExportResource {

    /** Browsers save a file under this name, in place of the last part of its address. */
    private static final String FILE = "attachment; filename=\"datasets.%s\"";
    private static final Map<String, String> FILES = Map.of(MediaTypes.NDJSON, FILE.formatted("ndjson"), MediaTypes.CSV,
            FILE.formatted("csv"), MediaTypes.GEO_JSON, FILE.formatted("geojson"), MediaTypes.GEO_PARQUET,
            FILE.formatted("parquet"), MediaTypes.FLAT_GEOBUF, FILE.formatted("fgb"));

    private static final String ORDERING = "ordering";

    private final StreamRepository repository;
    private final ListingJson json;
    private final Csv csv;
    private final GeoJson geoJson;
    private final DatasetParquet parquet;
    private final DatasetFlatGeobuf flatGeobuf;
    private final FileThreads files;
    private final Transfers transfers;
    private final PagingConfig paging;
    private final DatasetFields fields;
    private final ListingVersionRepository version;
    private final ChangeCursors changes;

    public ExportResource(StreamRepository repository, ListingJson json, Csv csv, GeoJson geoJson,
            DatasetParquet parquet, DatasetFlatGeobuf flatGeobuf, FileThreads files, Transfers transfers,
            PagingConfig paging, DatasetFields fields, ListingVersionRepository version, ChangeCursors changes) {
        this.repository = repository;
        this.json = json;
        this.csv = csv;
        this.geoJson = geoJson;
        this.parquet = parquet;
        this.flatGeobuf = flatGeobuf;
        this.files = files;
        this.transfers = transfers;
        this.paging = paging;
        this.fields = fields;
        this.version = version;
        this.changes = changes;
    }

    /**
     * One JSON text on each line, in the requested order, as fast as the client reads. The header {@code Link}, unless it is
     * too long, leads to the changes after the export.
     */
    @GET
    @Produces(MediaTypes.NDJSON)
    public RestMulti<byte[]> exportLines(@Context RoutingContext context) {
        ListingQuery query = exportQuery(context);
        return RestMulti.fromUniResponse(headersOfLines(context),
                headers -> transfers.limit(transfers.logged(repository.export(query, Caller.of(context)))
                        .map(datasets -> json.texts(datasets, "\n")), context),
                headers -> headers);
    }

    private Uni<Map<String, List<String>>> headersOfLines(RoutingContext context) {
        List<String> file = List.of(FILES.get(MediaTypes.NDJSON));
        return version.read(Caller.of(context))
                .chain(listing -> changes.link(listing, Caller.of(context).audience(), context))
                .map(link -> PageLinks.fits(link)
                        ? Map.of(HttpHeaders.CONTENT_DISPOSITION, file, HttpHeaders.LINK, List.of(link))
                        : Map.of(HttpHeaders.CONTENT_DISPOSITION, file));
    }

    /** A header record, and one record for each dataset. */
    @GET
    @Produces(MediaTypes.CSV)
    public RestMulti<byte[]> exportTable(@Context RoutingContext context) {
        ListingQuery query = query(context);
        return file(MediaTypes.CSV, context, List.of(Multi.createFrom().item(() -> csv.header(query.fields())),
                transfers.logged(repository.export(query, Caller.of(context))).map(csv::lines)));
    }

    /** A collection of the features of all pages. */
    @GET
    @Produces(MediaTypes.ALL_FEATURES)
    public RestMulti<byte[]> exportFeatures(@Context RoutingContext context) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return file(MediaTypes.GEO_JSON, context, List.of(Multi.createFrom().item(GeoJson::start),
                transfers.logged(stream(query(context), context))
                        .map(datasets -> geoJson.features(datasets, isFirst.getAndSet(false))),
                Multi.createFrom().item(GeoJson::end)));
    }

    /** A file whose rows are the datasets of all pages, with the fields of {@link #exportLines}. */
    @GET
    @Produces(MediaTypes.GEO_PARQUET)
    public RestMulti<byte[]> exportColumns(@Context RoutingContext context) {
        ListingQuery query = exportQuery(context);
        return file(MediaTypes.GEO_PARQUET, context, List.of(files.encode(
                transfers.logged(stream(query, context)), () -> parquet.open(query.locating().fields()))));
    }

    /** What the listing contains, and what an admin includes. */
    private Multi<List<DatasetView>> stream(ListingQuery query, RoutingContext context) {
        return repository.stream(query.locating(), Caller.of(context), included(context));
    }

    private static Set<Visibility> included(RoutingContext context) {
        Set<Visibility> included = Visibility.included(QueryString.parse(context.request().query()),
                Caller.of(context));
        if (!included.isEmpty() && Representation.of(context).mediaType().equals(MediaTypes.FLAT_GEOBUF)) {
            throw DrfFields.invalid("include",
                    "FlatGeobuf has neither drafts nor deleted datasets: its index has no place for a draft.");
        }
        return included;
    }

    /** A file with an index of boxes, with the datasets of {@link #exportColumns}. The index has an order of its own. */
    @GET
    @Produces(MediaTypes.FLAT_GEOBUF)
    public RestMulti<byte[]> exportIndexed(@Context RoutingContext context) {
        ListingQuery query = ListingQuery.parseExport(
                QueryString.parse(context.request().query()).without(ORDERING), paging, fields, Caller.of(context))
                .locating();
        flatGeobuf.requireFolder();
        // The file is complete before its first byte leaves. StreamLimits ends an export that takes too long.
        RequestLimits.lift(context);
        return file(MediaTypes.FLAT_GEOBUF, context,
                List.of(files.encode(transfers.logged(stream(query, context)),
                        () -> flatGeobuf.open(query.fields()))));
    }

    /** The platform would write brackets around GeoJSON; without them it writes a line feed behind each chunk. */
    private RestMulti<byte[]> file(String type, RoutingContext context, List<Multi<byte[]>> parts) {
        return RestMulti.fromMultiData(
                transfers.limit(Multi.createBy().concatenating().streams(parts), context))
                .encodeAsJsonArray(!type.equals(MediaTypes.GEO_JSON))
                .header(HttpHeaders.CONTENT_DISPOSITION, FILES.get(type)).build();
    }

    @HEAD
    @Produces({MediaTypes.NDJSON, MediaTypes.CSV, MediaTypes.ALL_FEATURES, MediaTypes.GEO_PARQUET,
            MediaTypes.FLAT_GEOBUF})
    public Uni<Response> head(@Context RoutingContext context) {
        query(context);
        String type = Representation.of(context).mediaType();
        if (type.equals(MediaTypes.FLAT_GEOBUF)) {
            flatGeobuf.requireFolder();
        }
        Uni<Map<String, List<String>>> headers = type.equals(MediaTypes.NDJSON)
                ? headersOfLines(context)
                : Uni.createFrom().item(Map.of(HttpHeaders.CONTENT_DISPOSITION, List.of(FILES.get(type))));
        return headers.map(all -> {
            Response.ResponseBuilder response = Response.ok().type(type);
            all.forEach((name, values) -> response.header(name, values.get(0)));
            return response.build();
        });
    }

    private ListingQuery query(RoutingContext context) {
        included(context);
        return ListingQuery.parseOrder(QueryString.parse(context.request().query()), paging, fields,
                Caller.of(context));
    }

    private ListingQuery exportQuery(RoutingContext context) {
        included(context);
        return ListingQuery.parseExport(QueryString.parse(context.request().query()), paging, fields,
                Caller.of(context));
    }
}
