package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.RandomTests;

/** Tests the bound of the chunks that clients have not read. */
class UnreadChunksTest {

    private static final int MAX = 1000;

    private final List<String> closed = new ArrayList<>();

    private Consumer<byte[]> client(String name) {
        return chunk -> closed.add(name + " " + chunk.length);
    }

    @Test
    void theClientsOfTheOldestChunkAreClosed() {
        UnreadChunks unread = new UnreadChunks(MAX);
        byte[] first = new byte[600];
        Consumer<byte[]> fast = client("fast");
        unread.add(first, client("slow"));
        unread.add(first, fast);
        assertEquals(600, unread.bytes());
        unread.remove(first, fast);
        byte[] second = new byte[700];
        unread.add(second, fast);
        assertEquals(List.of("slow 600"), closed);
        assertEquals(700, unread.bytes());
        unread.remove(second, fast);
        assertEquals(0, unread.bytes());
    }

    /** Nobody could read a chunk that is larger than the bound. */
    @Test
    void theNewestChunkIsNeverClosed() {
        UnreadChunks unread = new UnreadChunks(MAX);
        unread.add(new byte[3 * MAX], client("first"));
        assertEquals(List.of(), closed);
        unread.add(new byte[2 * MAX], client("second"));
        assertEquals(List.of("first 3000"), closed);
        assertEquals(2 * MAX, unread.bytes());
    }

    @Test
    void theSumIsThatOfTheChunksWithClients() {
        long seed = RandomTests.seed();
        Random random = new Random(seed);
        UnreadChunks unread = new UnreadChunks(MAX);
        List<byte[]> chunks = new ArrayList<>();
        Map<Consumer<byte[]>, byte[]> reading = new HashMap<>();
        List<Consumer<byte[]>> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            clients.add(new Consumer<>() {

                @Override
                public void accept(byte[] chunk) {
                    assertTrue(reading.remove(this, chunk), () -> number + " is closed twice, seed " + seed);
                }
            });
        }
        for (int step = 0; step < 10_000; step++) {
            Consumer<byte[]> client = clients.get(random.nextInt(clients.size()));
            byte[] chunk = reading.remove(client);
            if (chunk != null) {
                unread.remove(chunk, client);
                // Of a client that has gone, nothing is left.
                unread.remove(chunk, client);
            } else {
                if (chunks.isEmpty() || random.nextInt(4) == 0) {
                    chunks.add(new byte[random.nextInt(MAX / 2)]);
                }
                byte[] newest = chunks.get(chunks.size() - 1);
                reading.put(client, newest);
                unread.add(newest, client);
            }
            long sum = reading.values().stream().distinct().mapToLong(each -> each.length).sum();
            assertEquals(sum, unread.bytes(), () -> "seed " + seed);
            assertTrue(sum <= MAX);
        }
        reading.forEach((client, chunk) -> unread.remove(chunk, client));
        assertEquals(0, unread.bytes());
    }
}
