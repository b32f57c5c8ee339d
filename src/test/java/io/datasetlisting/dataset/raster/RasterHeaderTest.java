package io.datasetlisting.dataset.raster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.raster.RasterHeader.RefusedException;
import io.datasetlisting.support.RandomTests;

/** Tests what is read of the start of a file, also of files that were made to cost much. */
class RasterHeaderTest {

    private static final Duration MUCH = Duration.ofSeconds(20);
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int DOUBLE = 12;

    /** A little-endian TIFF of 64 KiB whose directories a test writes. */
    private static final class Tiff {

        private final ByteBuffer bytes = ByteBuffer.allocate(RasterFiles.START).order(ByteOrder.LITTLE_ENDIAN);
        /** Where the next value goes. */
        private int free = 4_000;

        Tiff() {
            bytes.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8);
        }

        Tiff directory(int offset, int entries) {
            bytes.position(offset);
            bytes.putShort((short) entries);
            return this;
        }

        Tiff field(int tag, int type, int count, int value) {
            bytes.putShort((short) tag).putShort((short) type).putInt(count).putInt(value);
            return this;
        }

        Tiff doubles(int tag, double... values) {
            field(tag, DOUBLE, values.length, free);
            for (double value : values) {
                bytes.putDouble(free, value);
                free += Double.BYTES;
            }
            return this;
        }

        Tiff shorts(int tag, int... values) {
            field(tag, SHORT, values.length, free);
            for (int value : values) {
                bytes.putShort(free, (short) value);
                free += Short.BYTES;
            }
            return this;
        }

        Tiff next(int offset) {
            bytes.putInt(offset);
            return this;
        }

        ObjectNode parse() {
            return RasterHeader.parse(bytes.array(), 123_456_789_012L);
        }

