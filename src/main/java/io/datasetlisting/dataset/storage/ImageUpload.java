package io.datasetlisting.dataset.storage;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.RequestBody;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.Subscriptions;
import io.smallrye.mutiny.vertx.MultiHelper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** Reads the body of one upload: first its head, then the whole body as fast as the storage accepts it. */
final class ImageUpload {

    private final HttpServerRequest request;
    private final long length;
    /** Number of buffers that are requested from the client and have not arrived. */
    private final AtomicLong requested = new AtomicLong(1);
    private volatile long received;
    private volatile boolean aborted;

    /**
     * Checks the declared length of a body.
     *
     * @param maxSize
     *            in bytes
     *
     * @throws ApiException
     *             411 without a length, 400 for an empty body, 413 for a body above the maximum size
     */
    ImageUpload(HttpServerRequest request, long maxSize) {
        this.request = request;
        String declared = request.getHeader("Content-Length");
        if (declared == null) {
            throw new ApiException(411, "Content-Length is missing.");
        }
        length = Long.parseLong(declared);
        if (length == 0) {
            throw new ApiException(400, "The body is empty.");
        }
        if (length > maxSize) {
            throw new ApiException(413, "The image is larger than " + maxSize + " bytes.");
        }
    }

    /** The length of the body in bytes. */
    long length() {
        return length;
    }

    /** Reads the first bytes of the body: at least the head that determines the type, if the body is long enough. */
    Uni<Buffer> readHead() {
        return Uni.createFrom().emitter(emitter -> {
            Buffer head = Buffer.buffer();
            RequestBody.welcome(request);
            request.exceptionHandler(e -> {
                aborted = true;
                emitter.fail(new ApiException(400, "The body broke off."));
            }).endHandler(end -> emitter.complete(head)).handler(chunk -> {
                head.appendBuffer(chunk);
                received = head.length();
                if (head.length() >= ImageType.HEAD_LENGTH) {
                    request.pause();
                    requested.decrementAndGet();
                    emitter.complete(head);
                }
            });
            request.resume();
        });
    }

    /** The whole body, beginning with the head. */
    Multi<Buffer> body(Buffer head, Executor later) {
        Multi<Buffer> first = Multi.createFrom().item(head);
        if (head.length() == length) {
            return first;
        }
        Multi<Buffer> rest = MultiHelper.toMulti(request)
                .onRequest().invoke(number -> Subscriptions.add(requested, number))
                .onItem().invoke(chunk -> {
                    received += chunk.length();
                    requested.decrementAndGet();
                })
                .onFailure().invoke(e -> aborted = true)
                .runSubscriptionOn(later);
        return Multi.createBy().concatenating().streams(first, rest);
    }

    /** Whether the body has broken off, because the client has disconnected. */
    boolean isAborted() {
        return aborted;
    }

    /** Whether the storage waits for the client. */
    boolean isWaitingForClient() {
        return received < length && requested.get() > 0;
    }

    /** Discards the rest of the body, so that the client can read the response. */
    void discardRest() {
        if (!request.isEnded()) {
            request.handler(rest -> {
            }).endHandler(null).exceptionHandler(null).resume();
        }
    }
}
