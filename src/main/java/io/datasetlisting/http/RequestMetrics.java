package io.datasetlisting.http;

import java.time.Duration;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

/** How the platform's own numbers of requests are told: as histograms, so that quantiles of all replicas can be had. */
class RequestMetrics {

    private static final String REQUESTS = "http.server.requests";
    private static final double[] MILLISECONDS = {1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000};

    @Produces
    @Singleton
    static MeterFilter histograms() {
        return new MeterFilter() {

            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals(REQUESTS)
                        ? DistributionStatisticConfig.builder().serviceLevelObjectives(nanos()).build().merge(config)
                        : config;
            }
        };
    }

    private static double[] nanos() {
        double[] nanos = new double[MILLISECONDS.length];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = MILLISECONDS[i] * Duration.ofMillis(1).toNanos();
        }
        return nanos;
    }
}
