package io.datasetlisting.write.mirror;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.write.change.Digest;
import io.datasetlisting.write.mirror.MirrorState.Catalogue;
import io.datasetlisting.write.mirror.MirrorState.RefusedException;
import io.datasetlisting.write.mirror.OriginPage.Put;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Application;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;

/**
 * Makes this service a mirror of another one, its origin: it copies all listed datasets that the token sees, follows the
 * changes, and compares its digest with the digest of the origin at its start and at intervals. The service is ready when the
 * copy is complete.
 */
@Readiness
@Singleton
class Mirror implements HealthCheck {

    private static final Logger LOG = Logger.getLogger(Mirror.class);
    private static final LimitedLog WARNINGS = new LimitedLog(LOG);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration START_INTERVAL = Duration.ofMillis(20);
    private static final int MAX_DOUBLINGS = 4;
    /** Of the start, which asks the origin and the database. */
    private static final Duration MAX_CHECK = Duration.ofSeconds(15);

    private final OriginClient origin;
    private final MirrorRepository repository;
    private final MirrorConfig config;
    private final Vertx vertx;
    private final Counter repaired;
    private volatile boolean complete;
    private volatile boolean ended;
    /** Why the service does not follow any more, or null. */
    private volatile String stopped;
    /** The last {@link System#nanoTime} at which the mirror had all changes of the origin, as the database knows it. */
    private volatile long upToDate = System.nanoTime();
    private volatile long compared;
    private boolean isClaimed;
    private boolean isBegun;
    private int failures;

    Mirror(OriginClient origin, MirrorRepository repository, MirrorConfig config, Vertx vertx, MeterRegistry meters) {
        this.origin = origin;
        this.repository = repository;
        this.config = config;
        this.vertx = vertx;
        compareNext();
        repaired = Counter.builder("dataset.follow.blocks.repaired")
                .description("Blocks of datasets that differed from the origin").register(meters);
        if (isMirror()) {
            meters.gauge("dataset.follow.lag.seconds", this, mirror -> (System.nanoTime() - mirror.upToDate) / 1e9);
        }
    }

    private void compareNext() {
        compared = System.nanoTime() - config.digestInterval().toNanos();
    }

    private boolean isMirror() {
        return config.url().isPresent();
    }

    private String url() {
        return config.url().orElseThrow().toString();
    }

    /** Runs after the migrations, and ends the start if the datasets of this database must not be replaced. */
    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (isMirror()) {
            try {
                told().chain(told -> repository.state()
                        .invoke(state -> state.checkReplaced(url(), told, config.replace())))
                        .invoke(this::startLag).await().atMost(MAX_CHECK);
            } catch (RefusedException e) {
                throw new ConfigurationException(e.getMessage());
            } catch (RuntimeException e) {
                warn(e);
            }
            LOG.infof("This service is a mirror of %s", url());
            next(Duration.ofMillis(1));
        }
    }

    /** An origin that is away tells with its first page what it is. */
    private Uni<Catalogue> told() {
        return origin.catalogue().onFailure().recoverWithNull();
    }

    private Uni<Void> claim() {
        return isClaimed
                ? Uni.createFrom().voidItem()
                : told().chain(told -> repository.claim(url(), told, config.replace()))
                        .invoke(() -> isClaimed = true);
    }

    private void warn(Throwable e) {
        WARNINGS.warn(String.valueOf(e.getMessage()),
                "The mirror does not follow " + url() + ": " + e.getMessage());
    }

    void onEnd(@Observes ShutdownEvent event) {
        ended = true;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("Mirror").status(!isMirror() || complete);
        String reason = stopped;
        return reason == null ? answer.build() : answer.withData("stopped", reason).build();
    }

    private void next(Duration pause) {
        vertx.setTimer(pause.toMillis(), timer -> {
            if (ended) {
                return;
            }
            if (!Application.currentApplication().isStarted()) {
                // A start that fails, perhaps for its port, must not have replaced datasets.
                next(START_INTERVAL);
                return;
            }
            step().subscribe().with(done -> {
                failures = 0;
                next(Duration.ofMillis(1));
            }, e -> {
                if (e instanceof RefusedException) {
                    stopped = e.getMessage();
                    LOG.error("This service follows no more and shows what it has. " + stopped);
                    return;
                }
                warn(e);
                next(PAUSE_AFTER_FAILURE.multipliedBy(1L << Math.min(failures++, MAX_DOUBLINGS)));
            });
        });
    }

    /** Reads and writes one page, or compares the digests. */
    private Uni<Void> step() {
        return claim().chain(repository::state).invoke(this::begin).chain(state -> follow(state)
                .onFailure(e -> e instanceof OriginClient.PositionLostException && state.cursor() != null)
                .recoverWithUni(e -> origin.catalogue()
                        .chain(told -> repository.forgetPosition(url(), told, state.cursor())).invoke(() -> {
                            LOG.warnf("The mirror copies %s again: %s", url(), e.getMessage());
                            compareNext();
                        })));
    }

    /** The copy that the service had before its restart is complete while the origin is away, too. */
    private void begin(MirrorState state) {
        startLag(state);
        complete = complete || !isBegun && state.complete();
        isBegun = true;
        state.checkReplaceable(url(), null);
    }

    private void startLag(MirrorState state) {
        upToDate = System.nanoTime() - state.lag().toNanos();
    }

    private Uni<Void> follow(MirrorState position) {
        boolean isDue = System.nanoTime() - compared >= config.digestInterval().toNanos();
        return position.cursor() != null && position.complete() && isDue ? compare(position) : followChanges(position);
    }

    private Uni<Void> followChanges(MirrorState position) {
        return origin.changes(position.cursor()).chain(page -> repository.apply(url(), position.cursor(), page));
    }

    /** Compares the digests, and reads the blocks that differ. If there are newer changes, it reads these instead. */
    private Uni<Void> compare(MirrorState position) {
        return origin.digest(position.cursor()).chain(expected -> expected == null
                ? followChanges(position)
                : repository.digest()
                        .chain(own -> Multi.createFrom().iterable(different(expected, own)).onItem()
                                .transformToUniAndConcatenate(this::repair).collect().last())
                        .invoke(() -> {
                            compared = System.nanoTime();
                            complete = true;
                        }).replaceWithVoid());
    }

    private static TreeSet<Long> different(Map<Long, Digest.Block> some, Map<Long, Digest.Block> others) {
        TreeSet<Long> different = new TreeSet<>(some.keySet());
        different.addAll(others.keySet());
        different.removeIf(block -> Objects.equals(some.get(block), others.get(block)));
        return different;
    }

    private Uni<Void> repair(long block) {
        LOG.warnf("Block %d, of %d ids, differs from the origin and is copied again", block, Digest.SIZE);
        repaired.increment();
        return readBlock(block, null, new TreeMap<>())
                .chain(page -> repository.replaceBlock(url(), block, page));
    }

    /** A dataset that changes meanwhile, or that two audiences have seen, is on several pages. */
    private Uni<OriginPage> readBlock(long block, String since, Map<Long, Put> puts) {
        return origin.block(block, since).chain(page -> {
            page.gone().forEach(puts::remove);
            page.puts().forEach(put -> puts.put(put.dataset().id, put));
            return page.hasMore()
                    ? readBlock(block, page.next(), puts)
                    : Uni.createFrom().item(page.with(puts.values()));
        });
    }
}
