package io.datasetlisting.base;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;

/** Tests the limit of temporary files, and that nothing of them is left. */
class SpoolTest {

    private static final int LIMIT = 1 << 20;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @TempDir
    Path folder;

    private Spool spool() {
        return Spools.of(folder, "1M", meters);
    }

    private double used() {
        return meters.get("dataset.spool.bytes").gauge().value();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static ByteBuffer bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void bytesAreReadAsTheyWereAdded() {
        Spool spool = spool();
        ByteBuffer all = ByteBuffer.allocate(LIMIT);
        try (SpoolFile file = spool.create()) {
            for (int count : new int[]{0, 1, 70_000, 65_536, 65_535, 3, 200_000, 17}) {
                file.add(bytes(count));
                all.put(bytes(count));
                byte[] last = new byte[Math.min(count + 1, all.position())];
                file.read(ByteBuffer.wrap(last), file.size() - last.length);
                byte[] expected = new byte[last.length];
                all.get(all.position() - expected.length, expected);
                assertArrayEquals(expected, last);
            }
            assertEquals(all.position(), file.size());
            assertEquals(all.position(), used());
            byte[] middle = new byte[100_000];
            file.read(ByteBuffer.wrap(middle), 60_000);
            byte[] expected = new byte[middle.length];
            all.get(60_000, expected);
            assertArrayEquals(expected, middle);
            assertThrows(IllegalArgumentException.class, () -> file.read(ByteBuffer.allocate(2), file.size() - 1));
        }
        assertEquals(0, used());
    }

    @Test
    void allFilesTogetherHaveALimit() {
        Spool spool = spool();
        SpoolFile first = spool.create();
        first.add(bytes(LIMIT - 10));
        try (SpoolFile second = spool.create()) {
            second.add(bytes(10));
            ApiException full = assertThrows(ApiException.class, () -> second.add(bytes(1)));
            assertEquals(503, full.status());
            assertTrue(full.getMessage().contains("dataset.bulk.spool-size"), full.getMessage());
            assertEquals(LIMIT, used());
            first.close();
            first.close();
            second.add(bytes(LIMIT - 10));
            assertThrows(ApiException.class, () -> second.add(bytes(1)));
            // The file of a request that has ended takes nothing any more.
            assertEquals(503, assertThrows(ApiException.class, () -> first.add(bytes(1))).status());
        }
        assertEquals(0, used());
    }

    /** What waiting does not change is said so. */
    @Test
    void exportsLeaveAPartToImports() {
        Spool spool = spool();
        Object export = new Object();
        try (SpoolFile one = spool.createFor(export);
                SpoolFile two = spool.createFor(export);
                SpoolFile other = spool.createFor(new Object());
                SpoolFile imported = spool.create()) {
            one.add(bytes(LIMIT / 2));
            two.add(bytes(LIMIT / 4));
            assertEquals(1, assertThrows(ApiException.class, () -> other.add(bytes(LIMIT / 4))).retryAfter());
            assertEquals(0, assertThrows(ApiException.class, () -> two.add(bytes(LIMIT / 4))).retryAfter());
            imported.add(bytes(LIMIT / 4));
            assertEquals(1, assertThrows(ApiException.class, () -> imported.add(bytes(1))).retryAfter());
        }
        assertEquals(0, used());
    }

    @Test
    void aFileHasNoNameThatAKilledProcessWouldLeave() throws IOException {
        try (SpoolFile file = spool().create()) {
            file.add(bytes(100_000));
            assertEquals(List.of(), files());
        }
    }

    @Test
    void theFolderIsEmptiedAtTheStartAndAtTheEnd() throws IOException {
        Path left = Files.createFile(folder.resolve("dataset-listing-123.spool"));
        Path other = Files.createFile(folder.resolve("notes.txt"));
        Spool spool = spool();
        assertEquals(List.of(other), files());
        Files.createFile(left);
        SpoolFile file = spool.create();
        file.add(bytes(100));
        spool.end();
        assertEquals(List.of(other), files());
        assertEquals(0, used());
        assertEquals(503, assertThrows(ApiException.class, () -> file.add(bytes(1))).status());
    }

    @Test
    void withoutAFolderTheErrorNamesTheKey() {
        Spool off = Spools.of(null, "1M", meters);
        for (ApiException error : List.of(assertThrows(ApiException.class, off::requireFolder),
                assertThrows(ApiException.class, off::create))) {
            assertEquals(503, error.status());
            assertTrue(error.getMessage().contains("dataset.bulk.spool"), error.getMessage());
        }
        assertEquals(0, used());
    }

    @Test
    void aFolderThatTakesNoFileIs503() throws IOException {
        Spool spool = spool();
        Files.delete(folder);
        ApiException error = assertThrows(ApiException.class, spool::create);
        assertEquals(503, error.status());
        assertFalse(error.getMessage().contains(folder.toString()), error.getMessage());
        Files.createDirectory(folder);
    }

    @Test
    void anEventLoopDoesNotWaitForTheDisk() throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        try (SpoolFile file = spool().create()) {
            CompletableFuture<Void> added = new CompletableFuture<>();
            vertx.runOnContext(loop -> {
                try {
                    file.add(bytes(1));
                    added.complete(null);
                } catch (IllegalStateException e) {
                    added.completeExceptionally(e);
                }
            });
            ExecutionException refused = assertThrows(ExecutionException.class, added::get);
            assertTrue(refused.getCause().getMessage().contains("event loop"), refused::toString);
        } finally {
            vertx.close();
        }
    }
}
