package io.datasetlisting.dataset.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.DelegatingPositionOutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ByteOrderValues;
import org.locationtech.jts.io.WKBWriter;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.parquet.PageCodecs;
import io.datasetlisting.dataset.parquet.ParquetValues;
import io.datasetlisting.http.input.StrictJson;

/**
 * Writes a file of <a href="https://geoparquet.org/releases/v1.1.0/">GeoParquet 1.1</a> row by row. It holds one row group: at
 * most {@value #ROWS} rows, and about {@value #BYTES} bytes before the compression. Not for several threads at a time.
 *
 * @param <R>
 *            a row
 */
public final class GeoParquetFile<R> implements EncodedFile<R> {

    /** Of a row group, which a reader reads or skips as a whole. */
    private static final int ROWS = 10_000;
    private static final int BYTES = 8 << 20;

    private static final String GEOMETRY = "geometry";

    /** Names of texts that many rows have: the elements of lists, the keys of maps, owners, and parts of links. */
    private static final Set<String> REPEATED = Set.of("element", "key", "user", "dataset:user", "collection",
            "stac_version", "rel", "type");

    /** The coordinate reference system as <a href="https://proj.org/specifications/projjson.html">PROJJSON</a>. */
    private static final String CRS84 = """
            {"$schema": "https://proj.org/schemas/v0.7/projjson.schema.json", "type": "GeographicCRS",
             "name": "WGS 84 (CRS84)",
             "datum": {"type": "GeodeticReferenceFrame", "name": "World Geodetic System 1984",
                 "ellipsoid": {"name": "WGS 84", "semi_major_axis": 6378137, "inverse_flattening": 298.257223563}},
             "coordinate_system": {"subtype": "ellipsoidal", "axis": [
                 {"name": "Geodetic longitude", "abbreviation": "Lon", "direction": "east", "unit": "degree"},
                 {"name": "Geodetic latitude", "abbreviation": "Lat", "direction": "north", "unit": "degree"}]},
             "id": {"authority": "OGC", "code": "CRS84"}}""";

    /**
     * A column.
     *
     * @param value
     *            the value of a row; null if it is missing
     */
    record Column<R>(Type type, Function<R, Object> value) {
    }

    /**
     * What is in a file besides its rows. The columns {@code geometry}, and a group with the edges of its box, follow the others.
     *
     * @param geometry
     *            the geometry of a row; null if it has none
     * @param bbox
     *            the group
     * @param metadata
     *            of the file, besides {@code geo}
     */
    record Layout<R>(List<Column<R>> columns, Function<R, Geometry> geometry, GroupType bbox,
            Map<String, String> metadata) {

        private MessageType schema() {
            List<Type> types = new ArrayList<>(columns.stream().map(Column::type).toList());
            types.add(ParquetValues.bytes(GEOMETRY));
            types.add(bbox);
            return new MessageType("datasets", types);
        }
    }

    /**
     * A file whose rows are made of JSON.
     *
     * @param columns
     *            JSON Schema of each column, by its name
     * @param bbox
     *            the name of the column with the edges of the geometry, which is that of the items
     * @param metadata
     *            of the file, besides {@code geo}
     */
    public static EncodedFile<JsonRow> ofObjects(ObjectNode columns, String bbox, Map<String, String> metadata)
            throws IOException {
        return new GeoParquetFile<>(new Layout<>(
                columns.properties().stream()
                        .map(column -> new Column<JsonRow>(ParquetValues.type(column.getKey(), column.getValue()),
                                row -> row.values().get(column.getKey())))
                        .toList(),
                JsonRow::geometry, ParquetValues.box(bbox, true), metadata));
    }

    private final Output output = new Output();
    private final ParquetWriter<R> writer;

    GeoParquetFile(Layout<R> layout) throws IOException {
        writer = new Builder<>(output, layout).build();
    }

    @Override
    public byte[] write(List<R> rows) throws IOException {
        for (R row : rows) {
            writer.write(row);
        }
        return output.take();
    }

    @Override
    public byte[] end() throws IOException {
        writer.close();
        return output.take();
    }

    /** All memory is the heap's. */
    @Override
    public void close() {
        // A writer that is closed would write what it has.
    }

    private static final class Builder<R> extends ParquetWriter.Builder<R, Builder<R>> {

        private final Layout<R> layout;

