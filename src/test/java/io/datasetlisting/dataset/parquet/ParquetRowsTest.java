package io.datasetlisting.dataset.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.airlift.compress.zstd.ZstdCompressor;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.SpoolFile;
import io.datasetlisting.base.Spools;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.RandomTests;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Tests files of other writers, damaged files, and files that would take much memory. */
public class ParquetRowsTest {

    private static final int MAX_LENGTH = 100_000;
    private static final String MAGIC = "PAR1";
    private static final String EACH_TYPE = """
            select i as id, i::int as small, (i %% 200)::utinyint as tiny, (i * 1.5)::double as number, (i / 4)::float as part,
                i::decimal(18, 3) as price, case when i %% 3 > 0 then 'text ' || i end as name, i %% 2 = 0 as flag,
                timestamp '2020-01-01 00:00:00.123456' + interval (i) day as plain_time,
                timestamptz '2020-01-01 00:00:00Z' + interval (i) second as utc, date '2020-01-01' + i::int as day,
                [i, null, i + 1] as numbers, case when i %% 2 = 0 then [] else ['a', 'b' || i] end as texts,
                {'a': i, 'b': {'c': ['x']}} as nested, map {'k' || i: {'v': i}} as pairs,
                uuid '00000000-0000-0000-0000-000000000001' as uid, 'ab'::blob as bytes, null::varchar as nothing
            from range(%d) t(i)""";

    @TempDir
    Path folder;

    private List<ParquetRows.Row> read(byte[] file) {
        return read(file, new ArrayList<>());
    }

    /** @param steps receives the number of rows of each step */
    private List<ParquetRows.Row> read(byte[] file, List<Integer> steps) {
        List<ParquetRows.Row> all = new ArrayList<>();
        try (SpoolFile spooled = Spools.of(folder, "1G", new SimpleMeterRegistry()).create()) {
            spooled.add(ByteBuffer.wrap(file));
            try (ParquetRows rows = new ParquetRows(spooled, MAX_LENGTH)) {
                Set<String> names = rows.columns();
                names.removeIf(name -> !rows.isReadable(name));
                rows.select(names);
                for (List<ParquetRows.Row> some = rows.next(100); !some.isEmpty(); some = rows.next(100)) {
                    all.addAll(some);
                    steps.add(some.size());
                }
            }
        }
        return all;
    }

