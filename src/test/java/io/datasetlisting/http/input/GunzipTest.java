package io.datasetlisting.http.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.support.Bulk;

class GunzipTest {

    private static final String TEXT = "a line of text\n".repeat(20_000);

    private static byte[] decompress(byte[] gzip, int chunk) throws IOException {
        Gunzip gunzip = new Gunzip();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int i = 0; i < gzip.length; i += chunk) {
            for (byte[] piece : gunzip.decompress(Arrays.copyOfRange(gzip, i, Math.min(gzip.length, i + chunk)))) {
                assertTrue(piece.length <= 64 << 10);
                text.write(piece);
            }
        }
        gunzip.end();
        return text.toByteArray();
    }

    private static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.write(part);
        }
        return all.toByteArray();
    }

    /** A header with extra fields, a file name, a comment and a checksum. */
    private static byte[] withLongHeader(byte[] gzip) throws IOException {
        byte[] fixed = Arrays.copyOf(gzip, 10);
        fixed[3] = 2 + 4 + 8 + 16;
        byte[] header = join(fixed, new byte[]{3, 0, 7, 0, 7}, "name\0".getBytes(), "comment\0".getBytes());
        CRC32 checksum = new CRC32();
        checksum.update(header);
        return join(header, new byte[]{(byte) checksum.getValue(), (byte) (checksum.getValue() >> 8)},
                Arrays.copyOfRange(gzip, 10, gzip.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1_000, 1_000_000})
    void chunksOfEachLengthAreDecompressed(int chunk) throws IOException {
        byte[] gzip = Bulk.gzip(TEXT);
        assertArrayEquals(TEXT.getBytes(), decompress(gzip, chunk));
        assertArrayEquals(TEXT.getBytes(), decompress(withLongHeader(gzip), chunk));
        assertArrayEquals((TEXT + "second").getBytes(), decompress(join(gzip, Bulk.gzip("second")), chunk));
        assertEquals(0, decompress(Bulk.gzip(""), chunk).length);
        assertEquals(0, decompress(new byte[0], chunk).length);
    }

    @Test
    void anIncompleteBodyIsMalformed() throws IOException {
        byte[] gzip = withLongHeader(Bulk.gzip(TEXT));
        for (int length = 1; length < gzip.length; length++) {
            byte[] part = Arrays.copyOf(gzip, length);
            assertEquals(400, assertThrows(ApiException.class, () -> decompress(part, 100)).status());
        }
    }

    @Test
    void aDamagedBodyIsMalformed() throws IOException {
        byte[] gzip = Bulk.gzip(TEXT);
        Random random = new Random(1);
        for (int i = 10; i < gzip.length; i++) {
            byte[] damaged = gzip.clone();
            damaged[i] ^= (byte) (1 + random.nextInt(255));
            assertThrows(ApiException.class, () -> decompress(damaged, 100));
        }
        assertThrows(ApiException.class, () -> decompress(join(gzip, new byte[]{0}), 100));
        assertThrows(ApiException.class, () -> decompress(TEXT.getBytes(), 100));
    }

    @Test
    void aHeaderHasAMaximumLength() {
        byte[] header = new byte[100_000];
        Arrays.fill(header, (byte) 'a');
        System.arraycopy(new byte[]{0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0}, 0, header, 0, 10);
        assertThrows(ApiException.class, () -> decompress(header, 1_000));
    }
}
