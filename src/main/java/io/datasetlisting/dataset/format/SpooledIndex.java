package io.datasetlisting.dataset.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import org.wololo.flatgeobuf.NodeItem;
import org.wololo.flatgeobuf.PackedRTree;

import io.datasetlisting.base.SpoolFile;

/**
 * The index of a file of FlatGeobuf: the packed Hilbert R-tree of {@link PackedRTree}, byte for byte, in files. The class of the
 * library holds all nodes, as objects and as bytes: 100 MB for each million of features. This class holds {@value #RUN} features
 * while they are added, and a block of each run of so many while the runs are merged.
 *
 * <p>
 * The features are sorted by their place on the curve. The curve covers the whole world, so that the place is known before the
 * last feature. One step of it is 600 m wide.
 */
final class SpooledIndex {

    /** Children of a node, as other writers have. */
    static final int NODE_SIZE = 16;

    static final NodeItem WORLD = new NodeItem(-180, -90, 180, 90);
    private static final int HILBERT_MAX = (1 << 16) - 1;

    /** Features that are sorted in memory. */
    private static final int RUN = 20_000;
    private static final int RUN_BITS = 15;
    /** Four edges and an offset. */
    private static final int NODE = 5 * Long.BYTES;
    /** A node whose offset is that of the added feature, the length of the feature, and its place on the curve. */
    private static final int RECORD = NODE + 2 * Integer.BYTES;
    /** The offset and the length of an added feature. */
    private static final int ENTRY = Long.BYTES + Integer.BYTES;
    /** Records, nodes or entries that are read at once. */
    private static final int BLOCK = 64;

    private final SpoolFile runs;
    /** The nodes, the leaves first. */
    private final SpoolFile nodes;
    /** The added features in the order of the leaves. */
    private final SpoolFile entries;

    private final ByteBuffer run = little(RUN * RECORD);
    /** The place on the curve, and the number of the feature in the run. */
    private final long[] keys = new long[RUN];
    private int inRun;
    private long count;

    /** Numbers of nodes, that of the leaves first. */
    private final List<Long> levels = new ArrayList<>();
    /** Of the tree, from its root down; below zero when none is left. */
    private int nextLevel = -1;
    private long nextNode;
    private long nextEntry;
    private final ByteBuffer block = little(BLOCK * ENTRY).limit(0);

    /** An index in three empty files, which their owner closes. */
    SpooledIndex(SpoolFile runs, SpoolFile nodes, SpoolFile entries) {
        this.runs = runs;
        this.nodes = nodes;
        this.entries = entries;
    }

    /** An added feature. */
    record Entry(long offset, int length) {
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Adds a feature, by the edges of its geometry, its offset where it is stored, and its length in bytes. */
    void add(NodeItem feature, int length) {
        long place = PackedRTree.hibert(feature, HILBERT_MAX, WORLD.minX, WORLD.minY, WORLD.width(), WORLD.height());
        keys[inRun] = (place & 0xFFFFFFFFL) << RUN_BITS | inRun;
        put(run, feature).putInt(length).putInt((int) place);
        count++;
        if (++inRun == RUN) {
            endRun();
        }
    }

    private static ByteBuffer put(ByteBuffer buffer, NodeItem node) {
        return buffer.putDouble(node.minX).putDouble(node.minY).putDouble(node.maxX).putDouble(node.maxY)
                .putLong(node.offset);
    }

    private static NodeItem node(ByteBuffer buffer) {
        return new NodeItem(buffer.getDouble(), buffer.getDouble(), buffer.getDouble(), buffer.getDouble(),
                buffer.getLong());
    }

    private void endRun() {
        Arrays.sort(keys, 0, inRun);
        for (int i = 0; i < inRun; i++) {
            runs.add(run.slice((int) (keys[i] & (1 << RUN_BITS) - 1) * RECORD, RECORD));
        }
        run.clear();
        inRun = 0;
    }

    /** Features of the index. */
    long count() {
        return count;
    }

