package io.datasetlisting.dataset.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.jboss.logging.Logger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.SpoolFile;
import shaded.parquet.org.apache.thrift.TException;

/**
 * Reads the rows of a Parquet file from a client as JSON, some at a time, with a bound on the memory for whatever the file
 * says of itself. Its methods may block, and are called one after another. All of them fail with an {@link ApiException} for a
 * file that cannot be read: 400, or 413 if it unpacks to too much.
 */
public final class ParquetRows implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(ParquetRows.class);

    /** The part of the heap that the pages of a row group may take, and the pages that are decompressed again. */
    private static final int PART_OF_HEAP = 24;
    private static final long MIN_MEMORY = 8 << 20;
    private static final long MAX_MEMORY = 128 << 20;
    /** Of a row, as in a line of NDJSON. */
    private static final int MAX_VALUES = 50_000;

    private final SpoolFile file;
    private final int maxLength;
    private final FileCheck check;
    private ParquetFileReader reader;
    private RowReader rows;
    private MessageColumnIO columns;
    private int checked;
    private int group;
    private RecordReader<Row> records;
    private PageReadStore pages;
    private long left;
    private long number;

    /**
     * A row.
     *
     * @param number
     *            from 1
     * @param length
     *            of its values, in bytes
     * @param refusal
     *            the reason for which the values are not complete; otherwise null
     */
    public record Row(long number, ObjectNode values, int length, ApiException refusal) {
    }

    private interface Step<T> {

        T run() throws IOException, TException;
    }

    /**
     * @param file
     *            complete; its owner closes it
     * @param maxLength
     *            of the values of a row, in bytes
     */
    public ParquetRows(SpoolFile file, int maxLength) {
        this.file = file;
        this.maxLength = maxLength;
        long memory = Math.max(MIN_MEMORY, Math.min(MAX_MEMORY, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
        check = read("its footer is damaged", () -> new FileCheck(file, memory));
    }

    /** The columns of the file, in their order. */
    public Set<String> columns() {
        return read("its schema is damaged", check::names);
    }

    /** The metadata of the file, by key. */
    public Map<String, String> metadata() {
        return check.metadata();
    }

    /** Whether the values of a column can be read as JSON. */
    public boolean isReadable(String column) {
        return check.isReadable(column);
    }

    /** Chooses the columns that are read, once. */
    public void select(Set<String> names) {
        read("its footer is damaged", () -> {
            ParquetReadOptions options = new ParquetReadOptions.Builder(new PlainParquetConfiguration())
                    .withCodecFactory(new PageCodecs()).withUseHadoopVectoredIo(false).build();
            ParquetMetadata footer = new ParquetMetadataConverter(options).fromParquetMetadata(check.select(names));
            SpoolInput input = new SpoolInput(file);
            reader = new ParquetFileReader(input, footer, options, input.newStream());
            rows = new RowReader(footer.getFileMetaData().getSchema(), maxLength, MAX_VALUES);
            columns = new ColumnIOFactory(footer.getFileMetaData().getCreatedBy())
                    .getColumnIO(footer.getFileMetaData().getSchema());
            return null;
        });
    }

    /** Checks the sizes of the next row group, before the first row. Returns whether more of them are left. */
    public boolean checkNext() {
        if (checked < reader.getRowGroups().size()) {
            read("its row group " + (checked + 1) + " is damaged", () -> {
                check.checkRowGroup(checked++);
                return null;
            });
        }
        return checked < reader.getRowGroups().size();
    }

    /** The next rows, which are fewer at the end of a row group and where they are long; none at the end of the file. */
    public List<Row> next(int count) {
        while (checkNext()) {
            // All of them precede the first row. Callers that check in steps have no more of them.
        }
        while (left == 0 && group < reader.getRowGroups().size()) {
            read("its row group " + (group + 1) + " is damaged", this::openRowGroup);
        }
        return read("its row group " + group + " is damaged behind row " + number, () -> {
            List<Row> next = new ArrayList<>();
            long bytes = 0;
            for (; next.size() < count && bytes < maxLength && left > 0; left--) {
                Row row = records.read();
                number = row.number();
                bytes += row.length();
                next.add(row);
            }
            return next;
        });
    }

    private Void openRowGroup() throws IOException {
        closePages();
        left = reader.getRowGroups().get(group).getRowCount();
        if (left > 0) {
            pages = reader.readRowGroup(group);
            records = columns.getRecordReader(new CheckedPages(pages), rows);
        }
        group++;
        return null;
    }

    /** parquet-java fails with exceptions of all kinds at a damaged file; a deep schema exceeds its stack. */
    private static <T> T read(String failure, Step<T> step) {
        try {
            return step.run();
        } catch (ApiException e) {
            throw e;
        } catch (IOException | TException | RuntimeException | StackOverflowError e) {
            LOG.debug(failure, e);
            throw FileCheck.refusal(failure);
        }
    }

    private void closePages() {
        if (pages != null) {
            pages.close();
            pages = null;
        }
    }

    /** All memory is the heap's. */
    @Override
    public void close() {
        closePages();
    }
}
