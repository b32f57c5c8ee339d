package io.datasetlisting.dataset;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.vertx.mutiny.sqlclient.Row;

/**
 * Some fields of a dataset, in the order of the contract: the fields that a statement selects, and the fields that a
 * response shows.
 */
public final class FieldSelection {

    private final DatasetFields table;
    private final DatasetField<?>[] fields;
    private final boolean[] shown;
    private final boolean isWhole;
    private final Map<String, Integer> positions = new HashMap<>();

    /**
     * @param fields
     *            the fields that are read
     * @param shown
     *            the names of the fields that are written
     */
    FieldSelection(DatasetFields table, List<DatasetField<?>> fields, Collection<String> shown) {
        this.table = table;
        this.fields = fields.toArray(DatasetField<?>[]::new);
        this.shown = new boolean[this.fields.length];
        for (int i = 0; i < this.fields.length; i++) {
            positions.put(this.fields[i].name(), i);
            this.shown[i] = shown.contains(this.fields[i].name());
        }
        isWhole = names().equals(List.copyOf(table.names()));
    }

    /** The names of the fields that are written. */
    public List<String> names() {
        return IntStream.range(0, fields.length).filter(this::isShown).mapToObj(i -> fields[i].name()).toList();
    }

    /** The same selection that also reads these fields, and does not write them. */
    public FieldSelection reading(String... names) {
        return table.select(names(), Set.of(names));
    }

    /** Whether the fields of a listing are written, all of them and no other. */
    public boolean isWhole() {
        return isWhole;
    }

    public boolean isEmpty() {
        return fields.length == 0;
    }

    /** Whether one of the fields is a link, which expires. */
    public boolean hasLink() {
        for (DatasetField<?> field : fields) {
            if (field.isLink()) {
                return true;
            }
        }
        return false;
    }

    /** The rest of a select list: the expressions of these fields, each after a comma. */
    public String selectList() {
        StringBuilder list = new StringBuilder();
        for (DatasetField<?> field : fields) {
            list.append(", ").append(field.expression());
        }
        return list.toString();
    }

    /**
     * The values in a row that ends with the columns of {@link #selectList()}.
     *
     * @param links
     *            makes a thumbnail's link from the object's key
     */
    public DatasetView read(Row row, UnaryOperator<String> links) {
        Object[] values = new Object[fields.length];
        int first = row.size() - values.length;
        for (int i = 0; i < values.length; i++) {
            values[i] = fields[i].read(row, first + i, links);
        }
        return new DatasetView(this, values);
    }

    /** The values of a dataset. */
    public DatasetView read(Dataset dataset, UnaryOperator<String> links) {
        Object[] values = new Object[fields.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields[i].read(dataset, links);
        }
        return new DatasetView(this, values);
    }

    /** The dataset as it is stored, without a thumbnail link. */
    public StoredDataset stored(Dataset dataset) {
        return new StoredDataset(Revision.of(dataset), dataset.created, read(dataset, UnaryOperator.identity()));
    }

    /** The dataset with the fields of this selection in such a row. */
    public Dataset readDataset(Row row) {
        Dataset dataset = new Dataset();
        int first = row.size() - fields.length;
        for (int i = 0; i < fields.length; i++) {
            fields[i].copy(row, first + i, dataset);
        }
        return dataset;
    }

    DatasetField<?> field(int position) {
        return fields[position];
    }

    boolean isShown(int position) {
        return shown[position];
    }

    int position(String name) {
        return positions.get(name);
    }
}
