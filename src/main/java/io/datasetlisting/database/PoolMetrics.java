package io.datasetlisting.database;

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
 * How many database connections are in use, and who waits how long for one, in each pool, under the names that the
 * platform would use. Its own numbers are out of reach: they come with those of requests (see RequestMetrics), and not at
 * all beside traces.
 */
@Singleton
class PoolMetrics implements VertxOptionsCustomizer {

    private static final String DATABASE = "sql";

    // The platform builds Vert.x, and hands out its options alone.
    @SuppressWarnings("deprecation")
    @Override
    public void accept(VertxOptions options) {
        options.setMetricsOptions(new MetricsOptions().setEnabled(true).setFactory(all -> new VertxMetrics() {

            @Override
            public io.vertx.core.spi.metrics.PoolMetrics<?> createPoolMetrics(String type, String name, int size) {
                return type.equals(DATABASE) ? new OfPool(name) : null;
            }
        }));
    }

    /** What Vert.x tells of a pool; the metric of a request for a connection is the time it is from. */
    private static final class OfPool implements io.vertx.core.spi.metrics.PoolMetrics<Long> {

        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger active = new AtomicInteger();
        private final Timer delay;

        OfPool(String name) {
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
