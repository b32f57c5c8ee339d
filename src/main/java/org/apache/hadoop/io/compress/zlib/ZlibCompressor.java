package org.apache.hadoop.io.compress.zlib;

/**
 * Takes the place of a class of Hadoop of which parquet-java names the levels of compression. Those of parquet-floor lack the
 * levels between the fastest and the best one, and a native executable is linked with all of them. Nothing compresses with zlib.
 *
 * @see org.apache.hadoop.conf.Configuration
 */
public final class ZlibCompressor {

    private ZlibCompressor() {
    }

    /** Only their names matter. */
    public enum CompressionLevel {

        NO_COMPRESSION, BEST_SPEED, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, BEST_COMPRESSION, DEFAULT_COMPRESSION
    }
}
