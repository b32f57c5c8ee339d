package io.datasetlisting.write.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.write.bulk.BulkRepository;
import io.datasetlisting.write.edit.DatasetInput;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClient;

/** Fills an empty catalogue with sample data at start, if {@code dataset.sample.enabled} is set. */
@Singleton
public class SampleData {

    private static final Logger LOG = Logger.getLogger(SampleData.class);

    private static final String REAL_DATASETS = "sample/noaa-nashville-2020.ndjson";
    private static final int BATCH = 1_000;

    private final SampleConfig config;
    private final Pool pool;
    private final BulkRepository datasets;
    private final DatasetInput input;

    SampleData(SampleConfig config, Pool pool, BulkRepository datasets, DatasetInput input) {
        this.config = config;
        this.pool = pool;
        this.datasets = datasets;
        this.input = input;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.APPLICATION) StartupEvent event) throws Throwable {
        if (config.enabled()) {
            VertxContextSupport.subscribeAndAwait(this::fillEmptyCatalogue);
        }
    }

    /** Uses one transaction: if the start is interrupted, the catalogue stays empty, and the next start fills it. */
    private Uni<Void> fillEmptyCatalogue() {
        return Connections.inTransaction(pool, connection -> connection.query("select 1 from dataset limit 1").execute()
                .chain(rows -> rows.size() == 0 ? fill(connection) : Uni.createFrom().voidItem()));
    }

    private Uni<Void> fill(SqlClient client) {
        LOG.infof("Filling the empty catalogue with sample data and %d generated datasets", config.generated());
        DatasetGenerator generator = new DatasetGenerator(config.seed());
        int batches = (config.generated() + BATCH - 1) / BATCH;
        return datasets.writeWithOwners(client, realDatasets())
                .chain(() -> Multi.createFrom().range(0, batches).onItem().transformToUniAndConcatenate(batch -> {
                    long first = (long) batch * BATCH;
                    long end = Math.min(first + BATCH, config.generated());
                    return datasets.writeWithOwners(client,
                            LongStream.range(first, end).mapToObj(generator::dataset).toList());
                }).collect().last()).replaceWithVoid();
    }

    /** Datasets of aerial images of the National Oceanic and Atmospheric Administration (NOAA), in the format of an import. */
    private List<Dataset> realDatasets() {
        InputStream file = Thread.currentThread().getContextClassLoader().getResourceAsStream(REAL_DATASETS);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines().map(this::dataset).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Dataset dataset(String line) {
        byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
        return input.readLine(utf8, 0, utf8.length);
    }
}
