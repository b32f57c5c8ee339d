package io.datasetlisting.write.change;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.paging.ChangeCursor;

/** Changes in their order. Clients that wait at the same position share a page. */
public final class ChangePage {

    /** A client that has lost its connection to a stream receives at most so many changes again. */
    static final int CHANGES_PER_POSITION = 100;

    private static final int MAX_FORMS = 4;

    private final UUID catalogue;
    private final List<Change> changes;
    private final List<ChangeCursor> positions;
    private final ChangeCursor next;
    private final boolean more;
    /** By form. */
    private final Map<String, Representation> written = new ConcurrentHashMap<>();

    /**
     * The bytes of a page.
     *
     * @param tag
     *            null for a page of a stream
     */
    record Representation(byte[] bytes, EntityTag tag) {
    }

    ChangePage(UUID catalogue, List<Change> changes, List<ChangeCursor> positions, ChangeCursor next, boolean more) {
        this.catalogue = catalogue;
        this.changes = changes;
        this.positions = positions;
        this.next = next;
        this.more = more;
    }

    /** The identity of the catalogue. */
    UUID catalogue() {
        return catalogue;
    }

    List<Change> changes() {
        return changes;
    }

    /** The position after a change, or null if the page has none there. The last change has one. */
    ChangeCursor positionAfter(int change) {
        return change == changes.size() - 1
                ? next
                : (change + 1) % CHANGES_PER_POSITION == 0 ? positions.get(change / CHANGES_PER_POSITION) : null;
    }

    /** The position behind the page. */
    ChangeCursor next() {
        return next;
    }

    /** Whether the next page can be read now. */
    boolean hasMore() {
        return more;
    }

    /** Whether a client that waits for changes still waits. */
    boolean isIdle() {
        return changes.isEmpty() && !more;
    }

    /**
     * All changes of transactions that had committed before this time are before the next page, except held ones. Changes that
     * the audience does not see do not move it.
     */
    Instant asOf() {
        return ChangeCursor.time(next.seen());
    }

    /** The page in a form, written once for all clients that read it. */
    Representation written(String form, Supplier<Representation> writer) {
        // The address in a form may be any that a client sends.
        return written.size() < MAX_FORMS || written.containsKey(form)
                ? written.computeIfAbsent(form, missing -> writer.get())
                : writer.get();
    }
}