        Builder(Output output, Layout<R> layout) {
            super(output);
            this.layout = layout;
            withConf(new PlainParquetConfiguration());
            withCodecFactory(new PageCodecs());
            withCompressionCodec(CompressionCodecName.ZSTD);
            withRowGroupSize((long) BYTES);
            withRowGroupRowCountLimit(ROWS);
            withWriteMode(ParquetFileWriter.Mode.OVERWRITE);
            // No reader needs the least bytes of a geometry, or how many values have which level.
            withStatisticsEnabled(GEOMETRY, false);
            withSizeStatisticsEnabled(false);
            // The dictionaries of columns whose values differ would take twice the memory of the rest.
            withDictionaryEncoding(false);
            for (ColumnDescriptor column : layout.schema().getColumns()) {
                String[] path = column.getPath();
                if (REPEATED.contains(path[path.length - 1])
                        && column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BINARY) {
                    withDictionaryEncoding(String.join(".", path), true);
                }
            }
        }

        @Override
        protected Builder<R> self() {
            return this;
        }

        /** The superclass declares it abstract, and calls the other one. */
        @Deprecated
        @Override
        protected WriteSupport<R> getWriteSupport(Configuration conf) {
            return new Rows<>(layout);
        }

        @Override
        protected WriteSupport<R> getWriteSupport(ParquetConfiguration conf) {
            return new Rows<>(layout);
        }
    }

    /** Writes rows, and notes for the metadata which geometries they have. */
    private static final class Rows<R> extends WriteSupport<R> {

        private final Layout<R> layout;
        private final MessageType schema;
        private final WKBWriter wkb = new WKBWriter(2, ByteOrderValues.LITTLE_ENDIAN);
        private final Set<String> types = new TreeSet<>();
        private final Envelope all = new Envelope();
        private RecordConsumer out;
        private ParquetValues values;

        Rows(Layout<R> layout) {
            this.layout = layout;
            schema = layout.schema();
        }

        /** The superclass declares it abstract. */
        @Deprecated
        @Override
        public WriteContext init(Configuration configuration) {
            return new WriteContext(schema, Map.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return new WriteContext(schema, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer) {
            out = consumer;
            values = new ParquetValues(consumer);
        }

        @Override
        public void write(R row) {
            out.startMessage();
            int index = 0;
            for (Column<R> column : layout.columns) {
                values.field(index++, column.type, column.value.apply(row));
            }
            Geometry geometry = layout.geometry.apply(row);
            if (geometry != null) {
                types.add(geometry.getGeometryType());
                Envelope box = geometry.getEnvelopeInternal();
                all.expandToInclude(box);
                values.field(index, schema.getType(index), wkb.write(geometry));
                values.field(index + 1, schema.getType(index + 1),
                        new double[]{box.getMinX(), box.getMinY(), box.getMaxX(), box.getMaxY()});
            }
            out.endMessage();
        }

        @Override
        public FinalizedWriteContext finalizeWrite() {
            Map<String, String> metadata = new TreeMap<>(layout.metadata);
            metadata.put("geo", geo().toString());
            return new FinalizedWriteContext(metadata);
        }

        private ObjectNode geo() {
            ObjectNode geo = JsonNodeFactory.instance.objectNode().put("version", "1.1.0")
                    .put("primary_column", GEOMETRY);
            ObjectNode column = geo.putObject("columns").putObject(GEOMETRY).put("encoding", "WKB");
            types.forEach(column.putArray("geometry_types")::add);
            column.set("crs", StrictJson.parse(CRS84));
            column.put("orientation", "counterclockwise").put("edges", "planar");
            if (!all.isNull()) {
                column.putArray("bbox").add(all.getMinX()).add(all.getMinY()).add(all.getMaxX()).add(all.getMaxY());
            }
            ObjectNode covering = column.putObject("covering").putObject("bbox");
            layout.bbox.getFields().forEach(
                    edge -> covering.putArray(edge.getName()).add(layout.bbox.getName()).add(edge.getName()));
            return geo;
        }
    }

    /** Keeps what the writer writes until it is taken. */
    private static final class Output implements OutputFile {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long taken;

        byte[] take() {
            byte[] all = bytes.toByteArray();
            taken += all.length;
            bytes.reset();
            return all;
        }

        @Override
        public PositionOutputStream create(long blockSizeHint) {
            return new DelegatingPositionOutputStream(bytes) {
                @Override
                public long getPos() {
                    return taken + bytes.size();
                }
            };
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint) {
            return create(blockSizeHint);
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }
}
