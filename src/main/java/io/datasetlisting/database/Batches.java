package io.datasetlisting.database;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * Reads at once what many ask for at once: who asks while others of his kind are under way waits for one of them to be done,
 * and is read with all who have come meanwhile. Nobody gets what was read before he asked.
 *
 * @param <K>
 *            kind of what is asked for: those of one kind can be read together
 * @param <A>
 *            what somebody asks for
 * @param <R>
 *            what he gets
 * @see <a href="../../../../../../docs/adr/0016-what-is-asked-for-at-once-is-read-at-once.md">ADR 16</a>
 */
final class Batches<K, A, R> {

    /** Of one kind, under way at once: two clients never wait for each other. */
    private static final int USUAL = 2;
    /** The same, while enough are waiting to fill each. */
    private static final int MOST = 4;

    private final int full;
    private final BiFunction<K, List<A>, Uni<List<R>>> read;
    private final Map<K, Line> lines = new ConcurrentHashMap<>();

    /**
     * @param full
     *            so many go together at most
     * @param read
     *            answers something for each of those it is given, in their order
     */
    Batches(int full, BiFunction<K, List<A>, Uni<List<R>>> read) {
        this.full = full;
        this.read = read;
    }

    private record Waiting<A, R>(A asked, UniEmitter<? super R> answer) {
    }

    /** Who waits. Touched by one thread at a time, as its entry in the map is computed. */
    private final class Line {

        private final Queue<Waiting<A, R>> waiting = new ArrayDeque<>();
        private int underWay;

        List<Waiting<A, R>> take() {
            List<Waiting<A, R>> batch = new ArrayList<>();
            while (!waiting.isEmpty() && batch.size() < full) {
                batch.add(waiting.remove());
            }
            return batch;
        }
    }

    /** The caller is answered in the Vert.x context in which he asks. Who asks in the same turn of its event loop goes with him. */
    Uni<R> ask(K kind, A asked) {
        Context here = Vertx.currentContext();
        return Uni.createFrom().<R>emitter(answer -> {
            come(kind, new Waiting<>(asked, answer));
            run(here, () -> send(kind, next(kind)));
        }).emitOn(command -> run(here, command));
    }

    private static void run(Context here, Runnable command) {
        if (here == null) {
            command.run();
        } else {
            here.runOnContext(nothing -> command.run());
        }
    }

    private void come(K kind, Waiting<A, R> one) {
        lines.compute(kind, (same, known) -> {
            Line line = known == null ? new Line() : known;
            line.waiting.add(one);
            return line;
        });
    }

    /** Who goes when somebody has come. */
    private List<Waiting<A, R>> next(K kind) {
        List<Waiting<A, R>> batch = new ArrayList<>();
        lines.computeIfPresent(kind, (same, line) -> {
            if (!line.waiting.isEmpty() && line.underWay < (line.waiting.size() < full ? USUAL : MOST)) {
                line.underWay++;
                batch.addAll(line.take());
            }
            return line;
        });
        return batch;
    }

    /** Who goes when others are done. */
    private List<Waiting<A, R>> done(K kind) {
        List<Waiting<A, R>> batch = new ArrayList<>();
        lines.computeIfPresent(kind, (same, line) -> {
            batch.addAll(line.take());
            if (batch.isEmpty()) {
                line.underWay--;
            }
            return line.underWay == 0 ? null : line;
        });
        return batch;
    }

    private void send(K kind, List<Waiting<A, R>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        List<A> asked = batch.stream().map(Waiting::asked).toList();
        Uni.createFrom().deferred(() -> read.apply(kind, asked)).subscribe().with(found -> {
            send(kind, done(kind));
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer.complete(found.get(i));
            }
        }, failure -> {
            send(kind, done(kind));
            batch.forEach(one -> one.answer.fail(failure));
        });
    }
}
