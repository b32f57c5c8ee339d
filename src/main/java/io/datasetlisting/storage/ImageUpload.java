package io.datasetlisting.storage;

import java.util.concurrent.atomic.AtomicLong;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.input.RequestBody;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.Subscriptions;
import io.smallrye.mutiny.vertx.MultiHelper;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** The body of one upload: first its head, then all of it, taken from the client as fast as the storage takes it. */
final class ImageUpload {

    private final HttpServerRequest request;
    private final long length;
    private final AtomicLong asked = new AtomicLong(1);
    private volatile long received;
    private volatile boolean brokenOff;

    /** @throws ApiException 400, 411 or 413 */
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

    /** In bytes. */
    long length() {
        return length;
    }

    /** As much of the body's beginning as tells its type. */
    Uni<Buffer> head() {
        return Uni.createFrom().emitter(emitter -> {
            Buffer head = Buffer.buffer();
            RequestBody.welcome(request);
            request.exceptionHandler(e -> {
                brokenOff = true;
                emitter.fail(new ApiException(400, "The body broke off."));
            }).endHandler(end -> emitter.complete(head)).handler(chunk -> {
                head.appendBuffer(chunk);
                received = head.length();
                if (head.length() >= ImageType.HEAD) {
                    request.pause();
                    asked.decrementAndGet();
                    emitter.complete(head);
                }
            });
            request.resume();
        });
    }

    /** All of it. */
    Multi<Buffer> body(Buffer head, Context context) {
        Multi<Buffer> beginning = Multi.createFrom().item(head);
        if (head.length() == length) {
            return beginning;
        }
        Multi<Buffer> rest = MultiHelper.toMulti(request)
                .onRequest().invoke(more -> Subscriptions.add(asked, more))
                .onItem().invoke(chunk -> {
                    received += chunk.length();
                    asked.decrementAndGet();
                })
                .onFailure().invoke(e -> brokenOff = true)
                .runSubscriptionOn(command -> context.runOnContext(nothing -> command.run()));
        return Multi.createBy().concatenating().streams(beginning, rest);
    }

    /** Whether the client has gone away in the middle. */
    boolean isBrokenOff() {
        return brokenOff;
    }

    /** Whether it is the client that keeps the storage waiting. */
    boolean isWaitedFor() {
        return received < length && asked.get() > 0;
    }

    /** Reads on, so that the client gets to read the answer. */
    void forget() {
        if (!request.isEnded()) {
            request.handler(rest -> {
            }).endHandler(null).exceptionHandler(null).resume();
        }
    }
}
