package io.datasetlisting.catalogue.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.datasetlisting.dataset.Dataset;

/**
 * The states of a catalogue, in which one thread changes one thing at a time. A response is right if it is right for one of the
 * states that the catalogue had during the request.
 */
final class CatalogueHistory {

    private static final long PATIENCE_SECONDS = 60;

    /** Each is a list that does not change, of datasets that do not change. */
    private final List<List<Dataset>> states = new ArrayList<>();
    private int begun;
    private Throwable failure;

    CatalogueHistory(List<Dataset> first) {
        states.add(List.copyOf(first));
    }

    /** The state after the last change that has ended. */
    synchronized List<Dataset> last() {
        return states.get(states.size() - 1);
    }

    /** The number of changes that have ended. */
    synchronized int changes() {
        return states.size() - 1;
    }

    /**
     * Changes the catalogue.
     *
     * @param change
     *            returns the datasets after it
     */
    void change(Supplier<List<Dataset>> change) {
        synchronized (this) {
            begun++;
        }
        try {
            List<Dataset> after = List.copyOf(change.get());
            synchronized (this) {
                states.add(after);
                notifyAll();
            }
        } catch (RuntimeException | AssertionError e) {
            synchronized (this) {
                failure = e;
                notifyAll();
            }
            throw e;
        }
    }

    /**
     * Sends a request and compares the response.
     *
     * @param comparison
     *            of the response with a state; fails if they differ
     */
    <T> void compare(Supplier<T> request, Consumer<Answer<T>> comparison) {
        int next = changes();
        T response = request.get();
        int last = begun();
        AssertionError first = null;
        // The change that runs is waited for only if the response has no earlier state.
        for (; next <= last; next++) {
            try {
                comparison.accept(new Answer<>(response, state(next)));
                return;
            } catch (AssertionError e) {
                first = first == null ? e : first;
            }
        }
        throw first;
    }

    /** A response, and a state with which it is compared. */
    record Answer<T>(T response, List<Dataset> state) {
    }

    private synchronized int begun() {
        return begun;
    }

    /** The state after so many changes, also if the last one of them has not ended yet. */
    private synchronized List<Dataset> state(int changes) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (states.size() <= changes) {
            if (failure != null || System.nanoTime() > deadline) {
                throw new IllegalStateException("a change has not ended", failure);
            }
            try {
                wait(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return states.get(changes);
    }
}
