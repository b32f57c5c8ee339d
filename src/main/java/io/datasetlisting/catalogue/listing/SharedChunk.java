package io.datasetlisting.catalogue.listing;

import io.netty.buffer.Unpooled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpServerResponse;

/** Writes a chunk that many responses share. The platform would copy it for each of them. */
final class SharedChunk {

    /** The connection copies a piece until its client has read it. */
    private static final int PIECE = 1 << 15;

    private SharedChunk() {
    }

    /** Writes a chunk to a response whose head is written, one piece after the other, as its client reads them. */
    static Uni<Void> write(byte[] chunk, HttpServerResponse response) {
        return Multi.createFrom().range(0, (chunk.length + PIECE - 1) / PIECE)
                .onItem().transformToUniAndConcatenate(number -> {
                    int from = number * PIECE;
                    Buffer piece = BufferImpl.buffer(
                            Unpooled.wrappedBuffer(chunk, from, Math.min(PIECE, chunk.length - from)));
                    return Uni.createFrom().completionStage(() -> response.write(piece).toCompletionStage());
                }).toUni();
    }
}
