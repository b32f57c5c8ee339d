package io.datasetlisting.dataset.parquet;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.SpoolFile;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;

/**
 * Checks what a file of Parquet says of itself before parquet-java believes it: each size is compared with the bytes that are
 * there, and with the memory for one file. parquet-java allocates what the file says, and its headers may have 100 MB.
 */
final class FileCheck {

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    /** Behind the footer: its length, and the magic bytes. */
    private static final int TAIL = 8;
    private static final int MAX_DEPTH = 32;
    /** Of the whole tree. */
    private static final int MAX_SCHEMA = 5_000;
    /** Row groups, or the columns of one, for example. */
    private static final int MAX_ELEMENTS = 50_000;
    private static final long MAX_VALUES = 16 << 20;
    /** Bytes that a page header may have. Nearly all have less than the first number. */
    private static final int[] HEADER = {512, 64 << 10};
    /** Bytes of an object of a dictionary, besides its own ones. */
    private static final int ENTRY = 64;
    /** How many times the memory a row group may have without its compression. Only the pages that are read are in memory. */
    private static final int MAX_UNPACKED = 32;
    /** How many times its bytes a file may have without its compression, if this is more than a row group may have. */
    private static final int MAX_RATIO = 50;

    private static final Set<CompressionCodec> CODECS = Set.of(CompressionCodec.UNCOMPRESSED, CompressionCodec.ZSTD,
            CompressionCodec.SNAPPY, CompressionCodec.LZ4_RAW, CompressionCodec.GZIP);
    private static final Set<Encoding> DICTIONARIES = Set.of(Encoding.PLAIN_DICTIONARY, Encoding.RLE_DICTIONARY);
    /** Bytes that a plain value takes at least. */
    private static final Map<Type, Integer> SIZES = Map.of(Type.INT32, Integer.BYTES, Type.INT64, Long.BYTES,
            Type.FLOAT, Float.BYTES, Type.DOUBLE, Double.BYTES, Type.BYTE_ARRAY, Integer.BYTES);

    /** How many values the rows of a file may have on average, unless there are few. */
    private static final long MEAN_VALUES = 1_000;
    private static final long MAX_VALUES_OF_FEW = 1 << 20;

    private final SpoolFile file;
    private final long memory;
    private final FileMetaData footer;
    /** Where the footer begins. */
    private final long end;
    /** Bytes of the columns of all row groups that have been checked, and the same without their compression. */
    private long all;
    private long allUnpacked;
    private long allValues;
    private long allRows;

    /**
     * Reads and checks the footer.
     *
     * @param memory
     *            bytes for the pages of a row group, and bytes for the pages that are decompressed at a time
     * @throws ApiException
     *             400
     */
    FileCheck(SpoolFile file, long memory) throws TException {
        this.file = file;
        this.memory = memory;
        long size = file.size();
        if (size < 2 * MAGIC.length + Integer.BYTES || !hasMagic(0) || !hasMagic(size - MAGIC.length)) {
            throw refusal("it does not begin and end with PAR1");
        }
        int length = read(size - TAIL, Integer.BYTES).getInt();
        end = size - TAIL - length;
        if (length <= 0 || end < MAGIC.length) {
            throw refusal("its footer is said to have " + Integer.toUnsignedString(length) + " bytes, and the file has "
                    + size);
        }
        if (length > memory / 4) {
            throw tooLarge("The footer has " + length, memory / 4);
        }
        footer = new FileMetaData();
        parse(footer, read(end, length).array());
        checkSchema(footer.getSchema());
        long rows = footer.getRow_groups().stream().mapToLong(RowGroup::getNum_rows)
                .map(count -> count < 0 || count > MAX_VALUES ? size + 1 : count).sum();
        if (rows > size) {
            throw refusal("a row group has less than no row or more than " + MAX_VALUES
                    + ", or the file has more rows than bytes");
        }
    }

    static ApiException refusal(String reason) {
        return new ApiException(400, "The body is no Parquet file that can be read: " + reason + '.');
    }

    private static ApiException tooLarge(String what, long limit) {
        return new ApiException(400, what + " bytes, more than the " + limit
                + " that this service has room for. Write smaller row groups.");
    }

