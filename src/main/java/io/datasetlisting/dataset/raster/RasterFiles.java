package io.datasetlisting.dataset.raster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.dataset.storage.ObjectBody;
import io.datasetlisting.dataset.storage.StorageClient;
import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.dataset.storage.StorageCredentials;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.postgres.database.TurnQueue;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads the start of raster files in the bucket, or at addresses of hosts that the operator allows. */
@Singleton
public class RasterFiles {

    /** So many bytes are read, in which most cloud-optimized GeoTIFFs have all of their directories. */
    static final int START = 64 << 10;

    private static final Logger LOG = Logger.getLogger(RasterFiles.class);
    private static final String RANGE = "bytes=0-" + (START - 1);
    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes 0-\\d{1,18}/(\\d{1,18})");
    /** Of the whole read: an owner waits for it. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int MAX_READS = 4;
    /** Responses 100 and 103 before the final one. */
    private static final int MAX_INFORMATIONAL = 10;
    private static final int NOT_FOUND = 404;
    private static final int EMPTY = 416;
    private static final int PARTIAL = 206;
    private static final int OK = 200;

    private final S3AsyncClient s3;
    private final StorageConfig config;
    private final StorageCredentials credentials;
    private final HttpClient http;
    private final Duration deadline;
    private final TurnQueue places = new TurnQueue(MAX_READS, 0, Duration.ZERO,
            "Too many rasters are read at once, try again later.");

    /**
     * The start of a file.
     *
     * @param size
     *            of the whole file, in bytes
     */
    record Start(byte[] bytes, long size) {
    }

    @Inject
    RasterFiles(S3AsyncClient s3, StorageConfig config, StorageCredentials credentials, Vertx vertx) {
        this(s3, config, credentials, vertx.createHttpClient(options()), DEADLINE);
    }

    RasterFiles(S3AsyncClient s3, StorageConfig config, StorageCredentials credentials, HttpClient http,
            Duration deadline) {
        this.s3 = s3;
        this.config = config;
        this.credentials = credentials;
        this.http = http;
        this.deadline = deadline;
    }

    static HttpClientOptions options() {
        return new HttpClientOptions().setConnectTimeout((int) DEADLINE.toMillis()).setMaxPoolSize(MAX_READS);
    }

    /**
     * Reads what a raster says of itself.
     *
     * @param product
     *            names the raster in errors
     * @param location
     *            the key of the object, or an address of a host that is allowed
     *
     * @return the members of an asset that the header has. Fails with an {@link ApiException}: 400 if the file is not there, or
     *         is no GeoTIFF; 502 if the storage or the host fails; 503 if too many rasters are read at once
     */
    public Uni<ObjectNode> describe(String product, String location) {
        return Uni.createFrom().deferred(() -> {
            Executor later = CallerContext.later();
            return places.run(() -> Uni.createFrom()
                    .deferred(() -> RasterLinks.isAddress(location) ? open(product, location) : get(product, location))
                    .ifNoItem().after(deadline)
                    .failWith(() -> new ApiException(502,
                            "The raster did not arrive within " + deadline.toMillis() + " ms."))
                    .emitOn(Infrastructure.getDefaultWorkerPool())
                    .map(start -> RasterHeader.parse(start.bytes, start.size))
                    .onFailure(RasterHeader.RefusedException.class)
                    .transform(e -> DrfFields.invalid(product, e.getMessage())))
                    .emitOn(later);
        });
    }

    private Uni<Start> get(String product, String key) {
        if (credentials.current() == null) {
            throw new ApiException(502, "This service has no credentials for the file storage.");
        }
        GetObjectRequest request = GetObjectRequest.builder().bucket(config.bucket()).key(key).range(RANGE)
                .overrideConfiguration(override -> override.apiCallTimeout(deadline)).build();
        return StorageClient.send(() -> s3.getObject(request, new ObjectBody()))
                .chain(this::start)
                .onFailure(e -> !(e instanceof ApiException)).transform(e -> {
                    if (e instanceof AwsServiceException refused
                            && (refused.statusCode() == NOT_FOUND || refused.statusCode() == EMPTY)) {
                        return absent(product, refused.statusCode());
                    }
                    LOG.warnf("The raster %s could not be read: %s", key, e);
                    return StorageClient.failure("the raster", e);
                });
    }

