package io.datasetlisting.catalogue.listing;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The chunks that are written to clients, each of them to many. A client that does not read keeps its chunk in memory, while
 * other clients go on to the next ones. So the sum of the chunks has a bound: above it the clients with the oldest chunk are
 * closed.
 */
final class UnreadChunks {

    private final long maxBytes;
    /** What closes the clients of each chunk, the oldest chunk first. An array is equal only to itself. */
    private final Map<byte[], Set<Consumer<byte[]>>> clients = new LinkedHashMap<>();
    private long bytes;

    UnreadChunks(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Adds a client that a chunk is written to.
     *
     * @param close
     *            closes the client if it has not read the chunk; any thread calls it
     */
    void add(byte[] chunk, Consumer<byte[]> close) {
        Map<byte[], Set<Consumer<byte[]>>> slow = new LinkedHashMap<>();
        synchronized (this) {
            clients.computeIfAbsent(chunk, added -> {
                bytes += added.length;
                return new HashSet<>();
            }).add(close);
            Iterator<Map.Entry<byte[], Set<Consumer<byte[]>>>> oldest = clients.entrySet().iterator();
            while (bytes > maxBytes && clients.size() > 1) {
                Map.Entry<byte[], Set<Consumer<byte[]>>> entry = oldest.next();
                bytes -= entry.getKey().length;
                slow.put(entry.getKey(), entry.getValue());
                oldest.remove();
            }
        }
        slow.forEach((old, closes) -> closes.forEach(each -> each.accept(old)));
    }

    /** Removes a client that has read its chunk, or has gone. */
    synchronized void remove(byte[] chunk, Consumer<byte[]> close) {
        Set<Consumer<byte[]>> left = clients.get(chunk);
        if (left != null && left.remove(close) && left.isEmpty()) {
            clients.remove(chunk);
            bytes -= chunk.length;
        }
    }

    synchronized long bytes() {
        return bytes;
    }
}
