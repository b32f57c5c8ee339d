package io.datasetlisting.dataset.raster;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;

import org.apache.commons.imaging.FormatCompliance;
import org.apache.commons.imaging.bytesource.ByteSource;
import org.apache.commons.imaging.formats.tiff.TiffDirectory;
import org.apache.commons.imaging.formats.tiff.TiffField;
import org.apache.commons.imaging.formats.tiff.TiffHeader;
import org.apache.commons.imaging.formats.tiff.TiffReader;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What the first bytes of a GeoTIFF say of the whole file, as members of a STAC asset.
 *
 * @see <a href="https://docs.ogc.org/is/21-026/21-026.html">OGC Cloud Optimized GeoTIFF</a>
 */
public final class RasterHeader {

    static final String GSD = "gsd";
    public static final String CODE = "proj:code";
    public static final String SHAPE = "proj:shape";
    static final String TRANSFORM = "proj:transform";
    static final String SIZE = "file:size";
    static final String IS_COG = "is_cog";

    /** More than the levels of any pyramid with their masks. */
    private static final int MAX_DIRECTORIES = 64;
    /** Fields of all directories, and their bytes: the directories of a hostile file overlap, so its length bounds neither. */
    private static final int MAX_FIELDS = 4_096;
    private static final int MAX_BYTES = 1 << 20;
    /** A raster that is not larger needs no overviews, as GDAL's validator says. */
    private static final int SMALL = 512;
    private static final MathContext DIGITS = new MathContext(6);

    private static final int KIND = 254;
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int TILE_WIDTH = 322;
    private static final int TILE_OFFSETS = 324;
    private static final int PIXEL_SCALE = 33550;
    private static final int TIE_POINT = 33922;
    private static final int TRANSFORMATION = 34264;
    private static final int GEO_KEYS = 34735;

    private static final int MODEL_TYPE = 1024;
    private static final int RASTER_TYPE = 1025;
    private static final int GEOGRAPHIC_CODE = 2048;
    private static final int PROJECTED_CODE = 3072;
    private static final int PROJECTED_UNIT = 3076;
    private static final int IS_PROJECTED = 1;
    private static final int IS_GEOGRAPHIC = 2;
    private static final int PIXEL_IS_POINT = 2;
    /** Above are codes of users. */
    private static final int MAX_CODE = 32_766;
    private static final int MIN_CODE = 1_024;
    private static final int WEB_MERCATOR = 3857;
    /** Metres of the units of projected coordinates: metre, foot, and foot of the US. */
    private static final Map<Integer, Double> UNITS = Map.of(9001, 1.0, 9002, 0.3048, 9003, 1200.0 / 3937);
    private static final double EARTH_RADIUS = 6_378_137;

    private final List<TiffDirectory> directories = new ArrayList<>();
    private final Map<Integer, Integer> keys = new HashMap<>();

