package io.datasetlisting.dataset.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import mutiny.zero.flow.adapters.AdaptersToReactiveStreams;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** Stores uploaded thumbnails in the file storage, streamed from the request. */
@Singleton
public class ThumbnailStore {

    private static final Logger LOG = Logger.getLogger(ThumbnailStore.class);

    /** Caches may keep a thumbnail for a year: each upload gets a new key, so the object of a key never changes. */
    private static final String CACHE_CONTROL = "max-age=31536000, immutable";

    /** The media types of thumbnails. */
    public static final List<String> MEDIA_TYPES = Arrays.stream(ImageType.values()).map(type -> type.mediaType)
            .toList();

    private static final String NO_CREDENTIALS = "This service has no credentials for the file storage.";

    private final S3AsyncClient s3;
    private final StorageCredentials credentials;
    private final StorageConfig config;

    ThumbnailStore(S3AsyncClient s3, StorageCredentials credentials, StorageConfig config) {
        this.s3 = s3;
        this.credentials = credentials;
        this.config = config;
    }

    /**
     * Stores the image in the body of a request under a new key. The first bytes determine the type of the image. Fails with an
     * {@link ApiException}: 400 for an empty body or one that breaks off, 408 if the body does not arrive in time, 411 without a
     * length, 413 above the maximum size, 415 for another type, 502 if the storage fails.
     *
     * @param folder
     *            part of the key between the prefix and the name of the file
     *
     * @return the key of the stored object
     */
    public Uni<String> put(HttpServerRequest request, String folder) {
        Executor later = CallerContext.later();
        ImageUpload upload = new ImageUpload(request, config.maxThumbnailSize().asLongValue());
        return upload.readHead().ifNoItem().after(config.uploadTimeout()).failWith(this::timeout)
                .emitOn(later).chain(head -> {
                    ImageType type = ImageType.of(head.getBytes());
                    if (type == null) {
                        throw new ApiException(415, "The body is not a JPEG, PNG or WebP image.");
                    }
                    String key = config.prefix() + '/' + folder + "/thumbnail-"
                            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + '.' + type.extension;
                    return send(upload, head, type, key, later).replaceWith(key);
                }).onFailure().invoke(upload::discardRest);
    }

    private Uni<PutObjectResponse> send(ImageUpload upload, Buffer head, ImageType type, String key, Executor later) {
        if (credentials.current() == null) {
            throw new ApiException(502, NO_CREDENTIALS);
        }
        PutObjectRequest request = PutObjectRequest.builder().bucket(config.bucket()).key(key)
                .contentType(type.mediaType).contentLength(upload.length()).cacheControl(CACHE_CONTROL).build();
        AsyncRequestBody body = AsyncRequestBody.fromPublisher(AdaptersToReactiveStreams.publisher(
                upload.body(head, later).map(buffer -> ByteBuffer.wrap(buffer.getBytes()))));
        return StorageClient.send(() -> s3.putObject(request, body))
                // The log takes the id of the request from its context.
                .emitOn(later)
                .onFailure().transform(e -> failure(upload, key, e));
    }

    /**
     * Removes the object of a key and all earlier ones of its folder. What is gone already is no failure. Fails with an
     * {@link ApiException}, 502, if the storage fails.
     *
     * @param folder
     *            as {@link #put} has received it
     * @param key
     *            null for no object outside of the folder
     */
    public Uni<Void> remove(String folder, String key) {
        if (credentials.current() == null) {
            // Without credentials, nothing was uploaded here.
            return key == null
                    ? Uni.createFrom().voidItem()
                    : Uni.createFrom().failure(new ApiException(502, NO_CREDENTIALS));
        }
        Executor later = CallerContext.later();
        return (key == null ? Uni.createFrom().voidItem() : remove(key))
                .chain(() -> removeFolder(config.prefix() + '/' + folder + '/'))
                .emitOn(later)
                .onFailure().transform(e -> {
                    LOG.warnf("The thumbnail %s could not be removed: %s", key, e);
                    return StorageClient.failure("the removal of the thumbnail", e);
                });
    }

    private Uni<Void> remove(String key) {
        return StorageClient
                .send(() -> s3.deleteObject(DeleteObjectRequest.builder().bucket(config.bucket()).key(key).build()))
                .replaceWithVoid();
    }

    /** One page of keys after the other, until the storage names no more. */
    private Uni<Void> removeFolder(String prefix) {
        return StorageClient.send(
                () -> s3.listObjectsV2(ListObjectsV2Request.builder().bucket(config.bucket()).prefix(prefix).build()))
                .chain(page -> Multi.createFrom().iterable(page.contents())
                        .onItem().transformToUniAndConcatenate(object -> remove(object.key())).collect().asList()
                        .chain(() -> page.isTruncated() ? removeFolder(prefix) : Uni.createFrom().voidItem()));
    }

    private ApiException failure(ImageUpload upload, String key, Throwable e) {
        if (upload.isAborted()) {
            return new ApiException(400, "The body broke off.");
        }
        if (e instanceof ApiCallTimeoutException && upload.isWaitingForClient()) {
            return timeout();
        }
        LOG.warnf("The thumbnail %s could not be stored: %s", key, e);
        if (e instanceof ApiCallTimeoutException) {
            return new ApiException(502,
                    "The file storage did not take the thumbnail within " + config.uploadTimeout().toMillis() + " ms.");
        }
        return StorageClient.failure("the thumbnail", e);
    }

    private ApiException timeout() {
        return new ApiException(408, "The body did not arrive within " + config.uploadTimeout().toMillis() + " ms.");
    }
}
