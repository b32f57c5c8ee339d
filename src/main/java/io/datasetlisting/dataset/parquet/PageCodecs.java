package io.datasetlisting.dataset.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;

/**
 * Compresses the pages of a Parquet file with Zstandard, and decompresses the usual codecs, in Java. The codecs of parquet-java
 * would unpack libraries of C to the file system, which a container may have mounted for reading only.
 */
public final class PageCodecs implements CompressionCodecFactory {

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        return new Compressing();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        return switch (codec) {
            case UNCOMPRESSED -> new Decompressing((page, size) -> page);
            case ZSTD -> new Decompressing(all(new ZstdDecompressor()));
            case SNAPPY -> new Decompressing(all(new SnappyDecompressor()));
            case LZ4_RAW -> new Decompressing(all(new Lz4Decompressor()));
            case GZIP -> new Decompressing(PageCodecs::gunzip);
            default -> throw new UnsupportedOperationException(codec.name());
        };
    }

    @Override
    public void release() {
        // The heap has everything.
    }

    /** A copy. The method of parquet-java with this purpose is deprecated. */
    static byte[] bytes(BytesInput page) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream(Math.toIntExact(page.size()));
        page.writeAllTo(copy);
        return copy.toByteArray();
    }

    private static final class Compressing implements BytesInputCompressor {

        private final ZstdCompressor zstd = new ZstdCompressor();

        @Override
        public BytesInput compress(BytesInput page) throws IOException {
            byte[] bytes = bytes(page);
            byte[] compressed = new byte[zstd.maxCompressedLength(bytes.length)];
            return BytesInput.from(compressed, 0,
                    zstd.compress(bytes, 0, bytes.length, compressed, 0, compressed.length));
        }

        @Override
        public CompressionCodecName getCodecName() {
            return CompressionCodecName.ZSTD;
        }

        @Override
        public void release() {
            // The heap has everything.
        }
    }

    /** Makes a page of the given size, or fails. */
    private interface Codec {

        byte[] decompress(byte[] page, int size) throws IOException;
    }

    private static Codec all(Decompressor codec) {
        return (page, size) -> {
            byte[] bytes = new byte[size];
            checkSize(codec.decompress(page, 0, page.length, bytes, 0, size), size);
            return bytes;
        };
    }

    /** Reads one byte more than the page has: a stream that goes on is an error, and is not read to its end. */
    private static byte[] gunzip(byte[] page, int size) throws IOException {
        try (InputStream stream = new GZIPInputStream(new ByteArrayInputStream(page))) {
            byte[] bytes = stream.readNBytes(size);
            checkSize(stream.read() < 0 ? bytes.length : size + 1, size);
            return bytes;
        }
    }

    private static void checkSize(int found, int size) throws IOException {
        if (found != size) {
            throw new IOException("A page of " + size + " bytes has " + found);
        }
    }

    private record Decompressing(Codec codec) implements BytesInputDecompressor {

        @Override
        public BytesInput decompress(BytesInput page, int size) throws IOException {
            return BytesInput.from(codec.decompress(bytes(page), size));
        }

        @Override
        public void decompress(ByteBuffer page, int compressedSize, ByteBuffer bytes, int size) throws IOException {
            byte[] compressed = new byte[compressedSize];
            page.get(compressed);
            bytes.put(codec.decompress(compressed, size));
        }

        @Override
        public void release() {
            // The heap has everything.
        }
    }
}