    /** Says in a sentence why a file is refused. */
    static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RefusedException(String sentence) {
            super(sentence, null, false, false);
        }
    }

    private RasterHeader() {
    }

    /**
     * Reads the start of a file.
     *
     * @param size
     *            of the whole file, in bytes
     *
     * @throws RefusedException
     *             if the bytes are no GeoTIFF that a client can read
     */
    static ObjectNode parse(byte[] start, long size) {
        RasterHeader header = new RasterHeader();
        try {
            header.readDirectories(start);
            return header.describe(size);
        } catch (RefusedException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The library throws various exceptions for wrong values.
            throw new RefusedException("The header of the file is broken.");
        }
    }

    private void readDirectories(byte[] start) throws IOException {
        if (start.length < 8 || start[0] != start[1] || start[0] != 'I' && start[0] != 'M') {
            throw new RefusedException("The file is no TIFF.");
        }
        try {
            new TiffReader(false).read(ByteSource.array(start), FormatCompliance.getDefault(), new Bounded());
        } catch (IOException e) {
            // A directory goes on behind the bytes. The ones before it are whole.
            if (directories.isEmpty()) {
                throw e;
            }
        }
        if (directories.isEmpty()) {
            throw new RefusedException(
                    "The header of the file is not in its first " + start.length
                            + " bytes: it is no cloud-optimized GeoTIFF.");
        }
    }

    /** Takes directories and fields up to the limits. */
    private final class Bounded implements TiffReader.Listener {

        private int fields;
        private long bytes;

        @Override
        public boolean setTiffHeader(TiffHeader header) {
            return true;
        }

        @Override
        public boolean addDirectory(TiffDirectory directory) {
            directories.add(directory);
            return directories.size() < MAX_DIRECTORIES;
        }

        @Override
        public boolean addField(TiffField field) {
            fields++;
            bytes += Math.min(RasterFiles.START, Math.max(0, field.getBytesLength()));
            if (fields > MAX_FIELDS || bytes > MAX_BYTES) {
                throw new RefusedException("The header of the file is too large.");
            }
            return true;
        }

        @Override
        public boolean readImageData() {
            return false;
        }

        @Override
        public boolean readOffsetDirectories() {
            return false;
        }
    }

    private ObjectNode describe(long size) throws IOException {
        TiffDirectory image = directories.get(0);
        long width = first(image, WIDTH);
        long height = first(image, HEIGHT);
        if (width <= 0 || height <= 0) {
            throw new RefusedException("The file has no image.");
        }
        readKeys(image);
        ObjectNode described = JsonNodeFactory.instance.objectNode();
        double[] transform = transform(image);
        BigDecimal distance = transform == null ? null : distance(transform, height);
        if (distance != null) {
            described.put(GSD, distance);
        }
        Integer code = keys.get(keys.getOrDefault(MODEL_TYPE, 0) == IS_GEOGRAPHIC ? GEOGRAPHIC_CODE : PROJECTED_CODE);
        if (code != null && code >= MIN_CODE && code <= MAX_CODE) {
            described.put(CODE, "EPSG:" + code);
        }
        described.putArray(SHAPE).add(height).add(width);
        if (transform != null) {
            for (double each : transform) {
                described.withArray("/" + TRANSFORM).add(each);
            }
        }
        return described.put(SIZE, size).put(IS_COG, isCloudOptimized(image, Math.max(width, height)));
    }

    /** Tiles, overviews of a large image, and all directories in the bytes and before the tiles. */
    private boolean isCloudOptimized(TiffDirectory image, long longest) throws IOException {
        long lastDirectory = directories.stream().mapToLong(each -> each.offset).max().orElseThrow();
        long firstTile = Long.MAX_VALUE;
        boolean hasOverviews = false;
        for (TiffDirectory each : directories) {
            OptionalLong tile = LongStream.of(values(each, TILE_OFFSETS)).filter(offset -> offset != 0).min();
            firstTile = Math.min(firstTile, tile.orElse(Long.MAX_VALUE));
            hasOverviews |= first(each, KIND) == 1;
        }
        return (first(image, TILE_WIDTH) > 0 || longest <= SMALL) && (hasOverviews || longest <= SMALL)
                && directories.get(directories.size() - 1).getNextDirectoryOffset() == 0 && firstTile > lastDirectory;
    }

    /** The affine transformation from pixels to coordinates; null if there is none. */
    private double[] transform(TiffDirectory image) throws IOException {
        double[] matrix = doubles(image, TRANSFORMATION);
        double[] scale = doubles(image, PIXEL_SCALE);
        double[] tie = doubles(image, TIE_POINT);
        double[] transform;
        if (matrix.length == 16) {
            transform = new double[]{matrix[0], matrix[1], matrix[3], matrix[4], matrix[5], matrix[7]};
        } else if (scale.length >= 2 && tie.length >= 6) {
            transform = new double[]{scale[0], 0, tie[3] - tie[0] * scale[0], 0, -scale[1], tie[4] + tie[1] * scale[1]};
        } else {
            return null;
        }
        if (keys.getOrDefault(RASTER_TYPE, 0) == PIXEL_IS_POINT) {
            transform[2] -= (transform[0] + transform[1]) / 2;
            transform[5] -= (transform[3] + transform[4]) / 2;
        }
        for (double each : transform) {
            if (!Double.isFinite(each)) {
                return null;
            }
        }
        return transform;
    }

    /** Metres between the rows of the image; null if they are not known. */
    private BigDecimal distance(double[] transform, long height) {
        double rows = Math.hypot(transform[1], transform[4]);
        double metres = 0;
        if (keys.getOrDefault(MODEL_TYPE, 0) == IS_GEOGRAPHIC) {
            metres = Math.toRadians(rows) * EARTH_RADIUS;
        } else if (keys.getOrDefault(MODEL_TYPE, 0) == IS_PROJECTED) {
            metres = rows * UNITS.getOrDefault(keys.getOrDefault(PROJECTED_UNIT, 0), 0.0);
            if (keys.getOrDefault(PROJECTED_CODE, 0) == WEB_MERCATOR) {
                // Its metres shrink towards the poles.
                metres /= Math.cosh((transform[5] + transform[4] * height / 2) / EARTH_RADIUS);
            }
        }
        return metres > 0 && Double.isFinite(metres)
                ? new BigDecimal(metres).round(DIGITS).stripTrailingZeros()
                : null;
    }

    /** The keys whose values are numbers of the directory itself. */
    private void readKeys(TiffDirectory image) throws IOException {
        long[] list = values(image, GEO_KEYS);
        for (int i = 4; i + 3 < list.length; i += 4) {
            if (list[i + 1] == 0) {
                keys.put((int) list[i], (int) list[i + 3]);
            }
        }
    }

    private static long first(TiffDirectory directory, int tag) throws IOException {
        long[] values = values(directory, tag);
        return values.length == 0 ? 0 : values[0];
    }

    /** The whole numbers of a field, without signs; empty without the field. */
    private static long[] values(TiffDirectory directory, int tag) throws IOException {
        TiffField field = field(directory, tag);
        int bits = field == null ? 0 : Byte.SIZE * field.getFieldType().getSize();
        return field == null
                ? new long[0]
                : LongStream.of(field.getLongArrayValue())
                        .map(each -> bits < Long.SIZE ? each & (1L << bits) - 1 : each).toArray();
    }

    private static double[] doubles(TiffDirectory directory, int tag) throws IOException {
        TiffField field = field(directory, tag);
        return field == null ? new double[0] : field.getDoubleArrayValue();
    }

    /** Null without the field, and for a count that the bytes cannot have. */
    private static TiffField field(TiffDirectory directory, int tag) {
        return directory.getDirectoryEntries().stream()
                .filter(each -> each.getTag() == tag && each.getCount() > 0 && each.getCount() <= RasterFiles.START)
                .findFirst().orElse(null);
    }
}
