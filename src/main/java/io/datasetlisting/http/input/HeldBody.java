package io.datasetlisting.http.input;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.netty.ClientMemory;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * The body of one request, in memory. Its bytes count against {@link ClientMemory} from the first byte until the body
 * is parsed, or until the request ends. All methods except {@link #bytes}, {@link #release} and {@link #giveWay} run
 * on the context of the request.
 */
final class HeldBody {

    /** A body that inflates more than this is made to harm: JSON inflates five to twenty times. */
    private static final int MAX_RATIO = 50;
    /** Small bodies may have any ratio. */
    private static final int MIN_INFLATED = 64 << 10;

    private final RoutingContext context;
    private final Executor here = CallerContext.later();
    private final ClientMemory memory;
    private final long maxSize;
    private final UniEmitter<? super HeldBody> caller;
    /** Null for a body that is not compressed, and after the arrival: it holds a buffer. */
    private Gunzip gunzip;
    private final AtomicLong counted = new AtomicLong();
    private long received;
    /** Null after the release. */
    private volatile Buffer bytes = Buffer.buffer();
    private boolean hasArrived;
    private Runnable onArrival;

    /** @throws ApiException 413 for a declared length above the maximum size, 415 for another encoding than gzip */
    HeldBody(RoutingContext context, ClientMemory memory, long maxSize, UniEmitter<? super HeldBody> caller) {
        this.context = context;
        this.memory = memory;
        this.maxSize = maxSize;
        this.caller = caller;
        String declared = context.request().getHeader("Content-Length");
        if (declared != null && Long.parseLong(declared) > maxSize) {
            throw tooLarge();
        }
        gunzip = Gunzip.of(context.request());
    }

    /**
     * Receives the body, and then passes it to the caller.
     *
     * @param whenArrived
     *            called once when the body is complete or has failed
     */
    void receive(Runnable whenArrived) {
        onArrival = whenArrived;
        RequestEnd.then(context, () -> {
            arrive();
            release();
        });
        HttpServerRequest request = context.request();
        // After an exception the connection closes or the stream is reset, so no response can be sent.
        request.exceptionHandler(e -> {
            arrive();
            release();
        }).endHandler(end -> complete()).handler(this::add);
        request.resume();
    }

    /** Whether the body is complete, or its end is no longer awaited. */
    boolean hasArrived() {
        return hasArrived;
    }

    private void add(Buffer chunk) {
        if (hasArrived) {
            // The rest of a body that has failed is discarded, so that the client can read the response.
            return;
        }
        received += chunk.length();
        try {
            if (received > maxSize) {
                throw tooLarge();
            }
            for (byte[] piece : gunzip == null ? List.of(chunk.getBytes()) : gunzip.decompress(chunk.getBytes())) {
                append(piece);
            }
        } catch (ApiException e) {
            fail(e);
        }
    }

    private void append(byte[] piece) {
        Buffer body = bytes;
        if (body.length() + piece.length > maxSize) {
            throw tooLarge();
        }
        if (!memory.addBody(piece.length)) {
            throw Errors.unavailable();
        }
        counted.addAndGet(piece.length);
        body.appendBytes(piece);
        if (gunzip != null && body.length() > MIN_INFLATED && body.length() > MAX_RATIO * gunzip.consumed()) {
            throw new ApiException(413, "Request body too large: gzip may inflate it at most " + MAX_RATIO + " times.");
        }
    }

    private static ApiException tooLarge() {
        return new ApiException(413, "Request body too large.");
    }

    private void complete() {
        if (hasArrived) {
            return;
        }
        try {
            if (gunzip != null) {
                gunzip.end();
            }
        } catch (ApiException e) {
            fail(e);
            return;
        }
        arrive();
        caller.complete(this);
    }

    /** Fails the request, unless its body has arrived. */
    void fail(ApiException reason) {
        if (!hasArrived) {
            arrive();
            release();
            caller.fail(reason);
        }
    }

    /** Fails the request in favour of another one whose body is on its way. May be called on any thread. */
    void giveWay() {
        here.execute(() -> fail(
                new ApiException(408, "The body did not arrive before the bodies of too many other requests.")));
    }

    private void arrive() {
        if (!hasArrived) {
            hasArrived = true;
            RequestLimits.onTimeout(context, null);
            if (gunzip != null) {
                gunzip.close();
                gunzip = null;
            }
            onArrival.run();
        }
    }

    /** The number of bytes; 0 after the release. */
    int length() {
        Buffer body = bytes;
        return body == null ? 0 : body.length();
    }

    /**
     * The bytes of the complete body.
     *
     * @throws ApiException
     *             503 if the request has ended, so that no client waits for the response
     */
    byte[] bytes() {
        Buffer body = bytes;
        if (body == null) {
            throw WorkerThreads.ended();
        }
        return body.getBytes();
    }

    /** Gives the memory back. May be called more than once. */
    void release() {
        bytes = null;
        memory.removeBody(counted.getAndSet(0));
    }
}
