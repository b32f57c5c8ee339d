package io.datasetlisting.write.edit;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.input.DrfFields;

/**
 * Reads the fields of a dataset from a request or an import, by the rules of {@link DatasetFields}. An absent field
 * does not change the dataset; the {@link DrfFields} collect the errors.
 */
@Singleton
public class DatasetInput {

    private static final String RASTERS = "rasters";

    private final ThumbnailLinks links;
    private final RasterLinks rasters;
    private final Clock clock;
    private final List<DatasetField<?>> fields;
    private final List<DatasetField<?>> required;
    private final List<DatasetField<?>> optional;

    DatasetInput(DatasetFields table, ThumbnailLinks links, RasterLinks rasters, Clock clock) {
        this.links = links;
        this.rasters = rasters;
        this.clock = clock;
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
        return readRow(DrfFields.parse(utf8, from, to));
    }

    /**
     * Reads a dataset from a row of an import, which has the fields of the listing.
     *
     * @throws ApiException
     *             400 with all errors
     */
    public Dataset readRow(DrfFields row) {
        Dataset dataset = new Dataset();
        fields.forEach(field -> field.readWritable(row, dataset, links));
        required.forEach(field -> field.readImported(row, dataset, links));
        optional.forEach(field -> field.readImported(row, dataset, links));
        row.check();
        return dataset;
    }

    /**
     * Reads the fields that a row of an import has into a dataset that has the others.
     *
     * @throws ApiException
     *             400 with all errors
     */
    public void readSome(DrfFields row, Dataset dataset) {
        readWritable(row, dataset);
        fields.stream().filter(field -> row.hasText(field.name()))
                .forEach(field -> field.readImported(row, dataset, links));
        row.check();
    }

    /** A new dataset of the caller, with the values that a client need not send. */
    public Dataset newDataset(Caller caller) {
        Dataset dataset = new Dataset();
        dataset.uavUid = UUID.randomUUID();
        dataset.ownerId = caller.accountId();
        dataset.ownerName = caller.username();
        dataset.workspace = caller.workspace();
        dataset.capturedDate = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return dataset;
    }

    /**
     * Reads the fields that clients may write. New locations of rasters must be allowed. An import keeps other locations, to
     * which no link is made: a mirror and a restored backup have all that their origin has.
     */
    public void readWritable(DrfFields request, Dataset dataset) {
        Map<String, String> before = dataset.rasterSource().named();
        fields.forEach(field -> field.readWritable(request, dataset, links));
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        dataset.rasterSource().named().forEach((product, location) -> {
            String refusal = location.equals(before.get(product)) ? null : rasters.refusal(location);
            if (refusal != null) {
                errors.putArray(product).add(refusal);
            }
        });
        if (!errors.isEmpty()) {
            request.refuse(RASTERS, errors);
        }
    }
}
