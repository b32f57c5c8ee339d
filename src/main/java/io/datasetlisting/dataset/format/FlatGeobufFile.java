package io.datasetlisting.dataset.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.wololo.flatgeobuf.ColumnMeta;
import org.wololo.flatgeobuf.Constants;
import org.wololo.flatgeobuf.GeometryConversions;
import org.wololo.flatgeobuf.HeaderMeta;
import org.wololo.flatgeobuf.NodeItem;
import org.wololo.flatgeobuf.generated.ColumnType;
import org.wololo.flatgeobuf.generated.Feature;
import org.wololo.flatgeobuf.generated.GeometryType;

import com.google.flatbuffers.FlatBufferBuilder;

import io.datasetlisting.base.Spool;
import io.datasetlisting.base.SpoolFile;

/**
 * Writes a file of <a href="https://flatgeobuf.org/">FlatGeobuf</a> with its index. The number of features and the index precede
 * the features, so all of them wait in temporary files: no byte is complete before the last row. Not for several threads at a
 * time.
 *
 * @param <R>
 *            a row, which has a geometry
 */
final class FlatGeobufFile<R> implements EncodedFile<R> {

    private static final int WGS84 = 4326;
    /** Bytes that are read from the temporary files at once. */
    private static final int CHUNK = 64 << 10;
    private static final int FIRST_SIZE = 4 << 10;
    private static final byte[] NOTHING = {};
    /** A size, a precision or a scale that does not count. */
    private static final int ANY = -1;

    /**
     * A column.
     *
     * @param type
     *            one of {@link ColumnType}
     * @param value
     *            the value of a row: a Boolean, a Long, a Double, or the text for all other types; null if it is missing
     */
    record Column<R>(String name, int type, Function<R, Object> value) {
    }

    private final List<Column<R>> columns;
    private final Function<R, Geometry> geometry;
    private final List<SpoolFile> files = new ArrayList<>();
    private final SpoolFile features;
    private final SpooledIndex index;
    private final FlatBufferBuilder builder = new FlatBufferBuilder(FIRST_SIZE);
    private final Envelope all = new Envelope();
    private ByteBuffer properties = ByteBuffer.allocate(FIRST_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    private boolean hasHeader;

    /**
     * A file in temporary files, which it closes.
     *
     * @throws io.datasetlisting.base.ApiException
     *             503 without a place for them
     */
    FlatGeobufFile(List<Column<R>> columns, Function<R, Geometry> geometry, Spool spool) {
        this.columns = columns;
        this.geometry = geometry;
        try {
            features = create(spool);
            index = new SpooledIndex(create(spool), create(spool), create(spool));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private SpoolFile create(Spool spool) {
        SpoolFile file = spool.createFor(this);
        files.add(file);
        return file;
    }

    @Override
    public byte[] write(List<R> rows) throws IOException {
        for (R row : rows) {
            Geometry place = geometry.apply(row);
            Envelope box = place.getEnvelopeInternal();
            all.expandToInclude(box);
            builder.clear();
            int values = Feature.createPropertiesVector(builder, properties(row));
            int shape = GeometryConversions.serialize(builder, place, (byte) GeometryType.Unknown);
            builder.finishSizePrefixed(Feature.createFeature(builder, shape, values, 0));
            ByteBuffer feature = builder.dataBuffer();
            int length = feature.remaining();
            index.add(new NodeItem(box.getMinX(), box.getMinY(), box.getMaxX(), box.getMaxY(), features.size()),
                    length);
            features.add(feature);
        }
        return NOTHING;
    }

    /** The number of the column and the value, for each value. The library leaves this part of a feature to its users. */
    private ByteBuffer properties(R row) {
        properties.clear();
        for (int i = 0; i < columns.size(); i++) {
            Column<R> column = columns.get(i);
            Object value = column.value.apply(row);
            if (value != null) {
                byte[] text = value instanceof String string ? string.getBytes(StandardCharsets.UTF_8) : NOTHING;
                reserve(Short.BYTES + Long.BYTES + text.length);
                properties.putShort((short) i);
                switch (column.type) {
                    case ColumnType.Bool -> properties.put((byte) ((Boolean) value ? 1 : 0));
                    case ColumnType.Long -> properties.putLong((Long) value);
                    case ColumnType.Double -> properties.putDouble((Double) value);
                    default -> properties.putInt(text.length).put(text);
                }
            }
        }
        return properties.flip();
    }

    private void reserve(int bytes) {
        if (properties.remaining() < bytes) {
            properties = ByteBuffer.allocate(Math.max(2 * properties.capacity(), properties.position() + bytes))
                    .order(ByteOrder.LITTLE_ENDIAN).put(properties.flip());
        }
    }

    @Override
    public byte[] end() throws IOException {
        if (!hasHeader) {
            hasHeader = true;
            if (index.count() > 0) {
                index.build();
            }
            return header();
        }
        byte[] nodes = index.nextNodes(CHUNK);
        return nodes.length > 0 ? nodes : nextFeatures();
    }

    private byte[] header() throws IOException {
        HeaderMeta header = new HeaderMeta();
        header.name = "datasets";
        header.geometryType = (byte) GeometryType.Unknown;
        header.srid = WGS84;
        header.featuresCount = index.count();
        if (index.count() > 0) {
            header.envelope = all;
            header.indexNodeSize = SpooledIndex.NODE_SIZE;
        }
        header.columns = columns.stream().map(FlatGeobufFile::meta).toList();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(Constants.MAGIC_BYTES);
        builder.clear();
        HeaderMeta.write(header, bytes, builder);
        return bytes.toByteArray();
    }

    private static ColumnMeta meta(Column<?> column) {
        ColumnMeta meta = new ColumnMeta();
        meta.name = column.name;
        meta.type = (byte) column.type;
        meta.width = ANY;
        meta.precision = ANY;
        meta.scale = ANY;
        meta.nullable = true;
        return meta;
    }

    private byte[] nextFeatures() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < CHUNK) {
            SpooledIndex.Entry next = index.nextEntry();
            if (next == null) {
                break;
            }
            byte[] feature = new byte[next.length()];
            features.read(ByteBuffer.wrap(feature), next.offset());
            bytes.writeBytes(feature);
        }
        return bytes.toByteArray();
    }

    /** Also gives the bytes of the temporary files back. */
    @Override
    public void close() {
        files.forEach(SpoolFile::close);
    }
}