    /** Makes the tree of the features that have been added, of which there is one at least. */
    void build() {
        endRun();
        mergeRuns();
        runs.close();
        long number = count;
        levels.add(number);
        do {
            number = (number + NODE_SIZE - 1) / NODE_SIZE;
            levels.add(number);
        } while (number > 1);
        for (int level = 1; level < levels.size(); level++) {
            addParents(level);
        }
        nextLevel = levels.size() - 1;
    }

    /** Writes the leaves, whose offsets are those in the sorted features. */
    private void mergeRuns() {
        PriorityQueue<Run> heads = new PriorityQueue<>(
                Comparator.comparingLong(Run::place).thenComparingLong(each -> each.end));
        for (long first = 0; first < count; first += RUN) {
            heads.add(new Run(first, Math.min(first + RUN, count)));
        }
        ByteBuffer leaf = little(NODE);
        ByteBuffer entry = little(ENTRY);
        long offset = 0;
        while (!heads.isEmpty()) {
            Run head = heads.remove();
            NodeItem feature = node(head.records);
            int length = head.records.getInt();
            head.records.getInt();
            entries.add(entry.clear().putLong(feature.offset).putInt(length).flip());
            feature.offset = offset;
            nodes.add(put(leaf.clear(), feature).flip());
            offset += length;
            if (head.hasNext()) {
                heads.add(head);
            }
        }
    }

    /** A run from its next record on. */
    private final class Run {

        private final ByteBuffer records = little(BLOCK * RECORD).limit(0);
        private final long end;
        private long next;

        Run(long first, long end) {
            this.next = first;
            this.end = end;
            hasNext();
        }

        long place() {
            return Integer.toUnsignedLong(records.getInt(records.position() + RECORD - Integer.BYTES));
        }

        boolean hasNext() {
            if (!records.hasRemaining() && next < end) {
                int some = (int) Math.min(BLOCK, end - next);
                runs.read(records.clear().limit(some * RECORD), next * RECORD);
                records.flip();
                next += some;
            }
            return records.hasRemaining();
        }
    }

    /** The offset of a parent is the number of its first child in the tree. */
    private void addParents(int level) {
        long children = levels.get(level - 1);
        long stored = sum(levels.subList(0, level - 1));
        long inTree = sum(levels.subList(level, levels.size()));
        ByteBuffer some = little(BLOCK * NODE_SIZE * NODE);
        ByteBuffer parents = little(BLOCK * NODE);
        for (long first = 0; first < children; first += BLOCK * NODE_SIZE) {
            long number = Math.min(BLOCK * NODE_SIZE, children - first);
            nodes.read(some.clear().limit((int) number * NODE), (stored + first) * NODE);
            some.flip();
            parents.clear();
            for (int child = 0; child < number; child += NODE_SIZE) {
                NodeItem parent = new NodeItem(inTree + first + child);
                for (int i = child; i < Math.min(number, child + NODE_SIZE); i++) {
                    parent.expand(node(some));
                }
                put(parents, parent);
            }
            nodes.add(parents.flip());
        }
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }

    /** The next bytes of the tree, at most so many; empty after the last ones. */
    byte[] nextNodes(int most) {
        while (nextLevel >= 0 && nextNode == levels.get(nextLevel)) {
            nextLevel--;
            nextNode = 0;
        }
        if (nextLevel < 0) {
            return new byte[0];
        }
        int number = (int) Math.min(most / NODE, levels.get(nextLevel) - nextNode);
        byte[] bytes = new byte[number * NODE];
        nodes.read(ByteBuffer.wrap(bytes), (sum(levels.subList(0, nextLevel)) + nextNode) * NODE);
        nextNode += number;
        return bytes;
    }

    /** The next added feature in the order of the tree; null after the last one. */
    Entry nextEntry() {
        if (!block.hasRemaining()) {
            if (nextEntry == count) {
                return null;
            }
            int some = (int) Math.min(BLOCK, count - nextEntry);
            entries.read(block.clear().limit(some * ENTRY), nextEntry * ENTRY);
            block.flip();
            nextEntry += some;
        }
        return new Entry(block.getLong(), block.getInt());
    }
}