        /** A tiled image with one overview, its tiles behind 40,000. */
        static Tiff image(int... keys) {
            Tiff tiff = new Tiff().directory(8, 7).field(256, SHORT, 1, 40_000).field(257, LONG, 1, 3_000)
                    .field(322, SHORT, 1, 512).field(324, LONG, 1, 40_000).doubles(33550, 0.5, 0.25, 0)
                    .doubles(33922, 0, 0, 0, 500_000, 4_000_000, 0).shorts(34735, keys).next(1_000);
            return tiff.directory(1_000, 2).field(254, LONG, 1, 1).field(324, LONG, 1, 50_000).next(0);
        }
    }

    private static final int[] UTM = {1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633, 3076, 0, 1, 9001};

    private static String refusal(Tiff tiff) {
        return assertTimeoutPreemptively(MUCH,
                () -> assertThrows(RefusedException.class, tiff::parse).getMessage());
    }

    @Test
    void aHeaderHasWhatAssetsShow() {
        assertEquals("{\"gsd\":0.25,\"proj:code\":\"EPSG:32633\",\"proj:shape\":[3000,40000],"
                + "\"proj:transform\":[0.5,0.0,500000.0,0.0,-0.25,4000000.0],\"file:size\":123456789012,\"is_cog\":true}",
                Tiff.image(UTM).parse().toString());
    }

    @Test
    void thePositionOfAPointIsThatOfItsPixel() {
        int[] keys = UTM.clone();
        keys[11] = 2;
        assertEquals("[0.5,0.0,499999.75,0.0,-0.25,4000000.125]",
                Tiff.image(keys).parse().get("proj:transform").toString());
    }

    @Test
    void feetAndDegreesAreMetresToo() {
        int[] feet = UTM.clone();
        feet[19] = 9002;
        assertEquals("0.0762", Tiff.image(feet).parse().get("gsd").toString());
        int[] degrees = {1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326};
        ObjectNode header = Tiff.image(degrees).parse();
        assertEquals("EPSG:4326", header.get("proj:code").textValue());
        assertEquals(27829.9, header.get("gsd").doubleValue());
        int[] mercator = UTM.clone();
        mercator[15] = 3857;
        // At a latitude of 33.8 degrees.
        assertEquals(0.207789, Tiff.image(mercator).parse().get("gsd").doubleValue(), 1e-6);
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        int[] unknown = UTM.clone();
        unknown[15] = 32_767;
        unknown[19] = 9999;
        ObjectNode header = Tiff.image(unknown).parse();
        assertFalse(header.has("gsd") || header.has("proj:code"), header::toString);
        Tiff plain = new Tiff().directory(8, 2).field(256, SHORT, 1, 10).field(257, SHORT, 1, 20).next(0);
        assertEquals("{\"proj:shape\":[20,10],\"file:size\":123456789012,\"is_cog\":true}", plain.parse().toString());
        Tiff infinite = Tiff.image(UTM);
        infinite.bytes.putDouble(4_000, Double.NaN);
        assertFalse(infinite.parse().has("proj:transform"));
    }

    /** Many writers leave the unit to the code of the projection. */
    @Test
    void aRasterWithoutAUnitHasItsProjectionAndNoDistance() {
        int[] keys = Arrays.copyOf(UTM, 16);
        keys[3] = 3;
        ObjectNode header = Tiff.image(keys).parse();
        assertEquals("EPSG:32633", header.path("proj:code").textValue());
        assertEquals("[0.5,0.0,500000.0,0.0,-0.25,4000000.0]", header.path("proj:transform").toString());
        assertFalse(header.has("gsd"), header::toString);
    }

    /** The tiles may lie anywhere in a file that is not cloud-optimized, and large images need overviews. */
    @Test
    void aFileThatIsNotCloudOptimizedIsCalledNone() {
        Tiff strips = new Tiff().directory(8, 2).field(256, SHORT, 1, 513).field(257, SHORT, 1, 20).next(0);
        assertFalse(strips.parse().get("is_cog").booleanValue());
        Tiff alone = new Tiff().directory(8, 3).field(256, SHORT, 1, 513).field(257, SHORT, 1, 20)
                .field(322, SHORT, 1, 512).next(0);
        assertFalse(alone.parse().get("is_cog").booleanValue());
        Tiff tilesBefore = Tiff.image(UTM);
        tilesBefore.directory(1_000, 2).field(254, LONG, 1, 1).field(324, LONG, 1, 500);
        assertFalse(tilesBefore.parse().get("is_cog").booleanValue());
        Tiff goesOn = Tiff.image(UTM);
        goesOn.bytes.putInt(1_000 + 2 + 24, 100_000);
        assertFalse(goesOn.parse().get("is_cog").booleanValue());
    }

    @Test
    void otherFilesAreRefusedWithTheirReason() {
        for (String other : new String[]{"", "II", "II*", "\u0089PNG\r\n\u001a\n............", "MI*\0........"}) {
            byte[] bytes = other.getBytes(StandardCharsets.ISO_8859_1);
            assertEquals("The file is no TIFF.", assertThrows(RefusedException.class,
                    () -> RasterHeader.parse(bytes, 1)).getMessage(), other);
        }
        Tiff behind = new Tiff();
        behind.bytes.putInt(4, 1_000_000);
        assertTrue(refusal(behind).contains("is not in its first 65536 bytes"));
        assertEquals("The file has no image.", refusal(new Tiff().directory(8, 0).next(0)));
        byte[] cut = Arrays.copyOf(Tiff.image(UTM).bytes.array(), 20);
        assertEquals("The header of the file is broken.", assertThrows(RefusedException.class,
                () -> RasterHeader.parse(cut, 20)).getMessage());
    }

    @Test
    void directoriesThatFormALoopAreReadOnce() {
        Tiff loop = Tiff.image(UTM);
        loop.bytes.putInt(1_000 + 2 + 24, 8);
        assertFalse(assertTimeoutPreemptively(MUCH, loop::parse).get("is_cog").booleanValue());
    }

    @Test
    void countsThatTheFileCannotHaveAreIgnored() {
        Tiff tiff = new Tiff().directory(8, 6).field(256, LONG, 1, 10).field(257, LONG, 1, 20)
                .field(324, LONG, -1, 8).field(34735, SHORT, Integer.MAX_VALUE, 8).field(33550, DOUBLE, 1 << 29, 8)
                .field(273, LONG, 1, 1 << 30).next(0);
        assertEquals("[20,10]", assertTimeoutPreemptively(MUCH, tiff::parse).get("proj:shape").toString());
    }

    /** Each field of this file has nearly all bytes of the file. */
    @Test
    void fieldsThatShareTheirBytesAreRefused() {
        Tiff tiff = new Tiff().directory(8, 300);
        for (int i = 0; i < 300; i++) {
            tiff.field(i + 1, SHORT, 30_000, 8);
        }
        assertEquals("The header of the file is too large.", refusal(tiff.next(0)));
    }

    /** A directory at each second byte, whose entries are the other directories. */
    @Test
    void directoriesThatOverlapAreRefused() {
        Tiff tiff = new Tiff();
        for (int i = 8; i + 2 < RasterFiles.START; i += 2) {
            tiff.bytes.putShort(i, (short) 1_000);
        }
        refusal(tiff);
        Tiff chain = new Tiff();
        for (int i = 8; i + 6 < RasterFiles.START; i += 6) {
            chain.directory(i, 0).next(i + 6);
        }
        assertEquals("The file has no image.", refusal(chain));
    }

    /** Counts of 64 bits, whose bytes exceed a number. */
    @Test
    void aBigTiffWithHugeCountsIsReadLikeOthers() {
        for (long count : new long[]{1L << 61, (1L << 61) + 1, -1, Long.MIN_VALUE, 0x8000000040000000L, 1L << 40}) {
            ByteBuffer bytes = ByteBuffer.allocate(RasterFiles.START).order(ByteOrder.LITTLE_ENDIAN);
            bytes.put((byte) 'I').put((byte) 'I').putShort((short) 43).putShort((short) 8).putShort((short) 0)
                    .putLong(16)
                    .putLong(4);
            for (int tag : new int[]{256, 257}) {
                bytes.putShort((short) tag).putShort((short) LONG).putLong(1).putLong(77);
            }
            for (int type : new int[]{1, 16}) {
                bytes.putShort((short) 324).putShort((short) type).putLong(count).putLong(1);
            }
            assertEquals("[77,77]", assertTimeoutPreemptively(MUCH, () -> RasterHeader.parse(bytes.array(), 9))
                    .get("proj:shape").toString());
        }
    }

    @Test
    void noFileWithWrongBytesFailsInAnotherWayOrTakesLong() {
        Random random = new Random(RandomTests.seed());
        int read = 0;
        long start = System.nanoTime();
        int times = RandomTests.times(5_000, 100_000);
        for (int i = 0; i < times; i++) {
            byte[] bytes = Tiff.image(UTM).bytes.array();
            for (int changes = 1 + random.nextInt(8); changes > 0; changes--) {
                bytes[random.nextInt(10) == 0 ? random.nextInt(bytes.length) : random.nextInt(1_100)] = (byte) random
                        .nextInt();
            }
            try {
                RasterHeader.parse(random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(5_000)) : bytes, i);
                read++;
            } catch (RefusedException e) {
                assertTrue(e.getMessage().endsWith("."), e::toString);
            }
        }
        assertTrue(read > times / 100 && read < times, read + " of " + times);
        assertTrue(System.nanoTime() - start < times * 4_000_000L, "each one takes less than 4 ms");
    }
}
