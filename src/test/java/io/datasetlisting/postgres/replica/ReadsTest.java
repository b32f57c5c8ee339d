package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;

/** Tests in which context a read runs that follows a failure of the replica. {@link ReplicaIT} tests it with real servers. */
class ReadsTest {

    private static Vertx vertx;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Ends in the context of a connection, and not in the one of its caller. */
    private static Uni<String> elsewhere(Throwable failure) {
        Context connection = vertx.getOrCreateContext();
        return Uni.createFrom().emitter(caller -> connection.runOnContext(nothing -> {
            if (failure == null) {
                caller.complete("from the replica");
            } else {
                caller.fail(failure);
            }
        }));
    }

    private static String read(Context request, Throwable onReplica, Uni<String> onPrimary,
            AtomicReference<Context> context) {
        CompletableFuture<String> result = new CompletableFuture<>();
        request.runOnContext(nothing -> Reads.readElsewhereFirst(elsewhere(onReplica), () -> {
            context.set(Vertx.currentContext());
            return onPrimary;
        }).subscribe().with(item -> {
            assertSame(request, Vertx.currentContext());
            result.complete(item);
        }, result::completeExceptionally));
        return result.join();
    }

    /** A session of Hibernate begins in the duplicated context of a request, and in no other one. */
    private static Context request() {
        return ((ContextInternal) vertx.getOrCreateContext()).duplicate();
    }

    @Test
    void thePrimaryIsReadInTheContextOfTheRequestAfterTheReplicaFails() {
        Context request = request();
        AtomicReference<Context> context = new AtomicReference<>();
        assertEquals("from the primary", read(request, new Replica.LaggingException(),
                Uni.createFrom().item("from the primary"), context));
        assertSame(request, context.get());
    }

    @Test
    void theFailureOfThePrimaryIsTheFailureOfTheRead() {
        ConnectException refused = new ConnectException("refused");
        AtomicReference<Context> context = new AtomicReference<>();
        try {
            read(request(), new Replica.LaggingException(), Uni.createFrom().failure(refused), context);
        } catch (CompletionException e) {
            assertSame(refused, e.getCause());
            return;
        }
        throw new AssertionError("the read has a result");
    }

    @Test
    void aResultOfTheReplicaReachesTheContextOfTheRequest() {
        AtomicReference<Context> context = new AtomicReference<>();
        assertEquals("from the replica", read(request(), null, Uni.createFrom().item("from the primary"), context));
        assertEquals(null, context.get());
    }
}
