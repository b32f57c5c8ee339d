package io.datasetlisting.write.bulk;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Spool;
import io.datasetlisting.catalogue.index.SharedSnapshots;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.format.FileThreads;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.datasetlisting.write.edit.DatasetInput;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Imports datasets of a body of NDJSON or Parquet, for admins. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.NDJSON)
public class ImportResource {

    private static final Logger LOG = Logger.getLogger(ImportResource.class);

    /** A client that gets the last line finds the columns up to date, unless other imports run or folds take longer. */
    private static final Duration MAX_FOLD_TIME = Duration.ofSeconds(10);

    private final BulkRepository repository;
    private final DatasetInput input;
    private final Transfers transfers;
    private final StreamConfig limits;
    private final DatasetFields fields;
    private final Spool spool;
    private final FileThreads threads;
    private final SharedSnapshots snapshots;
    private final int maxLineLength;
    private final Vertx vertx;

    public ImportResource(BulkRepository repository, DatasetInput input,
            Transfers transfers, StreamConfig limits, DatasetFields fields, Spool spool,
            FileThreads threads, SharedSnapshots snapshots, HttpConfig http, Vertx vertx) {
        this.repository = repository;
        this.input = input;
        this.transfers = transfers;
        this.limits = limits;
        this.fields = fields;
        this.spool = spool;
        this.threads = threads;
        this.snapshots = snapshots;
        maxLineLength = Math.toIntExact(http.http().maxBodySize().asLongValue());
        this.vertx = vertx;
    }

    /** Answers a line with the counts every few seconds; the last line has the refusals, too. */
    @POST
    @Consumes(MediaTypes.NDJSON)
    public Multi<byte[]> importAll(@Context RoutingContext context) {
        checkRights(context);
        return transfers.limitImport(
                answer(context, body -> new ImportedLines(body, input, maxLineLength)));
    }

    /** Imports a file of Parquet. Its progress begins when all of it has arrived. */
    @POST
    @Consumes(MediaTypes.GEO_PARQUET)
    public Multi<byte[]> importFile(@Context RoutingContext context) {
        checkRights(context);
        spool.requireFolder();
        // The last bytes of the file describe the first ones. The source has a limit of its own.
        RequestLimits.lift(context);
        return transfers.limitFile(answer(context, body -> new ImportedFile(body,
                new FileColumns(fields, input, Caller.of(context)), spool, threads, limits, maxLineLength)));
    }

    private static void checkRights(RoutingContext context) {
        if (!Caller.of(context).isAdmin()) {
            throw ApiException.forbidden();
        }
        Caller.of(context).checkAllWorkspaces();
    }

    private Multi<byte[]> answer(RoutingContext context, Function<Multi<byte[]>, ImportSource> source) {
        HttpServerRequest request = context.request();
        BulkImport transfer = new BulkImport(repository, Author.of(context), () -> Caller.checkAgain(context));
        return Multi.createFrom().emitter(answer -> {
            Multi<byte[]> body = RequestBody.stream(request);
            RequestBody.welcome(request);
            start(transfer, source.apply(body), line -> {
                if (!context.response().headWritten()) {
                    LiveStream.announce(context.response());
                }
                answer.emit(line);
            }, answer);
        }, BackPressureStrategy.LATEST);
    }

    private void start(BulkImport transfer, ImportSource source, Consumer<byte[]> lines,
            MultiEmitter<? super byte[]> answer) {
        Progress progress = new Progress("Import", limits.progressInterval());
        long timer = vertx.setPeriodic(limits.progressInterval().toMillis(), tick -> {
            progress.at(transfer.lines());
            ApiException lateness = source.lateness();
            if (lateness != null) {
                log(lateness);
                answer.fail(lateness);
            } else if (source.hasBegun()) {
                lines.accept(line(transfer.counts().put("per_second", progress.perSecond())));
            }
        });
        Cancellable running = transfer.run(source.rows())
                .onCompletion().call(() -> snapshots.awaitFolds(MAX_FOLD_TIME))
                .subscribe().with(
                        written -> {
                        },
                        failure -> {
                            if (source.hasBegun() || !(failure instanceof ApiException)) {
                                end(transfer, source, progress, lines, failure);
                                answer.complete();
                            } else {
                                log(failure);
                                answer.fail(failure);
                            }
                        },
                        () -> {
                            end(transfer, source, progress, lines, null);
                            answer.complete();
                        });
        answer.onTermination(() -> {
            vertx.cancelTimer(timer);
            running.cancel();
            source.close();
            // A client that disconnects ends neither of the two ways above.
            progress.endAt(transfer.lines());
        });
    }

    private static void end(BulkImport transfer, ImportSource source, Progress progress, Consumer<byte[]> lines,
            Throwable failure) {
        progress.endAt(transfer.lines());
        ObjectNode last = transfer.counts().put("per_second", progress.perSecond());
        last.set("refusals", transfer.refusals());
        source.describe(last);
        if (failure != null) {
            log(failure);
            last.put("detail", reason(failure)
                    + ": the import broke off. What is counted here is stored; run it again for the rest.");
        }
        lines.accept(line(last));
    }

    private static String reason(Throwable failure) {
        if (failure instanceof ApiException refusal && refusal.status() < 500) {
            return failure.getMessage().replaceFirst("[.]$", "");
        }
        if (failure instanceof ApiException || DatabaseFailure.isTemporary(failure)) {
            return "Service temporarily unavailable";
        }
        return "A server error occurred";
    }

    private static void log(Throwable failure) {
        if (failure instanceof ApiException || failure instanceof HttpClosedException
                || DatabaseFailure.isTemporary(failure)) {
            LOG.warnf("Import failed: %s", failure.getMessage());
        } else {
            LOG.error("Import failed", failure);
        }
    }

    private static byte[] line(ObjectNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
