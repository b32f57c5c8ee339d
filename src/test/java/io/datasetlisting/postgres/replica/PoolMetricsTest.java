package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.VertxOptions;
import io.vertx.core.spi.metrics.VertxMetrics;

class PoolMetricsTest {

    /** A query that runs while the service stops creates the pool again. */
    @Test
    void aPoolThatIsCreatedAgainContinuesItsMetrics() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        try {
            VertxOptions options = new VertxOptions();
            new PoolMetrics().accept(options);
            VertxMetrics metrics = options.getMetricsOptions().getFactory().metrics(options);
            metrics.createPoolMetrics("sql", "again", 8).submitted();
            metrics.createPoolMetrics("sql", "again", 8).submitted();
            assertEquals(2, registry.get("sql.pool.queue.size").tag("pool.name", "again").gauge().value());
        } finally {
            Metrics.removeRegistry(registry);
        }
    }
}
