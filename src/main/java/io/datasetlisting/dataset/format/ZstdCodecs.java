package io.datasetlisting.dataset.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import io.airlift.compress.zstd.ZstdCompressor;

/**
 * Compresses the pages of a Parquet file with Zstandard, in Java. The codec of parquet-java would unpack a library of C to the
 * file system, which a container may have mounted for reading only.
 */
final class ZstdCodecs implements CompressionCodecFactory {

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        return new Pages();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void release() {
        // The heap has everything.
    }

    private static final class Pages implements BytesInputCompressor {

        private final ZstdCompressor zstd = new ZstdCompressor();

        @Override
        public BytesInput compress(BytesInput page) throws IOException {
            ByteArrayOutputStream copy = new ByteArrayOutputStream(Math.toIntExact(page.size()));
            page.writeAllTo(copy);
            byte[] bytes = copy.toByteArray();
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
}
