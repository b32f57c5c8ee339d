package io.datasetlisting.write.edit;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.http.input.PathId;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Finds a dataset for a caller. A dataset that the caller may not read is not found. */
@Singleton
public class VisibleDatasets {

    private static final String TYPE = "Dataset";

    private final DatasetEditRepository datasets;

    VisibleDatasets(DatasetEditRepository datasets) {
        this.datasets = datasets;
    }

    /**
     * The dataset with an id of a path.
     *
     * @return fails with 404 if the caller may not read the dataset
     */
    public Uni<Dataset> find(String id, RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        return (Caller.of(context).isAnonymous() ? datasets.findForAnonymous(number) : datasets.find(number)).invoke(
                dataset -> check(dataset, context));
    }

    /**
     * Checks that the caller may read a dataset.
     *
     * @param dataset
     *            null if it does not exist
     *
     * @throws ApiException
     *             404
     */
    public static void check(Dataset dataset, RoutingContext context) {
        if (dataset == null || !dataset.isVisibleTo(Caller.of(context))) {
            throw ApiException.noSuch(TYPE);
        }
    }
}
