package io.datasetlisting.dataset.storage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.datasetlisting.base.CallerContext;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Keeps files as objects of the bucket, under a prefix. Several instances may share it. */
public final class BucketStore implements FileStore {

    /** The smallest part that the storage accepts. So a file has at most 50 GB. */
    private static final int PART = 5 << 20;
    /** Chunks that wait for the client. */
    private static final int AHEAD = 4;

    private final S3AsyncClient s3;
    private final String bucket;
    private final String prefix;
    /** A client may read a file for so long. */
    private final Duration readTime;

    public BucketStore(S3AsyncClient s3, StorageConfig config, String prefix, Duration readTime) {
        this.s3 = s3;
        bucket = config.bucket();
        this.prefix = prefix + '/';
        this.readTime = readTime;
    }

    @Override
    public Output create(String name, String mediaType) throws IOException {
        String key = prefix + name;
        return new Upload(key, await(s3.createMultipartUpload(
                request -> request.bucket(bucket).key(key).contentType(mediaType))).uploadId());
    }

    private static <T> T await(CompletableFuture<T> response) throws IOException {
        try {
            return response.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Sends a part when its bytes are there. One part is in memory. */
    private final class Upload implements Output {

        private final String key;
        private final String id;
        private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
        private final List<CompletedPart> parts = new ArrayList<>();
        private boolean isComplete;

        Upload(String key, String id) {
            this.key = key;
            this.id = id;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            for (int from = 0; from < bytes.length;) {
                int some = Math.min(bytes.length - from, PART - waiting.size());
                waiting.write(bytes, from, some);
                from += some;
                if (waiting.size() == PART) {
                    send();
                }
            }
        }

        private void send() throws IOException {
            int number = parts.size() + 1;
            byte[] bytes = waiting.toByteArray();
            waiting.reset();
            String tag = await(s3.uploadPart(request -> request.bucket(bucket).key(key).uploadId(id).partNumber(number),
                    AsyncRequestBody.fromBytesUnsafe(bytes))).eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
        }

        @Override
        public void complete() throws IOException {
            if (waiting.size() > 0) {
                send();
            }
            await(s3.completeMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(id)
                    .multipartUpload(all -> all.parts(parts))));
            isComplete = true;
        }

        @Override
        public void close() {
            if (!isComplete) {
                try {
                    await(abort(key, id));
                } catch (IOException e) {
                    // It is removed with its export.
                }
            }
        }
    }

    private CompletableFuture<?> abort(String key, String id) {
        return s3.abortMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(id));
    }

    @Override
    public Multi<byte[]> read(String name, long from, long length) {
        return Multi.createFrom().deferred(() -> StorageClient.send(() -> s3.getObject(
                request -> request.bucket(bucket).key(prefix + name)
                        .range("bytes=" + from + '-' + (from + length - 1))
                        .overrideConfiguration(override -> override.apiCallTimeout(readTime)),
                new ObjectBody()))
                .onItem().transformToMulti(ObjectBody::bytes)
                .map(BucketStore::bytes).emitOn(CallerContext.later(), AHEAD));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public Uni<Void> remove(List<String> names) {
        return Multi.createFrom().iterable(names).map(name -> prefix + name)
                .onItem().transformToUniAndConcatenate(key -> StorageClient.send(
                        () -> s3.deleteObject(request -> request.bucket(bucket).key(key)))
                        .chain(() -> StorageClient.send(() -> s3.listMultipartUploads(
                                request -> request.bucket(bucket).prefix(key))))
                        .chain(begun -> StorageClient.send(() -> CompletableFuture.allOf(begun.uploads().stream()
                                .filter(upload -> upload.key().equals(key))
                                .map(upload -> abort(key, upload.uploadId())).toArray(CompletableFuture[]::new)))))
                .collect().last().replaceWithVoid();
    }
}
