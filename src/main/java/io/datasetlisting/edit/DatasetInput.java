package io.datasetlisting.edit;

import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.storage.ThumbnailLinks;

/**
 * Reads the fields of a dataset from a request or an import, by the rules of {@link DatasetFields}. An absent field
 * does not change the dataset; the {@link DrfFields} collect the errors.
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
     * Reads a dataset from a line of an import, which has the fields of the listing.
     *
     * @throws ApiException
     *             400 with all errors
     */
    public Dataset readLine(byte[] utf8, int from, int to) {
        DrfFields line = DrfFields.parse(utf8, from, to);
        Dataset dataset = new Dataset();
        readWritable(line, dataset);
        required.forEach(field -> field.readImported(line, dataset, links));
        optional.forEach(field -> field.readImported(line, dataset, links));
        line.check();
        return dataset;
    }

    /** Reads the fields that clients may write. */
    void readWritable(DrfFields request, Dataset dataset) {
        fields.forEach(field -> field.readWritable(request, dataset, links));
    }
}