    private void assertRefused(byte[] file, String reason) {
        ApiException refusal = assertThrows(ApiException.class, () -> read(file));
        assertEquals(400, refusal.status(), refusal::getMessage);
        assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uncompressed", "snappy", "gzip", "zstd", "lz4_raw"})
    void theRowsOfDuckDbAreItsJson(String codec) {
        byte[] file = DuckDb.parquet(EACH_TYPE.formatted(5_000), "compression " + codec + ", row_group_size 2048");
        List<ParquetRows.Row> rows = read(file);
        assertEquals(5_000, rows.size());
        for (int i : List.of(0, 1, 2, 3, 2_047, 2_048, 4_999)) {
            ObjectNode row = rows.get(i).values();
            assertEquals(i + 1, rows.get(i).number());
            assertNull(rows.get(i).refusal());
            assertEquals(i, row.get("id").longValue());
            assertEquals(i, row.get("small").longValue());
            assertEquals(i % 200, row.get("tiny").longValue());
            assertEquals(i * 1.5, row.get("number").doubleValue());
            assertEquals(i, row.get("price").doubleValue());
            assertEquals(i % 3 > 0 ? "\"text " + i + '"' : "null", row.get("name").toString());
            assertEquals(i % 2 == 0, row.get("flag").booleanValue());
            assertTrue(row.get("plain_time").textValue().endsWith("T00:00:00.123456Z"), row::toString);
            assertTrue(row.get("utc").textValue().startsWith("2020-01-01T0"), row::toString);
            assertTrue(row.get("day").textValue().endsWith("T00:00:00Z"), row::toString);
            assertEquals("[" + i + ",null," + (i + 1) + "]", row.get("numbers").toString());
            assertEquals(i % 2 == 0 ? "[]" : "[\"a\",\"b" + i + "\"]", row.get("texts").toString());
            assertEquals("{\"a\":" + i + ",\"b\":{\"c\":[\"x\"]}}", row.get("nested").toString());
            assertEquals("{\"k" + i + "\":{\"v\":" + i + "}}", row.get("pairs").toString());
            assertEquals("00000000-0000-0000-0000-000000000001", row.get("uid").textValue());
            assertTrue(row.get("bytes").isBinary());
            assertTrue(row.get("nothing").isNull());
        }
    }

    @Test
    void aTruncatedFileIsRefused() {
        byte[] file = DuckDb.parquet(EACH_TYPE.formatted(50), "compression zstd");
        for (int length = 0; length < file.length; length += 1 + length / 40) {
            assertRefused(Arrays.copyOf(file, length), "no Parquet file");
            byte[] withTail = Arrays.copyOf(file, length + 8);
            System.arraycopy(file, file.length - 8, withTail, length, 8);
            assertThrows(ApiException.class, () -> read(withTail));
        }
    }

    @Test
    void aDamagedFileIsRefusedOrReadAndNothingElse() {
        Random random = new Random(RandomTests.seed());
        int refused = 0;
        for (String codec : List.of("uncompressed", "snappy", "zstd", "gzip")) {
            byte[] file = DuckDb.parquet(EACH_TYPE.formatted(60), "compression " + codec);
            for (int i = 0; i < RandomTests.times(300, 5_000); i++) {
                byte[] damaged = file.clone();
                // The footer has most of what can be wrong.
                for (int j = 0; j <= random.nextInt(4); j++) {
                    damaged[random.nextInt(4) == 0
                            ? random.nextInt(file.length)
                            : file.length - 1 - (int) (random.nextDouble() * file.length / 2)] = (byte) random
                                    .nextInt();
                }
                try {
                    read(damaged);
                } catch (ApiException e) {
                    assertEquals(400, e.status(), e::getMessage);
                    refused++;
                }
            }
        }
        assertTrue(refused > 100);
    }

    /** A column of numbers in one row group, with one page of ten values. */
    private static final class Hostile {

        final FileMetaData footer;
        final SchemaElement element = new SchemaElement("id").setType(Type.INT64)
                .setRepetition_type(FieldRepetitionType.REQUIRED);
        final ColumnMetaData column;
        final RowGroup group;
        final List<PageHeader> headers = new ArrayList<>();
        final List<byte[]> pages = new ArrayList<>();
        Integer footerLength;

        Hostile() {
            column = new ColumnMetaData(Type.INT64, List.of(Encoding.PLAIN), new ArrayList<>(List.of("id")),
                    CompressionCodec.UNCOMPRESSED, 10, 0, 0, 4);
            group = new RowGroup(new ArrayList<>(List.of(new ColumnChunk(4).setMeta_data(column))), 80, 10);
            footer = new FileMetaData(1,
                    new ArrayList<>(List.of(new SchemaElement("root").setNum_children(1), element)),
                    10, new ArrayList<>(List.of(group)));
        }

        Hostile page(byte[] page, int uncompressed, Encoding encoding) {
            PageHeader header = new PageHeader(PageType.DATA_PAGE, uncompressed, page.length);
            header.setData_page_header(new DataPageHeader(10, encoding, Encoding.RLE, Encoding.RLE));
            headers.add(header);
            pages.add(page);
            return this;
        }

        Hostile dictionary(byte[] page, int count) {
            PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, page.length, page.length);
            header.setDictionary_page_header(new DictionaryPageHeader(count, Encoding.PLAIN));
            headers.add(header);
            pages.add(page);
            return this;
        }

        byte[] file(Consumer<Hostile> change) {
            try {
                if (pages.isEmpty()) {
                    page(new byte[80], 80, Encoding.PLAIN);
                }
                change.accept(this);
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.writeBytes(MAGIC.getBytes(StandardCharsets.US_ASCII));
                for (int i = 0; i < pages.size(); i++) {
                    Util.writePageHeader(headers.get(i), bytes);
                    bytes.writeBytes(pages.get(i));
                }
                if (column.getTotal_compressed_size() == 0) {
                    column.setTotal_compressed_size(bytes.size() - 4);
                }
                return end(bytes, metadata());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private byte[] metadata() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Util.writeFileMetaData(footer, bytes);
            return bytes.toByteArray();
        }

        private byte[] end(ByteArrayOutputStream bytes, byte[] metadata) {
            bytes.writeBytes(metadata);
            bytes.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(footerLength == null ? metadata.length : footerLength).array());
            bytes.writeBytes(MAGIC.getBytes(StandardCharsets.US_ASCII));
            return bytes.toByteArray();
        }
    }

