package io.datasetlisting.catalogue.column;

import java.nio.ByteBuffer;

import io.vertx.mutiny.core.buffer.Buffer;

/** A column of the public listing and of private datasets: one value for each dataset of a part. */
public enum Column {

    IDS("ids", "id", Integer.BYTES, Column::integers),
    /** The bits of {@link Mark}. */
    MARKS("marks", "mark", Integer.BYTES, Column::bitmaps),
    /** The bits of labels of bands, which the table {@code band_mark} names. */
    BANDS("bands", "band", Short.BYTES, Column::bitmaps), OWNERS("owners", "owner", Integer.BYTES,
            Column::integers), WORKSPACES("workspaces", "workspace", Integer.BYTES, Column::integers),
    /** Microseconds since 1970. */
    TIMES("captured", "time", Long.BYTES, Column::integers),
    /** The edges of the footprint in degrees. */
    WESTS("wests", "west", Long.BYTES, Column::numbers), SOUTHS("souths", "south", Long.BYTES,
            Column::numbers), EASTS("easts", "east", Long.BYTES,
                    Column::numbers), NORTHS("norths", "north", Long.BYTES, Column::numbers),
    /** The bits of the distances of {@code RasterGsd}, which are in the order of the distances; 0 if none is known. */
    GSDS("gsds", "gsd", Long.BYTES, Column::integers);

    /** Bytes before the elements of an array in PostgreSQL's binary format. */
    private static final int HEADER = 20;
    private static final int LENGTH_OF_HEADER = 16;

    private final String name;
    private final String element;
    private final int width;
    private final Decoder decoder;

    Column(String name, String element, int width, Decoder decoder) {
        this.name = name;
        this.element = element;
        this.width = width;
        this.decoder = decoder;
    }

    @FunctionalInterface
    private interface Decoder {

        Object decode(ByteBuffer array, int size);
    }

    /** Bytes of a value in memory, in most catalogues. */
    public int width() {
        return width;
    }

    /** Its name in the table {@code listing_part}. */
    public String sql() {
        return name;
    }

    /** The name of a value in the view {@code listing_element}. */
    public String element() {
        return element;
    }

    /** The values of no dataset. */
    public Object none() {
        return decoder.decode(ByteBuffer.allocate(0), 0);
    }

    /** The values of an array that {@code array_send} has written. */
    public Object read(Buffer bytes) {
        return decode(bytes, decoder);
    }

    private static Object decode(Buffer bytes, Decoder decoder) {
        ByteBuffer array = ByteBuffer.wrap(bytes.getBytes());
        // An empty array has no dimension.
        int size = array.getInt(0) == 0 ? 0 : array.getInt(LENGTH_OF_HEADER - Integer.BYTES);
        return decoder.decode(array.position(Math.min(HEADER, array.capacity())), size);
    }

    /** The integers of an array of {@code bigint}. */
    public static long[] longs(Buffer bytes) {
        return (long[]) decode(bytes, Column::longs);
    }

    private static long[] longs(ByteBuffer array, int size) {
        long[] values = new long[size];
        for (int i = 0; i < size; i++) {
            values[i] = next(array);
        }
        return values;
    }

    /** The next element, of four or eight bytes. */
    private static long next(ByteBuffer array) {
        return array.getInt() == Long.BYTES ? array.getLong() : array.getInt();
    }

    private static Integers integers(ByteBuffer array, int size) {
        return Integers.of(longs(array, size));
    }

    private static double[] numbers(ByteBuffer array, int size) {
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = Double.longBitsToDouble(next(array));
        }
        return values;
    }

    private static Bitmaps bitmaps(ByteBuffer array, int size) {
        return Bitmaps.of(longs(array, size));
    }
}
