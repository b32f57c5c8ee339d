package io.datasetlisting.dataset.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.wololo.flatgeobuf.NodeItem;
import org.wololo.flatgeobuf.PackedRTree;

import io.datasetlisting.base.Spool;
import io.datasetlisting.base.SpoolFile;
import io.datasetlisting.base.Spools;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Compares the index in files with that of the library, which holds it in memory. */
class SpooledIndexTest {

    /** A feature as the library sorts it. */
    private static final class Added extends PackedRTree.Item {

        private final long offset;
        private final int length;

        Added(NodeItem node, int length) {
            this.nodeItem = node;
            this.offset = node.offset;
            this.length = length;
        }
    }

    @TempDir
    Path folder;

    private static NodeItem box(Random random, long offset) {
        // Several boxes have the same place on the curve.
        double x = random.nextInt(3) == 0 ? 12.5 : random.nextDouble() * 360 - 180;
        double y = random.nextInt(3) == 0 ? -7.25 : random.nextDouble() * 180 - 90;
        return switch (random.nextInt(10)) {
            case 0 -> new NodeItem(-180, -90, 180, 90, offset);
            case 1 -> new NodeItem(180, 90, 180, 90, offset);
            case 2 -> new NodeItem(-180, -90, -180, -90, offset);
            default -> new NodeItem(x, y, Math.min(180, x + random.nextDouble()), Math.min(90, y + random.nextDouble()),
                    offset);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 255, 256, 257, 4_097, 19_999, 20_000, 20_001, 65_000})
    void theNodesAreThoseOfTheLibrary(int count) {
        Random random = new Random(count);
        Spool spool = Spools.of(folder, "64M", new SimpleMeterRegistry());
        List<Added> added = new ArrayList<>();
        try (SpoolFile runs = spool.create(); SpoolFile nodes = spool.create(); SpoolFile entries = spool.create()) {
            SpooledIndex index = new SpooledIndex(runs, nodes, entries);
            long offset = 0;
            for (int i = 0; i < count; i++) {
                NodeItem box = box(random, offset);
                int length = 1 + random.nextInt(1_000);
                index.add(box, length);
                added.add(new Added(new NodeItem(box.minX, box.minY, box.maxX, box.maxY, offset), length));
                offset += length;
            }
            assertEquals(count, index.count());
            index.build();
            PackedRTree.hilbertSort(added, SpooledIndex.WORLD);
            long sorted = 0;
            for (Added each : added) {
                each.nodeItem.offset = sorted;
                sorted += each.length;
            }
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            new PackedRTree(added, (short) SpooledIndex.NODE_SIZE).write(expected);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (byte[] some = index.nextNodes(4_000); some.length > 0; some = index.nextNodes(4_000)) {
                bytes.writeBytes(some);
            }
            assertArrayEquals(expected.toByteArray(), bytes.toByteArray());
            for (Added each : added) {
                assertEquals(new SpooledIndex.Entry(each.offset, each.length), index.nextEntry());
            }
            assertNull(index.nextEntry());
        }
    }
}
