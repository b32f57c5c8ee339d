package io.datasetlisting.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.hibernate.reactive.mutiny.Mutiny;
import org.jboss.logging.Logger;

import io.datasetlisting.account.Account;
import io.datasetlisting.dataset.Dataset;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Fills an empty catalogue at start, when {@code dataset.sample.enabled} says so. */
@Singleton
public class SampleData {

    private static final Logger LOG = Logger.getLogger(SampleData.class);

    private static final String REAL_DATASETS = "sample/noaa-nashville-2020.ndjson";
    private static final Account REAL_OWNER = new Account(1, "noaa");
    private static final int BATCH = 1_000;

    /** The ids above came from here; the database's own go on behind them. */
    private static final String CONTINUE_IDS = """
            select setval(pg_get_serial_sequence('account', 'id'), (select max(id) from account)),
                setval(pg_get_serial_sequence('dataset', 'id'), (select max(id) from dataset))""";

    private final SampleConfig config;
    private final Mutiny.SessionFactory sessions;

    SampleData(SampleConfig config, Mutiny.SessionFactory sessions) {
        this.config = config;
        this.sessions = sessions;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.APPLICATION) StartupEvent event) throws Throwable {
        if (config.enabled()) {
            VertxContextSupport.subscribeAndAwait(this::fillEmptyCatalogue);
        }
    }

    /** In one transaction: a start that is cut short leaves the catalogue empty for the next one. */
    private Uni<Void> fillEmptyCatalogue() {
        return sessions.withStatelessTransaction(session -> session.createQuery("from Account", Account.class)
                .setMaxResults(1)
                .getResultList()
                .chain(accounts -> accounts.isEmpty() ? fill(session) : Uni.createFrom().voidItem()));
    }

    private Uni<Void> fill(Mutiny.StatelessSession session) {
        LOG.infof("Filling the empty catalogue with sample data, %d datasets of it generated", config.generated());
        DatasetGenerator generator = new DatasetGenerator(config.seed());
        int batches = (config.generated() + BATCH - 1) / BATCH;
        return insert(session, Stream.concat(Stream.of(REAL_OWNER), DatasetGenerator.owners().stream()))
                .chain(() -> insert(session, realDatasets().stream()))
                .chain(() -> Multi.createFrom().range(0, batches).onItem().transformToUniAndConcatenate(batch -> {
                    long first = (long) batch * BATCH;
                    long end = Math.min(first + BATCH, config.generated());
                    return insert(session, LongStream.range(first, end).mapToObj(generator::dataset));
                }).collect().last())
                .chain(() -> session.createNativeQuery(CONTINUE_IDS).getSingleResult()).replaceWithVoid();
    }

    private static Uni<Void> insert(Mutiny.StatelessSession session, Stream<?> rows) {
        return session.insertAll(BATCH, rows.toArray());
    }

    /** Aerial images of the National Oceanic and Atmospheric Administration, in the listing's own shape. */
    private static List<Dataset> realDatasets() {
        InputStream file = Thread.currentThread().getContextClassLoader().getResourceAsStream(REAL_DATASETS);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines().map(line -> dataset(new JsonObject(line))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Dataset dataset(JsonObject line) {
        Dataset dataset = new Dataset();
        dataset.id = line.getLong("id");
        dataset.uavUid = UUID.fromString(line.getString("uav_uid"));
        dataset.ownerId = REAL_OWNER.id;
        dataset.ownerName = REAL_OWNER.username;
        dataset.workspace = line.getLong("workspace");
        dataset.datasetName = line.getString("dataset_name");
        dataset.category = strings(line.getJsonArray("category"));
        dataset.thumbnailKey = URI.create(line.getString("thumbnail_image")).getPath().substring(1);
        dataset.capturedDate = Instant.parse(line.getString("captured_date"));
        dataset.availableRasters = strings(line.getJsonArray("available_rasters"));
        dataset.bandStats = line.getJsonObject("band_stats").encode();
        dataset.bbox = doubles(line.getJsonArray("bbox"));
        dataset.coordinates = doubles(line.getJsonArray("coordinates"));
        return dataset;
    }

    private static String[] strings(JsonArray array) {
        return array.stream().toArray(String[]::new);
    }

    private static double[] doubles(JsonArray array) {
        return array.stream().mapToDouble(number -> ((Number) number).doubleValue()).toArray();
    }
}
