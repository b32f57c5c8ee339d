package io.datasetlisting.catalogue.rank;

import java.util.concurrent.TimeUnit;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.postgres.database.DatabaseConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;

/**
 * Folds: merges the pending changes into the ranks at intervals, so that pages have few pending changes to read. Pages
 * are exact without it. One instance folds at a time.
 */
@Singleton
class RankFolder {

    private static final Logger LOG = Logger.getLogger(RankFolder.class);

    /** Deleted pending changes for which a vacuum is worth its time. */
    private static final long WORTH_A_VACUUM = 2000;

    /** Without a backlog, a pause is at least so many times as long as the shorter one of the two folds before it. */
    private static final int PAUSES = 2;

    private static final int RANK_PAUSES = 4;

    /** A backlog: of more pending changes, the parts are folded alone, and the ranks beside them. */
    private static final long FEW = 2000;

    /** The interval between folds of a backlog is this part of the usual one. */
    private static final int BACKLOG_FOLDS = 3;

    /** Of failures in a row, the first one and each one of this number are logged. */
    private static final int FAILURES_PER_WARNING = 10;

    /** Old tombstones are deleted about so often. */
    private static final long FORGET_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final RankRepository repository;
    private final FoldSignal signal;
    private final ChangesConfig changes;
    private final Vertx vertx;
    private final long interval;
    private final Timer duration;
    private final Counter failures;
    private volatile long pending;
    private volatile long folded;
    /** The last {@link System#nanoTime} at which nothing was pending, or any instance had folded. */
    private volatile long upToDate = System.nanoTime();
    private volatile long lacking;
    private volatile long partsFolded;
    /** The last {@link System#nanoTime} at which the parts lacked no change, or any instance had folded them. */
    private volatile long partsUpToDate = System.nanoTime();
    private volatile boolean ended;
    private long lastNanos;
    private int failuresInARow;
    /**
     * Changes deleted since the last vacuum; used by one event loop. At the start it is high, because an instance
     * before may have been stopped before its vacuum.
     */
    private long deleted = WORTH_A_VACUUM;
    private volatile boolean vacuums;
    private volatile boolean foldsRanks;
    /** The {@link System#nanoTime} at which the ranks of a backlog may be folded again. */
    private volatile long ranksDue = System.nanoTime();

    RankFolder(RankRepository repository, FoldSignal signal, Vertx vertx, DatabaseConfig config, ChangesConfig changes,
            MeterRegistry meters) {
        this.repository = repository;
        this.signal = signal;
        this.changes = changes;
        this.vertx = vertx;
        interval = config.foldInterval().toMillis();
        meters.gauge("dataset.ranks.pending", this, folder -> folder.pending);
        meters.gauge("dataset.ranks.fold.age.seconds", this, folder -> (System.nanoTime() - folder.upToDate) / 1e9);
        meters.gauge("dataset.columns.pending", this, folder -> folder.lacking);
        meters.gauge("dataset.columns.age.seconds", this, folder -> (System.nanoTime() - folder.partsUpToDate) / 1e9);
        duration = Timer.builder("dataset.ranks.fold").description("Folds of this instance").register(meters);
        failures = Counter.builder("dataset.ranks.fold.failures").description("Folds that failed").register(meters);
    }