    private Uni<Start> start(ObjectBody object) {
        GetObjectResponse response = object.response();
        Buffer body = Buffer.buffer();
        return object.bytes()
                // A storage that ignores the range sends the whole file, of which no more than the start is taken.
                .select().first(part -> append(body, part)).collect().last()
                .map(last -> new Start(body.getBytes(), size(response.contentRange(), response.contentLength())));
    }

    /** Whether more bytes are taken. */
    private static boolean append(Buffer body, ByteBuffer part) {
        byte[] bytes = new byte[Math.min(part.remaining(), START - body.length())];
        part.get(bytes);
        body.appendBytes(bytes);
        return body.length() < START;
    }

    private static long size(String contentRange, Long contentLength) {
        Matcher range = contentRange == null ? null : CONTENT_RANGE.matcher(contentRange);
        return range != null && range.matches()
                ? Long.parseLong(range.group(1))
                : contentLength == null ? 0 : contentLength;
    }

    private static ApiException absent(String product, int status) {
        return DrfFields.invalid(product,
                status == EMPTY ? "The file is empty." : "There is no file at this location.");
    }

    /** A redirect is a failure: it could lead to a host that is not allowed. */
    private Uni<Start> open(String product, String address) {
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(address)
                .setFollowRedirects(false).setTimeout(deadline.toMillis()).putHeader("Range", RANGE)
                .putHeader("Accept-Encoding", "identity");
        AtomicReference<HttpClientRequest> sent = new AtomicReference<>();
        AtomicBoolean isOver = new AtomicBoolean();
        return Uni.createFrom().<Start>emitter(taken -> {
            // The reset at the end is a failure, too, for which nobody waits.
            Handler<Throwable> failed = e -> {
                if (!isOver.get()) {
                    taken.fail(e);
                }
            };
            http.request(options).compose(request -> {
                sent.set(request);
                request.exceptionHandler(failed);
                AtomicInteger informational = new AtomicInteger();
                Runnable count = () -> {
                    if (informational.incrementAndGet() > MAX_INFORMATIONAL) {
                        failed.handle(new IOException("The host sends informational responses without an end."));
                    }
                };
                request.earlyHintsHandler(headers -> count.run()).continueHandler(none -> count.run());
                if (isOver.get()) {
                    request.reset();
                }
                return request.send();
            }).onSuccess(response -> take(product, response.exceptionHandler(failed), taken)).onFailure(failed);
        })
                // Also if it failed or was cancelled: a host that goes on sending keeps no connection.
                .onTermination().invoke(() -> {
                    isOver.set(true);
                    HttpClientRequest request = sent.get();
                    if (request != null) {
                        request.reset();
                    }
                })
                .onFailure(e -> !(e instanceof ApiException)).transform(e -> {
                    LOG.warnf("The raster %s could not be read: %s", address, e);
                    return new ApiException(502, "The host of the raster could not be reached, or broke off.");
                });
    }

    private static void take(String product, HttpClientResponse response, UniEmitter<? super Start> taken) {
        int status = response.statusCode();
        if (status == NOT_FOUND || status == EMPTY) {
            taken.fail(absent(product, status));
        } else if (status != PARTIAL && status != OK) {
            taken.fail(new ApiException(502, "The host of the raster answered with status " + status + '.'));
        } else {
            String length = response.getHeader("Content-Length");
            long size = size(response.getHeader("Content-Range"),
                    length != null && length.matches("\\d{1,18}") ? Long.valueOf(length) : null);
            Buffer body = Buffer.buffer();
            response.handler(part -> {
                if (body.length() < START && !append(body, ByteBuffer.wrap(part.getBytes()))) {
                    taken.complete(new Start(body.getBytes(), size));
                }
            });
            response.endHandler(end -> taken.complete(new Start(body.getBytes(), size)));
        }
    }
}
