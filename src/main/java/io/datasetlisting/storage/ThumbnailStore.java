package io.datasetlisting.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.http.ApiException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import mutiny.zero.flow.adapters.AdaptersToReactiveStreams;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** Puts thumbnails into the file storage, as they arrive. */
@Singleton
public class ThumbnailStore {

    private static final Logger LOG = Logger.getLogger(ThumbnailStore.class);

    /** For good: another picture gets another key, so a link that is out never shows something else. */
    private static final String CACHE_CONTROL = "max-age=31536000, immutable";

    /** What it takes. */
    public static final List<String> MEDIA_TYPES = Arrays.stream(ImageType.values()).map(type -> type.mediaType)
            .toList();

    private final S3AsyncClient s3;
    private final StorageCredentials credentials;
    private final StorageConfig config;

    ThumbnailStore(S3AsyncClient s3, StorageCredentials credentials, StorageConfig config) {
        this.s3 = s3;
        this.credentials = credentials;
        this.config = config;
    }

    /**
     * Stores the image in a request's body under a key of its own, in whatever of the known formats its first bytes say.
     * Fails with an {@link ApiException}: 400 for no body or half a one, 408 for one that does not come in time, 411
     * without a length, 413 above the limit, 415 for no image, 502 where the storage fails.
     *
     * @param folder
     *            part of the key, between the prefix and the file's name
     *
     * @return the key
     */
    public Uni<String> put(HttpServerRequest request, String folder) {
        Context context = Vertx.currentContext();
        ImageUpload upload = new ImageUpload(request, config.maxThumbnailSize().asLongValue());
        return upload.head().ifNoItem().after(config.uploadTimeout()).failWith(this::late).chain(head -> {
            ImageType type = ImageType.of(head.getBytes());
            if (type == null) {
                throw new ApiException(415, "The body is not a JPEG, PNG or WebP image.");
            }
            String key = config.prefix() + '/' + folder + "/thumbnail-"
                    + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + '.' + type.extension;
            return send(upload, head, type, key, context).replaceWith(key);
        }).onFailure().invoke(upload::forget)
                .emitOn(command -> context.runOnContext(nothing -> command.run()));
    }

    private Uni<PutObjectResponse> send(ImageUpload upload, Buffer head, ImageType type, String key, Context context) {
        if (credentials.current() == null) {
            throw new ApiException(502, "This service has no credentials for the file storage.");
        }
        PutObjectRequest request = PutObjectRequest.builder().bucket(config.bucket()).key(key)
                .contentType(type.mediaType).contentLength(upload.length()).cacheControl(CACHE_CONTROL).build();
        AsyncRequestBody body = AsyncRequestBody.fromPublisher(AdaptersToReactiveStreams.publisher(
                upload.body(head, context).map(buffer -> ByteBuffer.wrap(buffer.getBytes()))));
        // The SDK prepares its requests, and loads half of itself for the first one, before it lets go of the thread.
        return Uni.createFrom().completionStage(() -> s3.putObject(request, body))
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .onFailure().transform(e -> failure(upload, key, e));
    }

    private ApiException failure(ImageUpload upload, String key, Throwable e) {
        if (upload.isBrokenOff()) {
            return new ApiException(400, "The body broke off.");
        }
        if (e instanceof ApiCallTimeoutException && upload.isWaitedFor()) {
            return late();
        }
        LOG.warnf("Thumbnail %s not stored: %s", key, e);
        if (e instanceof ApiCallTimeoutException) {
            return new ApiException(502,
                    "The file storage did not take the thumbnail within " + config.uploadTimeout().toMillis() + " ms.");
        }
        return new ApiException(502, e instanceof AwsServiceException answer
                ? "The file storage refused the thumbnail with status " + answer.statusCode() + '.'
                : "The file storage could not be reached, or broke off.");
    }

    private ApiException late() {
        return new ApiException(408, "The body did not arrive within " + config.uploadTimeout().toMillis() + " ms.");
    }
}