    private boolean hasMagic(long position) {
        return read(position, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
    }

    private ByteBuffer read(long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.read(bytes, position);
        return bytes.flip();
    }

    /** No text and no list can be longer than the bytes. Returns the number of bytes that were read. */
    private static int parse(TBase<?, ?> into, byte[] bytes) throws TException {
        ByteArrayInputStream stream = new ByteArrayInputStream(bytes);
        TConfiguration limits = new TConfiguration(bytes.length, bytes.length, MAX_DEPTH);
        into.read(new TCompactProtocol(new TIOStreamTransport(limits, stream), bytes.length,
                Math.min(bytes.length, MAX_ELEMENTS)));
        return bytes.length - stream.available();
    }

    /** The schema is a tree, whose elements follow each other; each has the number of its children. */
    private static void checkSchema(List<SchemaElement> schema) {
        if (schema.size() > MAX_SCHEMA) {
            throw refusal("its schema has " + schema.size() + " elements, more than " + MAX_SCHEMA);
        }
        int[] missing = new int[MAX_DEPTH + 1];
        missing[0] = 1;
        int depth = 0;
        for (SchemaElement element : schema) {
            while (depth > 0 && missing[depth] == 0) {
                depth--;
            }
            int children = element.getNum_children();
            if (missing[depth]-- == 0 || children < 0 || children > schema.size()) {
                throw refusal("its schema is no tree");
            }
            if (children > 0 && ++depth > MAX_DEPTH) {
                throw refusal("its schema is deeper than " + MAX_DEPTH + " levels");
            }
            if (children > 0) {
                missing[depth] = children;
            }
        }
        for (int left : missing) {
            if (left > 0) {
                throw refusal("its schema is no tree");
            }
        }
    }

    /** The columns by name: the elements of each, itself first. */
    private List<List<SchemaElement>> columns() {
        List<SchemaElement> schema = footer.getSchema();
        List<List<SchemaElement>> columns = new ArrayList<>();
        for (int from = 1; from < schema.size();) {
            int to = from;
            for (int left = 1; left > 0; left--) {
                left += schema.get(to++).getNum_children();
            }
            columns.add(schema.subList(from, to));
            from = to;
        }
        return columns;
    }

    /** The names of all columns, in their order. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        columns().forEach(column -> {
            if (!names.add(column.get(0).getName())) {
                throw refusal("two columns have the name " + ApiException.shorten(column.get(0).getName()));
            }
        });
        return names;
    }

    Map<String, String> metadata() {
        Map<String, String> metadata = new HashMap<>();
        if (footer.isSetKey_value_metadata()) {
            footer.getKey_value_metadata().forEach(entry -> metadata.put(entry.getKey(), entry.getValue()));
        }
        return metadata;
    }

    /** Whether all values of a column have a type that JSON has, too. */
    boolean isReadable(String name) {
        return columns().stream().filter(column -> column.get(0).getName().equals(name)).flatMap(List::stream)
                .allMatch(element -> !element.isSetType() || SIZES.containsKey(element.getType())
                        || element.getType() == Type.BOOLEAN || isNumberOrUuid(element));
    }

    private static boolean isNumberOrUuid(SchemaElement element) {
        LogicalType type = element.getLogicalType();
        return element.getType() == Type.FIXED_LEN_BYTE_ARRAY && (element.getConverted_type() == ConvertedType.DECIMAL
                || type != null && (type.isSetUUID() || type.isSetDECIMAL()));
    }

    /** Forgets all other columns, so that parquet-java does not know of them. */
    FileMetaData select(Set<String> names) {
        List<SchemaElement> schema = new ArrayList<>(List.of(footer.getSchema().get(0)));
        columns().stream().filter(column -> names.contains(column.get(0).getName())).forEach(schema::addAll);
        schema.set(0, new SchemaElement(schema.get(0)).setNum_children(names.size()));
        footer.setSchema(schema);
        for (RowGroup group : footer.getRow_groups()) {
            group.getColumns().removeIf(chunk -> !names.contains(firstName(chunk)));
        }
        // There is one for each column of the whole schema.
        footer.unsetColumn_orders();
        return footer;
    }

    private static String firstName(ColumnChunk chunk) {
        if (!chunk.isSetMeta_data() || chunk.isSetCrypto_metadata() || chunk.isSetFile_path()) {
            throw refusal("a column is encrypted, or in another file");
        }
        return chunk.getMeta_data().getPath_in_schema().get(0);
    }

    /** What the pages of a row group take. */
    private final class Sizes {

        private long read;
        private long held;
        private long unpacked;

        private void check() {
            if (read > memory) {
                throw tooLarge("The columns of a row group have " + read, memory);
            }
            if (held > memory) {
                throw tooLarge("The largest pages of a row group have " + held, memory);
            }
            if (unpacked > MAX_UNPACKED * memory) {
                throw tooLarge("The pages of a row group have " + unpacked, MAX_UNPACKED * memory);
            }
        }
    }

    /**
     * Checks the pages of a row group.
     *
     * @throws ApiException
     *             400; 413 if the file unpacks to too much
     */
    void checkRowGroup(int index) throws TException {
        RowGroup group = footer.getRow_groups().get(index);
        Sizes sizes = new Sizes();
        for (ColumnChunk chunk : group.getColumns()) {
            checkChunk(chunk.getMeta_data(), sizes);
            allValues += chunk.getMeta_data().getNum_values();
        }
        allRows += group.getNum_rows();
        if (allValues > Math.max(MAX_VALUES_OF_FEW, MEAN_VALUES * allRows)) {
            // Runs of equal values take hardly any bytes, and all of them are read.
            throw refusal("its rows have more than " + MEAN_VALUES + " values on average");
        }
        all += sizes.read;
        allUnpacked += sizes.unpacked;
        if (all > end) {
            // A small file whose row groups share one page would be decompressed for hours.
            throw refusal("its columns overlap");
        }
        if (allUnpacked > Math.max(MAX_RATIO * file.size(), MAX_UNPACKED * memory)) {
            throw new ApiException(413, "The pages of the file have more than " + MAX_RATIO
                    + " times its bytes without their compression.");
        }
    }

    private void checkChunk(ColumnMetaData chunk, Sizes sizes) throws TException {
        long dictionary = chunk.getDictionary_page_offset();
        long next = dictionary > 0 && dictionary < chunk.getData_page_offset()
                ? dictionary
                : chunk.getData_page_offset();
        long length = chunk.getTotal_compressed_size();
        if (next < MAGIC.length || length < 0 || length > end - next) {
            throw refusal("a column lies outside of the file");
        }
        if (!CODECS.contains(chunk.getCodec())) {
            throw refusal("its compression " + chunk.getCodec()
                    + " cannot be read, but ZSTD, SNAPPY, GZIP and LZ4_RAW can");
        }
        if (chunk.getNum_values() < 0 || chunk.getNum_values() > MAX_VALUES) {
            throw refusal("a column of a row group has more than " + MAX_VALUES + " values");
        }
        sizes.read += length;
        sizes.check();
        long chunkEnd = next + length;
        long largest = 0;
        for (long values = 0; values < chunk.getNum_values();) {
            PageHeader page = new PageHeader();
            next += parseHeader(page, next, chunkEnd);
            int unpacked = page.getUncompressed_page_size();
            if (page.getCompressed_page_size() < 0 || page.getCompressed_page_size() > chunkEnd - next
                    || unpacked < 0) {
                throw refusal("a page has another length than its header says");
            }
            next += page.getCompressed_page_size();
            sizes.unpacked += unpacked;
            if (page.isSetDictionary_page_header()) {
                sizes.held += unpacked + dictionary(page, chunk.getType());
            } else if (page.getType() == PageType.DATA_PAGE || page.getType() == PageType.DATA_PAGE_V2) {
                values += values(page, chunk);
                sizes.held += Math.max(0, unpacked - largest);
                largest = Math.max(largest, unpacked);
            }
            sizes.check();
        }
    }

    private int parseHeader(PageHeader page, long position, long limit) throws TException {
        for (int size : HEADER) {
            int length = (int) Math.min(size, limit - position);
            try {
                return parse(page, read(position, length).array());
            } catch (TException e) {
                if (length < size || size == HEADER[HEADER.length - 1]) {
                    throw e;
                }
                page.clear();
            }
        }
        throw new IllegalStateException();
    }

    /** The bytes of the objects of a dictionary. */
    private static long dictionary(PageHeader page, Type type) {
        long count = page.getDictionary_page_header().getNum_values();
        if (count < 0 || count * SIZES.getOrDefault(type, 1) > page.getUncompressed_page_size()) {
            throw refusal("a dictionary has " + count + " values in " + page.getUncompressed_page_size() + " bytes");
        }
        return count * ENTRY;
    }

    /** The number of values of a page. */
    private static int values(PageHeader page, ColumnMetaData chunk) {
        boolean isFirstVersion = page.getType() == PageType.DATA_PAGE;
        Encoding encoding = isFirstVersion
                ? page.getData_page_header().getEncoding()
                : page.getData_page_header_v2().getEncoding();
        int count = isFirstVersion
                ? page.getData_page_header().getNum_values()
                : page.getData_page_header_v2().getNum_values();
        boolean isKnown = encoding == Encoding.PLAIN || DICTIONARIES.contains(encoding)
                || encoding == Encoding.RLE && chunk.getType() == Type.BOOLEAN;
        if (!isKnown) {
            throw refusal("the encoding " + encoding + " of the column "
                    + ApiException.shorten(String.join(".", chunk.getPath_in_schema()))
                    + " cannot be read, but PLAIN and dictionaries can");
        }
        if (count < 0) {
            throw refusal("a page has less than no value");
        }
        return count;
    }
}
