package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The metrics of a service. A name without labels stands for the sum over all labels. */
public final class Metrics {

    private static final String PATH = "/q/metrics";

    /** The gauges of what a service holds for requests. */
    private static final Pattern HELD = Pattern.compile("(?m)^(dataset_requests_running|dataset_transfers_running"
            + "|dataset_responses_waiting_bytes|dataset_responses_reserved_bytes|dataset_bodies_bytes|dataset_spool_bytes"
            + "|sql_pool_active.*|sql_pool_queue_size.*) (.*)$");

    private Metrics() {
    }

    /** All metrics of the service that REST Assured calls. */
    public static String all() {
        return Listing.client().get(PATH).asString();
    }

    public static double metric(String name) {
        return checked(name, all());
    }

    public static double metric(Api api, String name) {
        return checked(name, api.get(PATH).body());
    }

    public static void awaitMetric(String name, double value) {
        await(name, value, Metrics::all);
    }

    public static void awaitMetric(Api api, String name, double value) {
        await(name, value, () -> api.get(PATH).body());
    }

    /** The gauges of what the service holds for requests that are not 0. */
    public static String held(String metrics) {
        assertTrue(metrics.contains("\ndataset_transfers_running "), metrics);
        return HELD.matcher(metrics).results().filter(gauge -> Double.parseDouble(gauge.group(2)) != 0)
                .map(gauge -> gauge.group()).collect(Collectors.joining(", "));
    }

    private static void await(String name, double value, Supplier<String> metrics) {
        Patience.await(name + " is " + value).until(() -> value(name, metrics.get()) == value);
    }

    private static double checked(String name, String metrics) {
        double value = value(name, metrics);
        assertFalse(Double.isNaN(value), () -> name + " in " + metrics);
        return value;
    }

    /** NaN without such a metric, for example while the service starts. */
    private static double value(String name, String metrics) {
        return metrics.lines().filter(line -> line.startsWith(name + ' ') || line.startsWith(name + '{'))
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))).reduce(Double::sum)
                .orElse(Double.NaN);
    }
}
