package io.datasetlisting.dataset;

import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.input.DrfFields;
import io.datasetlisting.storage.ThumbnailLinks;

/**
 * Reads what a client or an import sends of a dataset, by the rules of {@link DatasetFields}. A field that is absent leaves the dataset
 * as it is; the {@link DrfFields} remember what is wrong.
 */
@Singleton
public class DatasetInput {

    private final ThumbnailLinks links;
    private final List<DatasetField<?>> fields;
    private final List<DatasetField<?>> required;
    private final List<DatasetField<?>> optional;

    DatasetInput(DatasetFields table, ThumbnailLinks links) {
        this.links = links;
        fields = table.inReadOrder();
        required = fields.stream().filter(DatasetField::isRequired).toList();
        optional = fields.stream().filter(field -> !field.isRequired()).toList();
    }

    /**
     * Reads a dataset in the listing's own shape, with all its fields.
     *
     * @throws ApiException
     *             400 that says what is wrong
     */
    public Dataset readLine(byte[] utf8, int from, int to) {
        DrfFields line = DrfFields.parse(utf8, from, to);
        Dataset dataset = new Dataset();
        readWritable(line, dataset);
        required.forEach(field -> field.readKept(line, dataset, links));
        optional.forEach(field -> field.readKept(line, dataset, links));
        line.check();
        return dataset;
    }

    /** Reads the fields that clients may write. */
    void readWritable(DrfFields request, Dataset dataset) {
        fields.forEach(field -> field.readWritable(request, dataset, links));
    }
}
