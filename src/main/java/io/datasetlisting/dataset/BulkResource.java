package io.datasetlisting.dataset;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestMulti;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.ApiFilter;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.http.RequestBody;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.storage.ThumbnailLinks;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.smallrye.mutiny.vertx.MultiHelper;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Whole catalogues in and out, a dataset a line. */
@Path(DatasetResource.PATH)
@Produces(ApiFilter.NDJSON)
public class BulkResource {

    private static final Logger LOG = Logger.getLogger(BulkResource.class);

    /** About 80 KB: large enough to be worth a system call, small enough to hold for many. */
    private static final int LINES_AT_ONCE = 100;

    private final DatasetRepository datasets;
    private final BulkRepository repository;
    private final DatasetJson json;
    private final Csv csv;
    private final ThumbnailLinks links;
    private final BulkConfig config;
    private final HttpConfig http;
    private final ListingConfig listing;
    private final Vertx vertx;
    private final AtomicInteger transfers = new AtomicInteger();

    public BulkResource(DatasetRepository datasets, BulkRepository repository, DatasetJson json, Csv csv,
            ThumbnailLinks links,
            BulkConfig config, HttpConfig http, ListingConfig listing, Vertx vertx,
            MeterRegistry meters) {
        this.datasets = datasets;
        this.repository = repository;
        this.json = json;
        this.csv = csv;
        this.links = links;
        this.config = config;
        this.http = http;
        this.listing = listing;
        this.vertx = vertx;
        meters.gauge("dataset.transfers.running", transfers);
    }

    /** All that is asked for and that the caller gets to see, in order, as fast as the client reads. */
    @GET
    public Multi<byte[]> exportAll(@Context RoutingContext context) {
        DatasetQuery query = query(context);
        return limited(export(query, context).map(datasets -> json.texts(datasets, query.fields(), "\n")));
    }

    /** The same as a table. */
    @GET
    @Produces(Csv.MEDIA_TYPE)
    public RestMulti<byte[]> exportTable(@Context RoutingContext context) {
        DatasetQuery query = query(context);
        return RestMulti.fromMultiData(limited(Multi.createBy().concatenating().streams(
                Multi.createFrom().item(() -> csv.header(query.fields())),
                export(query, context).map(datasets -> csv.lines(datasets, query.fields())))))
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"datasets.csv\"").build();
    }

    private Multi<List<DatasetView>> export(DatasetQuery query, RoutingContext context) {
        Progress progress = new Progress("Export", config.progressInterval());
        return datasets.export(query, Caller.of(context))
                .group().intoLists().of(LINES_AT_ONCE)
                .invoke(lines -> progress.add(lines.size()))
                .onFailure().invoke(e -> LOG.warnf("Export broken off: %s", e.getMessage()))
                .onTermination().invoke(progress::end);
    }

    @HEAD
    @Produces({ApiFilter.NDJSON, Csv.MEDIA_TYPE})
    @NonBlocking
    public Response head(@Context RoutingContext context) {
        query(context);
        return Response.ok().type(context.request().getHeader(HttpHeaders.ACCEPT).startsWith(Csv.MEDIA_TYPE)
                ? Csv.MEDIA_TYPE
                : ApiFilter.NDJSON).build();
    }

    private DatasetQuery query(RoutingContext context) {
        return DatasetQuery.parseOrder(QueryString.parse(context.request().query()), listing);
    }

    /** Says every few seconds how far it is, and in its last line what was refused. */
    @POST
    @Consumes(ApiFilter.NDJSON)
    public Multi<byte[]> importAll(@Context RoutingContext context) {
        if (!Caller.of(context).isAdmin()) {
            throw ApiException.forbidden();
        }
        HttpServerRequest request = context.request();
        BulkImport transfer = new BulkImport(repository, links,
                Math.toIntExact(http.http().maxBodySize().asLongValue()));
        return limited(Multi.createFrom().emitter(answer -> {
            RequestBody.welcome(request);
            start(transfer, MultiHelper.toMulti(request), answer);
        }, BackPressureStrategy.LATEST));
    }

    private void start(BulkImport transfer, Multi<Buffer> body, MultiEmitter<? super byte[]> answer) {
        Progress progress = new Progress("Import", config.progressInterval());
        long timer = vertx.setPeriodic(config.progressInterval().toMillis(), tick -> {
            progress.at(transfer.lines());
            answer.emit(line(transfer.counts().put("per_second", progress.perSecond())));
        });
        Cancellable running = transfer.run(body.map(Buffer::getBytes)).subscribe().with(
                written -> {
                },
                failure -> end(transfer, progress, answer, failure),
                () -> end(transfer, progress, answer, null));
        answer.onTermination(() -> {
            vertx.cancelTimer(timer);
            running.cancel();
            // A client that has gone away leaves no other trace.
            progress.endAt(transfer.lines());
        });
    }

    private static void end(BulkImport transfer, Progress progress, MultiEmitter<? super byte[]> answer,
            Throwable failure) {
        progress.endAt(transfer.lines());
        ObjectNode last = transfer.counts().put("per_second", progress.perSecond());
        last.set("refusals", transfer.refusals());
        if (failure != null) {
            LOG.warnf("Import broken off: %s", failure.getMessage());
            last.put("detail", (Errors.isDatabaseAway(failure)
                    ? "Service temporarily unavailable"
                    : "A server error occurred")
                    + ": the import broke off. What is counted here is stored; run it again for the rest.");
            if (!Errors.isDatabaseAway(failure)) {
                LOG.error("Import failed", failure);
            }
        }
        answer.emit(line(last));
        answer.complete();
    }

    private static byte[] line(ObjectNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Transfers hold connections for as long as their clients take: some have to be left to the others. A transfer counts from
     * the moment when it begins to be read: one whose client has gone away before never begins.
     */
    private <T> Multi<T> limited(Multi<T> transfer) {
        return Multi.createFrom().resource(this::begin, begun -> transfer)
                .withFinalizer(AtomicInteger::decrementAndGet);
    }

    private AtomicInteger begin() {
        if (transfers.incrementAndGet() > config.maxTransfers()) {
            transfers.decrementAndGet();
            throw new ApiException(503, "Too many bulk transfers at once, try again later.");
        }
        return transfers;
    }
}
