package io.datasetlisting.write.change;

import java.util.Map;
import java.util.UUID;

/**
 * What a copy has to contain at a position.
 *
 * @param catalogue
 *            the identity of the catalogue
 * @param blocks
 *            by number, in their order: those that contain datasets
 */
public record Digest(UUID catalogue, Map<Long, Block> blocks) {

    /** A block has the ids that are equal without so many of their last bits. */
    public static final int BITS = 12;

    /** How many ids a block may have. */
    public static final int SIZE = 1 << BITS;

    /**
     * The datasets of a block.
     *
     * @param sum
     *            the sum of the hashes, modulo 2^64
     */
    public record Block(long count, long sum) {
    }
}
