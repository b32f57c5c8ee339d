package io.datasetlisting.faces.api;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.RequestEnd;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/**
 * Measures the requests, except those under {@code /q/} and those with a malformed host or path, until the end of their
 * responses, by endpoint, method and status. Name and tags are those of the platform's metric. The platform's own measurement
 * halves the rate of responses.
 */
@Singleton
public class RequestMetrics {

    private static final String NAME = "http.server.requests";
    private static final Duration[] BUCKETS = Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
            .map(Duration::ofMillis).toArray(Duration[]::new);
    /** Other methods share one tag: clients can invent methods, and each timer stays in memory. */
    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST,
            HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.OPTIONS);
    private static final HttpMethod OTHER = HttpMethod.valueOf("OTHER");

    private final MeterRegistry meters;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    RequestMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    private record Key(String path, HttpMethod method, int status) {
    }

    /** Handler that starts the measurement of a request. */
    public void measure(RoutingContext context) {
        long start = System.nanoTime();
        RequestEnd.then(context, () -> {
            Endpoint endpoint = Endpoint.of(context);
            HttpMethod method = context.request().method();
            timers.computeIfAbsent(new Key(endpoint == null ? "UNKNOWN" : endpoint.path(),
                    METHODS.contains(method) ? method : OTHER, context.response().getStatusCode()), this::timer)
                    .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        });
        context.next();
    }

    private Timer timer(Key key) {
        return Timer.builder(NAME).description("Requests, until the end of their responses")
                .tag("uri", key.path).tag("method", key.method.name())
                .tag("status", Integer.toString(key.status)).tags(Tags.of(Outcome.forStatus(key.status).asTag()))
                .serviceLevelObjectives(BUCKETS).register(meters);
    }
}
