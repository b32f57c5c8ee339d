package io.datasetlisting.base;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Runs commands in the Vert.x context of a caller, because shared work ends on other event loops. */
public final class CallerContext {

    private CallerContext() {
    }

    /** Runs commands later in the current Vert.x context, or at once if there is none. */
    public static Executor later() {
        Context context = Vertx.currentContext();
        return context == null ? Runnable::run : command -> context.runOnContext(nothing -> command.run());
    }

    /** As {@link #later}, but a command that is already in the context runs at once. */
    public static Executor now() {
        Context context = Vertx.currentContext();
        Executor later = later();
        return command -> (Vertx.currentContext() == context ? (Executor) Runnable::run : later).execute(command);
    }

    /** Computes something on a worker. The result arrives in the context of the caller. */
    public static <T> Uni<T> compute(Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultWorkerPool()).emitOn(later());
    }

    /** Kept work of which several callers take the result, each in its own context. */
    public static <T> Uni<T> forEachCaller(Uni<T> kept) {
        return Uni.createFrom().deferred(() -> kept.emitOn(now()));
    }

    /** The result of work for which several callers wait: the cancellation of one of them does not cancel the work. */
    public static <T> Uni<T> shared(Uni<T> work) {
        return Uni.createFrom().emitter(caller -> work.subscribe().with(caller::complete, caller::fail));
    }
}
