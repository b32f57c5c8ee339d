package io.datasetlisting.write.exports;

import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.catalogue.listing.StreamLimits;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.DateFormatter;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers the files of stored exports. An address with a version always has the same bytes, so that ranges of two exports never
 * mix. Each request asks the database whether the export is withdrawn.
 */
@Path(Endpoints.EXPORTS)
public class StoredExportResource {

    /** Readers of Parquet ask for several ranges at a time. */
    private static final int MAX_READERS = 64;

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(StoredExportResource.class));

    private final ExportsConfig config;
    private final StoredExportRepository repository;
    private final ExportMaker maker;
    private final StreamLimits limits;
    private final PublicUrl publicUrl;
    private final AtomicInteger readers = new AtomicInteger();

    StoredExportResource(ExportsConfig config, StoredExportRepository repository, ExportMaker maker,
            StreamLimits limits, PublicUrl publicUrl, MeterRegistry meters) {
        this.config = config;
        this.repository = repository;
        this.maker = maker;
        this.limits = limits;
        this.publicUrl = publicUrl;
        meters.gauge("dataset.exports.readers", readers);
    }

    /** A file, or the redirect to the newest one. The body is written here, because the platform knows no ranges of a stream. */
    @GET
    @Path("{file}")
    public Uni<Response> read(@PathParam("file") String file, @Context RoutingContext context) {
        return answer(file, context, true);
    }

    @HEAD
    @Path("{file}")
    public Uni<Response> head(@PathParam("file") String file, @Context RoutingContext context) {
        return answer(file, context, false);
    }

    private Uni<Response> answer(String name, RoutingContext context, boolean hasBody) {
        if (config.store().isOn()) {
            for (ExportFormat format : ExportFormat.values()) {
                if (format.path().equals(Endpoints.EXPORTS + name)) {
                    return redirect(format, context);
                }
                String version = format.version(name);
                if (version != null) {
                    return repository.find(version).emitOn(CallerContext.now())
                            .chain(export -> file(export, format, context, hasBody));
                }
            }
        }
        throw ApiException.notFound();
    }

    private Uni<Response> redirect(ExportFormat format, RoutingContext context) {
        String folder = publicUrl.of(Endpoints.EXPORTS, context.request());
        return repository.newest().map(newest -> {
            if (newest == null) {
                throw new ApiException(404, "There is no export at the moment. The next one is made soon.");
            }
            return Response.status(Response.Status.FOUND)
                    .header(HttpHeaders.LOCATION.toString(), folder + format.file(newest.version()))
                    .header(HttpHeaders.CACHE_CONTROL.toString(), "no-store").build();
        });
    }

    private Uni<Response> file(StoredExport export, ExportFormat format, RoutingContext context, boolean hasBody) {
        if (export == null) {
            throw ApiException.notFound();
        }
        if (export.isWithdrawn()) {
            throw new ApiException(410, "This export is withdrawn, because a dataset in it is not public any more.");
        }
        long size = export.bytes(format);
        EntityTag tag = new EntityTag(size, export.version());
        String made = DateFormatter.format(Date.from(export.made()));
        HttpServerRequest request = context.request();
        String condition = request.getHeader("If-Range");
        boolean isForRange = condition == null || condition.equals(tag.strong()) || condition.equals(made);
        ByteRange range = hasBody && isForRange ? ByteRange.of(request.getHeader("Range"), size) : null;
        boolean isKnown = request.headers().contains(HttpHeaders.IF_NONE_MATCH)
                ? tag.isKnownTo(context)
                : made.equals(request.getHeader(HttpHeaders.IF_MODIFIED_SINCE));
        if (range != null && range.isUnsatisfiable() && !isKnown) {
            context.response().putHeader(HttpHeaders.CONTENT_RANGE, range.header(size));
            throw new ApiException(416, "The file has " + size + " bytes, and none of them is in the requested range.");
        }
        // Not before the first bytes are there: no cache must keep an error under these headers.
        Consumer<HttpServerResponse> describe = response -> response.putHeader(HttpHeaders.ETAG, tag.strong())
                .putHeader(HttpHeaders.LAST_MODIFIED, made).putHeader(HttpHeaders.ACCEPT_RANGES, "bytes")
                .putHeader(HttpHeaders.CACHE_CONTROL, "public, max-age=" + config.maxAge().toSeconds() + ", immutable");
        if (isKnown) {
            describe.accept(context.response());
            return Uni.createFrom().item(Response.notModified().build());
        }
        ByteRange sent = range == null ? new ByteRange(0, size) : range;
        if (!hasBody) {
            describe.accept(context.response());
            return Uni.createFrom().item(Response.ok().type(format.mediaType)
                    .header(HttpHeaders.CONTENT_LENGTH.toString(), size).build());
        }
        return send(maker.store().read(format.file(export.version()), sent.from(), sent.length()), context,
                response -> {
                    describe.accept(response);
                    response.putHeader(HttpHeaders.CONTENT_TYPE, format.mediaType)
                            .putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(sent.length()));
                    if (range != null) {
                        response.setStatusCode(206).putHeader(HttpHeaders.CONTENT_RANGE, range.header(size));
                    }
                });
    }

    /**
     * Writes a body as fast as its client reads. A failure before the first bytes is an error of the contract; later, the
     * response breaks off.
     */
    private Uni<Response> send(Multi<byte[]> body, RoutingContext context, Consumer<HttpServerResponse> head) {
        HttpServerResponse response = context.response();
        Multi<byte[]> logged = limited(body).onFailure(e -> response.headWritten()).invoke(e -> unreadable(context, e));
        Uni<Void> sent = limits.limit(logged, context).onItem().transformToUniAndConcatenate(bytes -> {
            if (!response.headWritten()) {
                head.accept(response);
                RequestLimits.releaseSlot(context);
            }
            return UniHelper.toUni(response.write(Buffer.buffer(bytes)));
        }).collect().last().chain(() -> UniHelper.toUni(response.end()));
        return Uni.createFrom().emitter(caller -> {
            Cancellable running = sent.subscribe().with(done -> caller.complete(null), e -> {
                if (!response.headWritten()) {
                    caller.fail(e instanceof ApiException ? e : unreadable(context, e));
                }
            });
            RequestEnd.then(context, running::cancel);
        });
    }

    private static ApiException unreadable(RoutingContext context, Throwable e) {
        LOG.warn("unreadable", context.request().path() + " cannot be read: " + e);
        return Errors.unavailable();
    }

    /** A body takes one of the places of readers while it is sent. */
    private Multi<byte[]> limited(Multi<byte[]> body) {
        return Multi.createFrom().resource(() -> {
            if (readers.incrementAndGet() > MAX_READERS) {
                readers.decrementAndGet();
                throw Errors.unavailable();
            }
            return readers;
        }, taken -> body).withFinalizer(AtomicInteger::decrementAndGet);
    }
}
