package io.datasetlisting.postgres.replica;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.quarkus.vertx.VertxOptionsCustomizer;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.spi.metrics.VertxMetrics;

/**
 * Measures each connection pool: connections in use, callers that wait for a connection, and their waiting time. The names are
 * those of the platform's metrics. The platform's metrics themselves cannot be used: they are only available together with its
 * metrics of requests, and not together with traces.
 */
@Singleton
class PoolMetrics implements VertxOptionsCustomizer {

    private static final String DATABASE = "sql";

    /** A pool that is created again continues the metrics of its name: Micrometer ignores a second gauge, and logs a warning. */
    private final Map<String, DatabasePoolMetrics> metrics = new ConcurrentHashMap<>();

    // The platform builds Vert.x. Only the options are accessible, and their method is deprecated.
    @SuppressWarnings("deprecation")
    @Override
    public void accept(VertxOptions options) {
        options.setMetricsOptions(new MetricsOptions().setEnabled(true).setFactory(all -> new VertxMetrics() {

            @Override
            public io.vertx.core.spi.metrics.PoolMetrics<?> createPoolMetrics(String type, String name, int size) {
                return type.equals(DATABASE) ? metrics.computeIfAbsent(name, DatabasePoolMetrics::new) : null;
            }
        }));
    }

    /**
     * Receives the events of one pool. The metric that Vert.x passes from event to event is the time of submission in
     * nanoseconds.
     */
    private static final class DatabasePoolMetrics implements io.vertx.core.spi.metrics.PoolMetrics<Long> {

        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger active = new AtomicInteger();
        private final Timer delay;

        DatabasePoolMetrics(String name) {
            Tags tags = Tags.of("pool.type", DATABASE, "pool.name", name);
            delay = Timer.builder("sql.pool.queue.delay").description("Waiting for a database connection").tags(tags)
                    .register(Metrics.globalRegistry);
            Metrics.gauge("sql.pool.queue.size", tags, waiting);
            Metrics.gauge("sql.pool.active", tags, active);
        }

        @Override
        public Long submitted() {
            waiting.incrementAndGet();
            return System.nanoTime();
        }

        @Override
        public void rejected(Long submitted) {
            waiting.decrementAndGet();
        }

        @Override
        public Long begin(Long submitted) {
            waiting.decrementAndGet();
            active.incrementAndGet();
            delay.record(System.nanoTime() - submitted, TimeUnit.NANOSECONDS);
            return submitted;
        }

        @Override
        public void end(Long submitted, boolean succeeded) {
            active.decrementAndGet();
        }
    }
}
