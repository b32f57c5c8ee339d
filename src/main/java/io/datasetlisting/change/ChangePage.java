package io.datasetlisting.change;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.datasetlisting.cursor.ChangeCursor;

/** Changes in their order. Clients that wait at the same position share a page. */
public final class ChangePage {

    private static final int MAX_FORMS = 8;

    private final List<Change> changes;
    private final ChangeCursor next;
    private final boolean more;
    /** The bytes by form. */
    private final Map<String, byte[]> written = new ConcurrentHashMap<>();

    ChangePage(List<Change> changes, ChangeCursor next, boolean more) {
        this.changes = changes;
        this.next = next;
        this.more = more;
    }

    List<Change> changes() {
        return changes;
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

    /** All changes of transactions that had committed before this time are before the next page, except held ones. */
    Instant asOf() {
        return ChangeCursor.time(next.folded());
    }

    /** The page as bytes, written once for all clients that read the same form. */
    byte[] bytes(String form, Supplier<byte[]> writer) {
        byte[] known = written.get(form);
        if (known == null) {
            known = writer.get();
            // The address in a form may be any that a client sends.
            if (written.size() < MAX_FORMS) {
                written.put(form, known);
            }
        }
        return known;
    }
}
