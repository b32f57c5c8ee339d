package io.datasetlisting.write.exports;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.catalogue.listing.ListingJson;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.format.DatasetFlatGeobuf;
import io.datasetlisting.dataset.format.DatasetParquet;
import io.datasetlisting.dataset.format.FileThreads;
import io.datasetlisting.dataset.storage.BucketStore;
import io.datasetlisting.dataset.storage.FileStore;
import io.datasetlisting.dataset.storage.FolderStore;
import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.write.bulk.Transfers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Makes an export when the catalogue has changed, and removes old ones. One instance makes exports at a time. */
@Singleton
class ExportMaker {

    private static final Logger LOG = Logger.getLogger(ExportMaker.class);
    private static final LimitedLog WARNINGS = new LimitedLog(LOG);

    /** An export stays for readers of its address after another one has replaced it. */
    private static final Duration KEPT = Duration.ofDays(1);
    private static final long LONGEST_PAUSE_MILLIS = 5000;
    /** After a failure, unless exports follow each other more closely. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
            .withZone(ZoneOffset.UTC);

    private final ExportsConfig config;
    private final StoredExportRepository repository;
    private final Transfers transfers;
    private final ListingJson json;
    private final DatasetParquet parquet;
    private final DatasetFlatGeobuf flatGeobuf;
    private final DatasetFields fields;
    private final Vertx vertx;
    private final Clock clock;
    private final Duration maxTime;
    private final long pauseMillis;
    /** Null without exports, as the next two. */
    private final FileStore store;
    private final FileThreads files;
    private final Counter failures;
    private volatile double behindSeconds;
    private volatile boolean ended;
    private volatile long nextAttempt = System.nanoTime();
    private volatile long withoutSince;
    private volatile boolean isWithout;

    ExportMaker(ExportsConfig config, StoredExportRepository repository, Transfers transfers,
            ListingJson json, DatasetParquet parquet, DatasetFlatGeobuf flatGeobuf, DatasetFields fields, Vertx vertx,
            Clock clock, StreamConfig limits, S3AsyncClient s3, StorageConfig storage, MeterRegistry meters) {
        this.config = config;
        this.repository = repository;
        this.transfers = transfers;
        this.json = json;
        this.parquet = parquet;
        this.flatGeobuf = flatGeobuf;
        this.fields = fields;
        this.vertx = vertx;
        this.clock = clock;
        maxTime = limits.maxExportTime();
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, config.interval().toMillis());
        store = switch (config.store()) {
            case NONE -> null;
            case FOLDER -> new FolderStore(Path.of(config.folder().orElseThrow()), vertx);
            case BUCKET -> new BucketStore(s3, storage, config.prefix(), maxTime);
        };
        // It waits for the storage.
        files = config.store().isOn() ? new FileThreads(vertx, "exports", 1) : null;
        failures = config.store().isOn()
                ? Counter.builder("dataset.exports.failures").description("Stored exports that failed").register(meters)
                : null;
        if (config.store().isOn()) {
            meters.gauge("dataset.exports.behind.seconds", this, maker -> maker.behindSeconds);
        }
    }

    /** Where the files are; null without exports. */
    FileStore store() {
        return store;
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (config.store().isOn()) {
            checkLater();
        }
    }

    void onEnd(@Observes ShutdownEvent event) {
        ended = true;
    }

    private void checkLater() {
        if (!ended) {
            vertx.setTimer(pauseMillis, timer -> check().subscribe().with(done -> checkLater(), e -> {
                warn("Stored exports cannot be checked", e);
                checkLater();
            }));
        }
    }

    private Uni<Void> check() {
        return repository.removable(KEPT).chain(this::remove)
                .chain(repository::state)
                .chain(state -> isDue(state) ? make() : Uni.createFrom().voidItem());
    }

    /** The files first: a version without a row would never be removed. */
    private Uni<Void> remove(List<String> versions) {
        return Multi.createFrom().iterable(versions).onItem().transformToUniAndConcatenate(this::remove)
                .collect().last().replaceWithVoid();
    }

    private Uni<Void> remove(String version) {
        return store.remove(ExportFormat.files(version)).chain(() -> repository.forget(version));
    }

    private boolean isDue(StoredExportRepository.State state) {
        long now = System.nanoTime();
        if (!state.exists() && !isWithout) {
            withoutSince = now;
        }
        isWithout = !state.exists();
        behindSeconds = isWithout
                ? (now - withoutSince) / 1e9
                : state.isCurrent() ? 0 : state.age().toMillis() / 1e3;
        return now >= nextAttempt
                && (isWithout || !state.isCurrent() && state.age().compareTo(config.interval()) >= 0);
    }

    /** Without a failure: it is counted and logged, and the export before stays. */
    private Uni<Void> make() {
        long started = System.nanoTime();
        String version = TIME.format(clock.instant()) + '-'
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        AtomicReference<ExportWriter> writer = new AtomicReference<>();
        return repository.begin(version)
                .chain(() -> transfers
                        .limitStored(repository.stream(isFirst -> removeBrokenOff(isFirst, version),
                                datasets -> write(version, datasets, writer)))
                        .collect().last().ifNoItem().after(maxTime).fail())
                .invoke(() -> {
                    long nanos = System.nanoTime() - started;
                    // Departures that follow each other may withdraw each export: half of the time is for others.
                    nextAttempt = System.nanoTime() + nanos;
                    LOG.infof("Export %s: %d datasets in %d ms", version, writer.get().count(),
                            TimeUnit.NANOSECONDS.toMillis(nanos));
                })
                .replaceWithVoid()
                .onFailure().recoverWithUni(e -> {
                    if (e instanceof OtherInstanceException) {
                        return repository.forget(version);
                    }
                    nextAttempt = System.nanoTime() + Math.min(PAUSE.toNanos(), config.interval().toNanos());
                    failures.increment();
                    warn("The export " + version + " failed, and the one before stays", e);
                    return remove(version).onFailure().invoke(again -> warn("It is removed later", again))
                            .onFailure().recoverWithNull();
                });
    }

    private Uni<Void> removeBrokenOff(boolean isFirst, String own) {
        return isFirst
                ? repository.brokenOff(own).chain(this::remove)
                : Uni.createFrom().failure(new OtherInstanceException());
    }

    /** Its items say nothing. The export is published before the transaction of its datasets ends, and with it the lock. */
    private Multi<byte[]> write(String version, Multi<List<DatasetView>> datasets,
            AtomicReference<ExportWriter> writer) {
        return files.encode(transfers.logged(datasets), () -> {
            ExportWriter opened = open(version);
            writer.set(opened);
            return opened;
        }).onCompletion().call(() -> repository.complete(version, writer.get().bytes()));
    }

    private ExportWriter open(String version) throws Exception {
        ExportWriter opened = new ExportWriter();
        for (ExportFormat format : ExportFormat.values()) {
            opened.add(() -> switch (format) {
                case PARQUET -> parquet.open(fields.all());
                case FLAT_GEOBUF -> flatGeobuf.open(fields.all());
                case LINES -> new ExportWriter.Lines(json);
            }, () -> store.create(format.file(version), format.mediaType));
        }
        return opened;
    }

    private static void warn(String what, Throwable e) {
        WARNINGS.warn(what.replaceAll("\\d.*", ""), what + ": " + (e instanceof ApiException ? e.getMessage() : e));
    }

    /** Another instance makes an export. */
    private static final class OtherInstanceException extends RuntimeException {

        private static final long serialVersionUID = 1;

        OtherInstanceException() {
            super("Another instance makes an export", null, false, false);
        }
    }
}
