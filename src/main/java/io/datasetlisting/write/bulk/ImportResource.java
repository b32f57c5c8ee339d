package io.datasetlisting.write.bulk;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

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
import io.datasetlisting.catalogue.index.SharedSnapshots;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.http.netty.LiveStream;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.datasetlisting.write.edit.DatasetInput;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Imports datasets of an NDJSON body, for admins. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.NDJSON)
public class ImportResource {

    private static final Logger LOG = Logger.getLogger(ImportResource.class);

    /** A client that gets the last line finds the columns up to date, unless other imports run. */
    private static final Duration MAX_FOLD_TIME = Duration.ofSeconds(10);

    private final BulkRepository repository;
    private final DatasetInput input;
    private final Transfers transfers;
    private final BulkConfig config;
    private final SharedSnapshots snapshots;
    private final int maxLineLength;
    private final Vertx vertx;

    public ImportResource(BulkRepository repository, DatasetInput input,
            Transfers transfers, BulkConfig config, SharedSnapshots snapshots,
            HttpConfig http, Vertx vertx) {
        this.repository = repository;
        this.input = input;
        this.transfers = transfers;
        this.config = config;
        this.snapshots = snapshots;
        maxLineLength = Math.toIntExact(http.http().maxBodySize().asLongValue());
        this.vertx = vertx;
    }

    /** Answers a line with the counts every few seconds; the last line has the refusals, too. */
    @POST
    @Consumes(MediaTypes.NDJSON)
    public Multi<byte[]> importAll(@Context RoutingContext context) {
        if (!Caller.of(context).isAdmin()) {
            throw ApiException.forbidden();
        }
        Caller.of(context).checkAllWorkspaces();
        HttpServerRequest request = context.request();
        BulkImport transfer = new BulkImport(repository, input, maxLineLength, Author.of(context),
                () -> Caller.checkAgain(context));
        return transfers.limit(Multi.createFrom().emitter(answer -> {
            Multi<byte[]> body = RequestBody.stream(request);
            RequestBody.welcome(request);
            LiveStream.announce(context.response());
            start(transfer, body, answer);
        }, BackPressureStrategy.LATEST));
    }

    private void start(BulkImport transfer, Multi<byte[]> body, MultiEmitter<? super byte[]> answer) {
        Progress progress = new Progress("Import", config.progressInterval());
        long timer = vertx.setPeriodic(config.progressInterval().toMillis(), tick -> {
            progress.at(transfer.lines());
            answer.emit(line(transfer.counts().put("per_second", progress.perSecond())));
        });
        Cancellable running = transfer.run(body).onCompletion().call(() -> snapshots.awaitFolds(MAX_FOLD_TIME))
                .subscribe().with(
                        written -> {
                        },
                        failure -> end(transfer, progress, answer, failure),
                        () -> end(transfer, progress, answer, null));
        answer.onTermination(() -> {
            vertx.cancelTimer(timer);
            running.cancel();
            // A client that disconnects ends neither of the two ways above.
            progress.endAt(transfer.lines());
        });
    }

    private static void end(BulkImport transfer, Progress progress, MultiEmitter<? super byte[]> answer,
            Throwable failure) {
        progress.endAt(transfer.lines());
        ObjectNode last = transfer.counts().put("per_second", progress.perSecond());
        last.set("refusals", transfer.refusals());
        if (failure != null) {
            log(failure);
            last.put("detail", reason(failure)
                    + ": the import broke off. What is counted here is stored; run it again for the rest.");
        }
        answer.emit(line(last));
        answer.complete();
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
        if (failure instanceof ApiException || DatabaseFailure.isTemporary(failure)) {
            LOG.warnf("Import failed: %s", failure.getMessage());
        } else {
            LOG.error("Import failed", failure);
        }
    }

    private static byte[] line(ObjectNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
