package io.datasetlisting.dataset.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;

/**
 * Checks the contents of each data page before parquet-java decodes them: it allocates as many integers as a run of packed values
 * says that it has, so that a page of five bytes could take all memory. Writers pack some hundred values in a run.
 */
record CheckedPages(PageReadStore pages) implements PageReadStore {

    /** Of eight values. Integers of such a run take 256 KB. */
    private static final int MAX_GROUPS = 8_192;

    @Override
    public long getRowCount() {
        return pages.getRowCount();
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor column) {
        return new Checked(pages.getPageReader(column), column);
    }

    @Override
    public void close() {
        pages.close();
    }

    private record Checked(PageReader reader, ColumnDescriptor column) implements PageReader {

        @Override
        public DictionaryPage readDictionaryPage() {
            return reader.readDictionaryPage();
        }

        @Override
        public long getTotalValueCount() {
            return reader.getTotalValueCount();
        }

        @Override
        public DataPage readPage() {
            DataPage page = reader.readPage();
            try {
                if (page instanceof DataPageV1 v1) {
                    ByteBuffer bytes = bytes(v1.getBytes());
                    checkLevels(bytes, v1.getRlEncoding(), column.getMaxRepetitionLevel());
                    checkLevels(bytes, v1.getDlEncoding(), column.getMaxDefinitionLevel());
                    checkValues(bytes, v1.getValueEncoding());
                } else if (page instanceof DataPageV2 v2) {
                    checkRuns(bytes(v2.getRepetitionLevels()), width(column.getMaxRepetitionLevel()));
                    checkRuns(bytes(v2.getDefinitionLevels()), width(column.getMaxDefinitionLevel()));
                    checkValues(bytes(v2.getData()), v2.getDataEncoding());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return page;
        }
    }

    private static ByteBuffer bytes(BytesInput input) throws IOException {
        return ByteBuffer.wrap(PageCodecs.bytes(input)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int width(int maxLevel) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(maxLevel);
    }

    private static void checkLevels(ByteBuffer page, Encoding encoding, int maxLevel) {
        if (maxLevel > 0) {
            if (encoding != Encoding.RLE) {
                throw FileCheck.refusal("its levels have the encoding " + encoding);
            }
            checkRuns(part(page), width(maxLevel));
        }
    }

    /** A part behind its length. */
    private static ByteBuffer part(ByteBuffer page) {
        int length = page.getInt();
        ByteBuffer part = page.slice(page.position(), length);
        page.position(page.position() + length);
        return part;
    }

    /** Plain values have no runs. {@link FileCheck} refuses other encodings. */
    private static void checkValues(ByteBuffer page, Encoding encoding) {
        if (encoding.usesDictionary() && page.hasRemaining()) {
            int width = Byte.toUnsignedInt(page.get());
            checkRuns(page, Math.min(width, Integer.SIZE));
        } else if (encoding == Encoding.RLE) {
            checkRuns(part(page), 1);
        }
    }

    /** @param width of a value, in bits */
    private static void checkRuns(ByteBuffer runs, int width) {
        while (runs.hasRemaining()) {
            int header = 0;
            int next = 0x80;
            for (int shift = 0; next >= 0x80 && runs.hasRemaining(); shift += 7) {
                next = Byte.toUnsignedInt(runs.get());
                header |= (next & 0x7F) << shift;
            }
            boolean isPacked = (header & 1) != 0;
            int groups = header >>> 1;
            if (isPacked && groups > MAX_GROUPS) {
                throw new IllegalArgumentException("a run of " + groups + " groups");
            }
            int length = isPacked ? groups * width : (width + Byte.SIZE - 1) / Byte.SIZE;
            runs.position(Math.min(runs.limit(), runs.position() + length));
        }
    }
}