    /** Runs after the migrations. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        foldIn(interval);
        vertx.setPeriodic(FORGET_MILLIS, hour -> changes.keep().map(repository::forgetChanges)
                .orElse(Uni.createFrom().voidItem()).chain(repository::forgetDepartures).subscribe()
                .with(done -> LOG.debug("Old tombstones and departures are deleted"),
                        e -> LOG.warnf("Old tombstones or departures are not deleted: %s", e.getMessage())));
    }

    void onEnd(@Observes ShutdownEvent event) {
        ended = true;
    }

    private void foldIn(long delay) {
        vertx.setTimer(delay, timer -> {
            if (ended) {
                return;
            }
            long started = System.nanoTime();
            fold().subscribe().with(done -> {
                endFailures();
                vacuum();
                foldIn(pause(System.nanoTime() - started));
            }, e -> {
                report(e);
                foldIn(pause(System.nanoTime() - started));
            });
        });
    }

    /**
     * A single slow fold does not delay the changes that clients wait for. A fold of a backlog takes its time for the changes, so
     * that a pause would save none, and requests would read more datasets from the table.
     */
    private long pause(long nanos) {
        long shorter = Math.min(nanos, lastNanos);
        lastNanos = nanos;
        return pending > FEW
                ? Math.max(interval / BACKLOG_FOLDS - TimeUnit.NANOSECONDS.toMillis(nanos), 1)
                : Math.max(interval - TimeUnit.NANOSECONDS.toMillis(nanos),
                        PAUSES * TimeUnit.NANOSECONDS.toMillis(shorter) + 1);
    }

    private Uni<Void> fold() {
        return repository.state().chain(state -> {
            if (state.pending() == 0 || state.folded() != folded) {
                upToDate = System.nanoTime();
            }
            if (state.lacking() == 0 || state.partsFolded() != partsFolded) {
                partsUpToDate = System.nanoTime();
            }
            lacking = state.lacking();
            partsFolded = state.partsFolded();
            boolean isNew = state.folded() != folded;
            pending = state.pending();
            folded = state.folded();
            if (isNew) {
                signal.fire();
            }
            signal.setManyPending(pending > RankedPageSql.MANY_PENDING);
            if (pending > FEW || pending > 0 && foldsRanks) {
                return repository.foldParts().invoke(this::foldRanks);
            }
            return pending == 0 ? Uni.createFrom().voidItem() : fold(repository.fold());
        });
    }

    private Uni<Void> fold(Uni<Long> fold) {
        long started = System.nanoTime();
        return fold.invoke(merged -> {
            if (merged > 0) {
                duration.record(System.nanoTime() - started, TimeUnit.NANOSECONDS);
                deleted += merged;
                pending = 0;
                upToDate = System.nanoTime();
                signal.fire();
            }
        }).replaceWithVoid();
    }

    /**
     * Folds the ranks of a backlog beside the folds of parts. While the parts lack changes, this is at most a fifth of the time:
     * pages come from the parts, and an import needs the database, too. It begins after a fold of the parts, because it keeps the
     * changes that the parts lack.
     */
    private void foldRanks() {
        long started = System.nanoTime();
        if (foldsRanks || vacuums || lacking > 0 && started < ranksDue) {
            return;
        }
        foldsRanks = true;
        fold(repository.foldRanks()).onTermination().invoke(() -> {
            long now = System.nanoTime();
            ranksDue = now + RANK_PAUSES * (now - started);
            foldsRanks = false;
        }).subscribe().with(done -> LOG.debug("The ranks of a backlog are folded"), this::report);
    }

    /** The next fold does not wait for the vacuum: it has the other one of two connections. */
    private void vacuum() {
        if (deleted >= WORTH_A_VACUUM && !vacuums && !foldsRanks) {
            deleted = 0;
            vacuums = true;
            repository.vacuum().onTermination().invoke(() -> vacuums = false).subscribe().with(
                    done -> LOG.debug(done ? "Folded changes are vacuumed" : "Folded changes are left to autovacuum"),
                    e -> {
                        if (!ended) {
                            LOG.warnf("Folded changes are not vacuumed: %s", e.getMessage());
                        }
                    });
        }
    }

    private void report(Throwable e) {
        if (ended) {
            return;
        }
        failures.increment();
        if (failuresInARow++ % FAILURES_PER_WARNING == 0) {
            LOG.warnf("Pending changes are not folded (failure %d in a row), pages become slower: %s", failuresInARow,
                    e.getMessage());
        }
    }

    private void endFailures() {
        if (failuresInARow > 0) {
            LOG.infof("Pending changes are folded again, after %d failures", failuresInARow);
            failuresInARow = 0;
        }
    }
}