    private static byte[] file(Consumer<Hostile> change) {
        return new Hostile().file(change);
    }

    /** A file with these bytes as its footer. */
    private static byte[] footer(int... bytes) {
        Hostile file = new Hostile();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(MAGIC.getBytes(StandardCharsets.US_ASCII));
        byte[] metadata = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            metadata[i] = (byte) bytes[i];
        }
        return file.end(out, metadata);
    }

    @Test
    void theFileThatTheOthersAreMadeOfIsRead() {
        assertEquals(10, read(file(file -> {
        })).size());
    }

    @Test
    void aFooterThatTakesMoreThanItsBytesIsRefused() {
        assertRefused(file(file -> file.footerLength = 1_000_000_000), "footer is said to have 1000000000 bytes");
        assertRefused(file(file -> file.footerLength = Integer.MIN_VALUE), "footer is said to have 2147483648 bytes");
        assertRefused(file(file -> file.footerLength = 0), "footer");
        // A list of 2^31 - 1 elements, and a text of this length.
        assertRefused(footer(0x15, 2, 0x19, 0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07), "its footer is damaged");
        assertRefused(footer(0x15, 2, 0x19, 0x1C, 0x48, 0xFF, 0xFF, 0xFF, 0xFF, 0x07), "its footer is damaged");
        // Unknown lists in lists, one for each byte.
        int[] nested = new int[500_000];
        Arrays.fill(nested, 0x19);
        nested[0] = 0xF9;
        assertRefused(footer(nested), "its footer is damaged");
        byte[] large = file(file -> file.footer.setCreated_by("x".repeat(40 << 20)));
        assertRefused(large, "more than the");
    }

    @Test
    void aSchemaThatIsDeepOrWideOrNoTreeIsRefused() {
        assertRefused(file(file -> {
            List<SchemaElement> schema = file.footer.getSchema();
            for (int i = 0; i < 4_000; i++) {
                schema.add(1, new SchemaElement("g").setNum_children(1)
                        .setRepetition_type(FieldRepetitionType.OPTIONAL));
            }
        }), "deeper than 32");
        assertRefused(file(file -> {
            List<SchemaElement> schema = file.footer.getSchema();
            for (int i = 0; i < 10_000; i++) {
                schema.add(new SchemaElement("c" + i).setType(Type.INT64)
                        .setRepetition_type(FieldRepetitionType.OPTIONAL));
            }
            schema.get(0).setNum_children(10_001);
        }), "more than 5000");
        assertRefused(file(file -> file.footer.getSchema().get(0).setNum_children(2)), "no tree");
        assertRefused(file(file -> file.footer.getSchema().get(0).setNum_children(-1)), "no tree");
        assertRefused(file(file -> {
            file.footer.getSchema().add(file.element);
            file.footer.getSchema().get(0).setNum_children(2);
        }), "two columns");
    }

    @Test
    void aColumnThatIsNotWhereTheFooterSaysIsRefused() {
        assertRefused(file(file -> file.column.setTotal_compressed_size(Long.MAX_VALUE)), "outside of the file");
        assertRefused(file(file -> file.column.setTotal_compressed_size(-1)), "outside of the file");
        assertRefused(file(file -> file.column.setData_page_offset(-5)), "outside of the file");
        assertRefused(file(file -> file.column.setData_page_offset(1L << 60)), "outside of the file");
        assertRefused(file(file -> file.column.setNum_values(Long.MAX_VALUE)), "more than");
        assertRefused(file(file -> file.column.setNum_values(1_000)), "is damaged");
        assertRefused(file(file -> file.group.setNum_rows(Long.MAX_VALUE)), "more rows than bytes");
        assertRefused(file(file -> file.group.setNum_rows(-1)), "more rows than bytes");
        assertRefused(file(file -> file.group.setNum_rows(11)), "is damaged");
        assertRefused(file(file -> file.column.setPath_in_schema(List.of("other"))), "is damaged");
        assertRefused(file(file -> file.column.setPath_in_schema(List.of())), "is damaged");
        assertRefused(file(file -> file.column.setCodec(CompressionCodec.BROTLI)), "BROTLI cannot be read");
        assertRefused(file(file -> file.group.getColumns().get(0).setFile_path("/etc/passwd")), "in another file");
        // The same bytes as many columns: they fit in the file, and together they do not fit in the memory.
        assertRefused(file(file -> {
            file.pages.set(0, new byte[1 << 20]);
            file.headers.get(0).setCompressed_page_size(1 << 20).setUncompressed_page_size(1 << 20);
            for (int i = 0; i < 200; i++) {
                file.group.addToColumns(new ColumnChunk(4).setMeta_data(file.column));
            }
        }), "room for");
        // The same bytes in many row groups, each of which fits in the memory.
        assertRefused(file(file -> file.footer.addToRow_groups(file.group)), "overlap");
    }

    @Test
    void aPageThatIsNotWhatItsHeaderSaysIsRefused() {
        assertRefused(file(file -> file.headers.get(0).setCompressed_page_size(Integer.MAX_VALUE)), "another length");
        assertRefused(file(file -> file.headers.get(0).setCompressed_page_size(-1)), "another length");
        assertRefused(file(file -> file.headers.get(0).setUncompressed_page_size(Integer.MAX_VALUE)), "room for");
        assertRefused(file(file -> file.headers.get(0).setUncompressed_page_size(-1)), "another length");
        assertRefused(file(file -> file.headers.get(0).getData_page_header().setNum_values(-10)), "less than no value");
        assertRefused(file(file -> file.headers.get(0).getData_page_header()
                .setStatistics(new Statistics().setMin_value(new byte[1 << 20]))), "is damaged");
        assertRefused(file(file -> file.headers.get(0).getData_page_header().setEncoding(Encoding.DELTA_BINARY_PACKED)),
                "DELTA_BINARY_PACKED of the column id cannot be read");
        assertRefused(file(file -> file.headers.get(0).getData_page_header().setEncoding(Encoding.BYTE_STREAM_SPLIT)),
                "BYTE_STREAM_SPLIT");
    }

    @Test
    void aPageThatDecompressesToMoreThanItsSizeIsRefused() throws IOException {
        byte[] zeros = new byte[64 << 20];
        byte[] gzip = Bulk.gzip(zeros);
        byte[] zstd = new byte[1 << 20];
        int length = new ZstdCompressor().compress(zeros, 0, zeros.length, zstd, 0, zstd.length);
        // Says that it has 2^32 - 1 bytes.
        byte[] snappy = {-1, -1, -1, -1, 15, 0, 0};
        for (int size : List.of(80, 1 << 20)) {
            for (CompressionCodec codec : List.of(CompressionCodec.GZIP, CompressionCodec.ZSTD,
                    CompressionCodec.SNAPPY)) {
                byte[] page = codec == CompressionCodec.GZIP
                        ? gzip
                        : codec == CompressionCodec.ZSTD ? Arrays.copyOf(zstd, length) : snappy;
                assertRefused(new Hostile().page(page, size, Encoding.PLAIN)
                        .file(file -> file.column.setCodec(codec)), "is damaged");
            }
        }
        // Many pages that are small in the file, each of which fits.
        assertRefused(file(file -> {
            file.column.setCodec(CompressionCodec.ZSTD).setNum_values(100_000);
            for (int i = 0; i < 9_000; i++) {
                file.page(new byte[20], 4 << 20, Encoding.PLAIN);
            }
        }), "room for");
    }

    /**
     * A file of texts of 8 MB, each in a row group of its own and a few bytes of the file.
     *
     * @param column
     *            its name
     */
    public static byte[] bomb(String column, int groups) throws IOException {
        byte[] text = new byte[8 << 20];
        ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN).putInt(text.length - Integer.BYTES);
        byte[] zstd = new byte[1 << 20];
        byte[] page = Arrays.copyOf(zstd, new ZstdCompressor().compress(text, 0, text.length, zstd, 0, zstd.length));
        System.arraycopy(zstd, 0, page, 0, page.length);
        Hostile hostile = new Hostile();
        hostile.element.setName(column).setType(Type.BYTE_ARRAY);
        for (int i = 0; i < groups; i++) {
            hostile.page(page, text.length, Encoding.PLAIN).headers.get(i).getData_page_header().setNum_values(1);
        }
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        Util.writePageHeader(hostile.headers.get(0), header);
        int length = header.size() + page.length;
        return hostile.file(file -> {
            file.column.setType(Type.BYTE_ARRAY).setCodec(CompressionCodec.ZSTD).setPath_in_schema(List.of(column))
                    .setNum_values(1).setTotal_compressed_size(length);
            file.group.setNum_rows(1);
            for (int i = 1; i < groups; i++) {
                RowGroup next = file.group.deepCopy();
                next.getColumns().get(0).getMeta_data().setData_page_offset(4 + i * length);
                file.footer.addToRow_groups(next);
            }
        });
    }

    @Test
    void aFileWhoseRowGroupsAreSmallTogetherAndHugeWithoutTheirCompressionIsRefused() throws IOException {
        assertEquals(20, read(bomb("id", 20)).size());
        ApiException refusal = assertThrows(ApiException.class, () -> read(bomb("id", 600)));
        assertEquals(413, refusal.status());
        assertTrue(refusal.getMessage().contains("50 times its bytes"), refusal::getMessage);
    }

    /** Equal texts take hardly any bytes of a file, and each of them some of the memory. */
    @Test
    void longRowsAreReadAFewAtATime() {
        byte[] file = DuckDb.parquet("select repeat('x', 90000) as description from range(300)", "compression zstd");
        List<Integer> steps = new ArrayList<>();
        assertEquals(300, read(file, steps).size());
        // The second text is beyond the bytes of the first.
        assertEquals(2, Collections.max(steps));
    }

    @Test
    void aListOfMillionsOfEqualValuesIsRefusedBeforeItIsRead() {
        assertRefused(DuckDb.parquet("select list_resize([]::varchar[], 2000000, 't') as tags from range(2)",
                "compression zstd"), "more than 1000 values on average");
    }

    @Test
    void aDictionaryOrARunThatWouldTakeAllMemoryIsRefused() {
        assertRefused(new Hostile().dictionary(new byte[80], Integer.MAX_VALUE)
                .page(new byte[]{1, 2, 0}, 3, Encoding.RLE_DICTIONARY)
                .file(file -> file.column.setDictionary_page_offset(4).setData_page_offset(100)), "a dictionary has");
        // 2^27 - 1 groups of eight packed values.
        byte[] run = {1, -1, -1, -1, 0x7F};
        assertRefused(new Hostile().dictionary(new byte[80], 10).page(run, run.length, Encoding.RLE_DICTIONARY)
                .file(file -> file.column.setDictionary_page_offset(4).setData_page_offset(100)), "is damaged");
        ByteBuffer levels = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(4)
                .put(new byte[]{-1, -1, -1, 0x7F});
        assertRefused(new Hostile().page(levels.array(), 8, Encoding.PLAIN)
                .file(file -> file.element.setRepetition_type(FieldRepetitionType.OPTIONAL)), "is damaged");
    }

    @Test
    void aTextOfTwoGigabytesIsRefused() {
        ByteBuffer page = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN).putInt(Integer.MAX_VALUE);
        for (int length : List.of(Integer.MAX_VALUE, -1, 77)) {
            page.putInt(0, length);
            assertRefused(new Hostile().page(page.array(), 80, Encoding.PLAIN).file(file -> {
                file.element.setType(Type.BYTE_ARRAY);
                file.column.setType(Type.BYTE_ARRAY);
            }), "is damaged");
        }
    }

    @Test
    void aRowThatIsTooLongIsRefusedAndTheOthersAreRead() {
        List<ParquetRows.Row> rows = read(DuckDb.parquet("""
                select i as id, case i when 2 then repeat('x', 200000) else 'short' end as name,
                    case i when 4 then [x > 1 for x in range(60000)] else [true] end as flags from range(6) t(i)""",
                "compression zstd"));
        assertEquals(List.of("200", "200", "413", "200", "413", "200"),
                rows.stream().map(row -> row.refusal() == null ? "200" : "" + row.refusal().status()).toList());
        assertEquals("The row is longer than 100000 bytes.", rows.get(2).refusal().getMessage());
        assertEquals("The row has more than 50000 values.", rows.get(4).refusal().getMessage());
        assertEquals("{\"id\":5,\"name\":\"short\",\"flags\":[true]}", rows.get(5).values().toString());
    }
}
