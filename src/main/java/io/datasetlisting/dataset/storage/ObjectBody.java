package io.datasetlisting.dataset.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import io.smallrye.mutiny.Multi;
import mutiny.zero.flow.adapters.AdaptersToFlow;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * The bytes of an object while they arrive, for one request. They fail when the connection breaks off: the publisher of the SDK
 * alone would say nothing until the limit of the request.
 */
public final class ObjectBody implements AsyncResponseTransformer<GetObjectResponse, ObjectBody> {

    private final CompletableFuture<ObjectBody> begun = new CompletableFuture<>();
    /** Ends without a value when the bytes end. */
    private final CompletableFuture<ByteBuffer> failure = new CompletableFuture<>();
    private GetObjectResponse response;
    private SdkPublisher<ByteBuffer> bytes;

    @Override
    public CompletableFuture<ObjectBody> prepare() {
        return begun;
    }

    @Override
    public void onResponse(GetObjectResponse head) {
        response = head;
    }

    @Override
    public void onStream(SdkPublisher<ByteBuffer> publisher) {
        bytes = publisher;
        begun.complete(this);
    }

    @Override
    public void exceptionOccurred(Throwable e) {
        begun.completeExceptionally(e);
        failure.completeExceptionally(e);
    }

    public GetObjectResponse response() {
        return response;
    }

    /** The bytes, once. */
    public Multi<ByteBuffer> bytes() {
        Multi<ByteBuffer> all = Multi.createFrom().publisher(AdaptersToFlow.publisher(bytes));
        return Multi.createBy().merging().withRequests(1).streams(
                all.onTermination().invoke(() -> failure.complete(null)), Multi.createFrom().completionStage(failure));
    }
}
