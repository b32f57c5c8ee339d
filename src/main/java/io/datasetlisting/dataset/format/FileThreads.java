package io.datasetlisting.dataset.format;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import io.datasetlisting.base.CallerContext;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;

/**
 * Runs the libraries that write and read files on threads of their own, because they may block. A thread is taken for some rows
 * only: a file whose client is slow holds none.
 */
@Singleton
public class FileThreads {

    /** More threads would take the processor from the event loops. */
    private static final int THREADS = 2;

    /** So that a client that reads slowly is noticed before it has a whole row group. */
    private static final int CHUNK = 64 << 10;

    /** Lists of rows that are read ahead. */
    private static final int AHEAD = 4;

    private final WorkerExecutor threads;

    @Inject
    FileThreads(Vertx vertx) {
        this(vertx, "file-writers", THREADS);
    }

    /** Threads for other files, which may wait for longer than those of requests. */
    public FileThreads(Vertx vertx, String name, int threads) {
        this.threads = vertx.createSharedWorkerExecutor(name, threads);
    }

    /**
     * The bytes of a file, in chunks. Rows are requested a few lists ahead, as fast as the subscriber takes the bytes. The
     * file is opened by the first rows, or at the end without rows, and closed at the end, also at a failure and at a
     * cancellation.
     */
    public <R> Multi<byte[]> encode(Multi<List<R>> rows, Callable<? extends EncodedFile<R>> open) {
        return Multi.createFrom().resource(() -> new Steps<EncodedFile<R>>(open), file -> bytes(file, rows))
                .withFinalizer((Steps<EncodedFile<R>> file) -> file.close());
    }

    private static <R> Multi<byte[]> bytes(Steps<EncodedFile<R>> file, Multi<List<R>> rows) {
        byte[] nothing = {};
        // The database makes the next rows while a thread writes these.
        Multi<byte[]> written = rows.emitOn(CallerContext.later(), AHEAD).onItem()
                .transformToUniAndConcatenate(some -> file.run(opened -> opened.write(some), nothing));
        Multi<byte[]> last = Multi.createBy().repeating().uni(() -> file.run(EncodedFile::end, nothing))
                .until(bytes -> bytes.length == 0);
        return Multi.createBy().concatenating().streams(written, last).onItem().transformToMultiAndConcatenate(
                bytes -> bytes.length <= CHUNK ? Multi.createFrom().item(bytes) : pieces(bytes))
                .select().where(bytes -> bytes.length > 0);
    }

    private static Multi<byte[]> pieces(byte[] bytes) {
        return Multi.createFrom()
                .iterable(() -> IntStream.iterate(0, from -> from < bytes.length, from -> from + CHUNK)
                        .mapToObj(from -> Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + CHUNK)))
                        .iterator());
    }

    /** A step with a file. */
    public interface Step<F, T> {

        T run(F file) throws Exception;
    }

    /** The steps of one file, which a thread opens with the first one, and closes behind the last one. */
    public <F extends AutoCloseable> Steps<F> steps(Callable<? extends F> open) {
        return new Steps<>(open);
    }

    /** See {@link #steps}. */
    public final class Steps<F extends AutoCloseable> {

        private final Callable<? extends F> open;
        private F file;
        private boolean isClosed;

        private Steps(Callable<? extends F> open) {
            this.open = open;
        }

        /**
         * Runs a step. The result arrives in the context of the caller.
         *
         * @param nothing
         *            the result after the file has been closed, which nobody receives
         */
        public <T> Uni<T> run(Step<F, T> step, T nothing) {
            return UniHelper.toUni(threads.executeBlocking(() -> {
                synchronized (this) {
                    if (isClosed) {
                        return nothing;
                    }
                    if (file == null) {
                        file = open.call();
                    }
                    return step.run(file);
                }
            }, false));
        }

        /** Closes the file when no step runs. */
        public void close() {
            threads.executeBlocking(() -> {
                synchronized (this) {
                    if (!isClosed && file != null) {
                        file.close();
                    }
                    isClosed = true;
                    return null;
                }
            }, false);
        }
    }
}
