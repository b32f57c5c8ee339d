package io.datasetlisting.write.bulk;

import java.util.List;
import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestMulti;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.ListingJson;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.catalogue.listing.StreamLimits;
import io.datasetlisting.catalogue.rank.ListingVersionRepository;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.format.Csv;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ChangeCursors;
import io.datasetlisting.http.paging.PageLinks;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.vertx.ext.web.RoutingContext;

/** Exports all datasets that a caller may see and that match the filters, as NDJSON or CSV. */
@Path(Endpoints.DATASETS)
public class ExportResource {

    private static final Logger LOG = Logger.getLogger(ExportResource.class);

    /** About 80 KB: large enough for one system call, small enough to hold for many clients. */
    private static final int DATASETS_PER_CHUNK = 100;

    /** Browsers save a table under this name, in place of the last part of its address. */
    private static final String TABLE = "attachment; filename=\"datasets.csv\"";

    private final ListingRepository repository;
    private final ListingJson json;
    private final Csv csv;
    private final Transfers transfers;
    private final StreamLimits limits;
    private final BulkConfig config;
    private final PagingConfig paging;
    private final DatasetFields fields;
    private final ListingVersionRepository version;
    private final ChangeCursors changes;

    public ExportResource(ListingRepository repository, ListingJson json, Csv csv, Transfers transfers,
            StreamLimits limits, BulkConfig config, PagingConfig paging, DatasetFields fields,
            ListingVersionRepository version, ChangeCursors changes) {
        this.repository = repository;
        this.json = json;
        this.csv = csv;
        this.transfers = transfers;
        this.limits = limits;
        this.config = config;
        this.paging = paging;
        this.fields = fields;
        this.version = version;
        this.changes = changes;
    }

    /**
     * One JSON text on each line, in the requested order, as fast as the client reads. The header {@code Link} leads to the
     * changes after the export.
     */
    @GET
    @Produces(MediaTypes.NDJSON)
    public RestMulti<byte[]> exportLines(@Context RoutingContext context) {
        ListingQuery query = ListingQuery.parseExport(QueryString.parse(context.request().query()), paging, fields,
                Caller.of(context));
        return RestMulti.fromUniResponse(
                version.read().chain(listing -> changes.link(listing, Caller.of(context).audience(), context)),
                link -> limits.limit(
                        transfers.limit(export(query, context).map(datasets -> json.texts(datasets, "\n"))),
                        context),
                link -> PageLinks.fits(link) ? Map.of(HttpHeaders.LINK, List.of(link)) : Map.of());
    }

    /** A header record, and one record for each dataset. */
    @GET
    @Produces(MediaTypes.CSV)
    public RestMulti<byte[]> exportTable(@Context RoutingContext context) {
        ListingQuery query = query(context);
        return RestMulti.fromMultiData(limits.limit(transfers.limit(Multi.createBy().concatenating().streams(
                Multi.createFrom().item(() -> csv.header(query.fields())),
                export(query, context).map(csv::lines))), context))
                .header(HttpHeaders.CONTENT_DISPOSITION, TABLE).build();
    }

    private Multi<List<DatasetView>> export(ListingQuery query, RoutingContext context) {
        Progress progress = new Progress("Export", config.progressInterval());
        return repository.export(query, Caller.of(context))
                .group().intoLists().of(DATASETS_PER_CHUNK)
                .invoke(datasets -> progress.add(datasets.size()))
                .onFailure().invoke(e -> LOG.warnf("Export failed: %s", e))
                .onTermination().invoke(progress::end);
    }

    @HEAD
    @Produces({MediaTypes.NDJSON, MediaTypes.CSV})
    @NonBlocking
    public Response head(@Context RoutingContext context) {
        query(context);
        String type = Representation.of(context).mediaType();
        // A header without a value is left out.
        return Response.ok().type(type)
                .header(HttpHeaders.CONTENT_DISPOSITION, type.equals(MediaTypes.CSV) ? TABLE : null)
                .build();
    }

    private ListingQuery query(RoutingContext context) {
        return ListingQuery.parseOrder(QueryString.parse(context.request().query()), paging, fields,
                Caller.of(context));
    }
}
