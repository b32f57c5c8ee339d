package io.datasetlisting.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Whose name links and uploads are signed in: the configuration's, or else who the AWS SDK's default chain finds
 * (environment, profile, web identity, container, instance metadata). The chain may ask over the network, so it is
 * asked beside the requests, again before temporary credentials end, and what is known stays good until it answers.
 */
@Singleton
public class StorageCredentials implements AwsCredentialsProvider {

    private static final Logger LOG = Logger.getLogger(StorageCredentials.class);

    /** What the chain may take to answer, so that links have half of their lifetime left until then. */
    private static final Duration MARGIN = Duration.ofMinutes(1);
    /** What the start waits for the chain, at most. */
    private static final Duration FIRST_LOOKUP = Duration.ofSeconds(2);

    private final StorageConfig config;
    private final Clock clock;
    private final Vertx vertx;
    private final Counter found;
    private final Counter missed;
    private final Counter unsigned;

    private volatile AwsCredentials current;
    private final CountDownLatch lookedFor = new CountDownLatch(1);
    private volatile boolean missing;

    StorageCredentials(StorageConfig config, Clock clock, Vertx vertx, MeterRegistry metrics) {
        this.config = config;
        this.clock = clock;
        this.vertx = vertx;
        found = lookups(metrics, "found");
        missed = lookups(metrics, "missed");
        unsigned = Counter.builder("dataset.storage.unsigned")
                .description("How often links went out that nobody signed").register(metrics);
        metrics.gauge("dataset.storage.credentials.seconds.left", this, StorageCredentials::secondsLeft);
        if (config.accessKeyId().isPresent()) {
            current = configured();
            lookedFor.countDown();
        }
    }

    private static Counter lookups(MeterRegistry metrics, String result) {
        return Counter.builder("dataset.storage.credentials.lookups").tag("result", result)
                .description("How often the default chain was asked for credentials").register(metrics);
    }

    private AwsCredentials configured() {
        String id = config.accessKeyId().orElseThrow();
        String secret = config.secretAccessKey().orElseThrow();
        return config.sessionToken().<AwsCredentials>map(token -> AwsSessionCredentials.create(id, secret, token))
                .orElseGet(() -> AwsBasicCredentials.create(id, secret));
    }

    /** Early, so that the chain is asked while the database is migrated. */
    void onStart(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE + 1) StartupEvent event) {
        if (!areLookedFor()) {
            lookUp();
        }
    }

    /** The first pages are signed if anybody can sign them soon. */
    void onStarted(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event)
            throws InterruptedException {
        lookedFor.await(FIRST_LOOKUP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** For the links of a page; null when there are none. */
    AwsCredentials current() {
        AwsCredentials known = current;
        if (known == null) {
            unsigned.increment();
        }
        return known;
    }

    /** Whether it is known if there are any. */
    boolean areLookedFor() {
        return lookedFor.getCount() == 0;
    }

    /** Whether the chain found nothing when it was asked last. */
    boolean areMissing() {
        return missing;
    }

    /** For uploads. */
    @Override
    public AwsCredentials resolveCredentials() {
        AwsCredentials known = current;
        if (known == null) {
            throw SdkClientException.create("no credentials for the file storage");
        }
        return known;
    }

    private void lookUp() {
        vertx.<AwsCredentials>executeBlocking(() -> {
            // A new one each time: it remembers nothing, and so a web identity gets a whole new session.
            try (DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build()) {
                return chain.resolveCredentials();
            }
        }, false).onComplete(answer -> {
            if (answer.succeeded()) {
                use(answer.result());
            } else {
                goOn(answer.cause().getMessage());
            }
            lookedFor.countDown();
            vertx.setTimer(untilNextLookup().toMillis(), timer -> lookUp());
        });
    }

    private void use(AwsCredentials credentials) {
        found.increment();
        if (current == null || missing) {
            LOG.infof("Thumbnail links are signed by %s", credentials.accessKeyId());
        }
        missing = false;
        // The same ones keep the same links, and what is made ready for them.
        if (!credentials.equals(current)) {
            current = credentials;
        }
    }

    private void goOn(String reason) {
        missed.increment();
        if (!missing) {
            LOG.warn(current == null
                    ? "No credentials for the file storage: thumbnail links go out unsigned, uploads fail. Set"
                            + " dataset.storage.access-key-id and dataset.storage.secret-access-key, or give the AWS"
                            + " SDK's default chain something to find: " + reason
                    : "Credentials for the file storage not renewed, those at hand "
                            + current.expirationTime().map(end -> "end at " + end).orElse("stay in use") + ": "
                            + reason);
        }
        missing = true;
    }

    /** So early that links still have half of their lifetime when the new ones come, if sessions last that long. */
    private Duration untilNextLookup() {
        Optional<Instant> end = missing ? Optional.empty() : current.expirationTime();
        if (end.isEmpty()) {
            // A profile may have been written anew; those of containers and instances end without saying when.
            return config.credentialsLookupInterval();
        }
        Duration left = Duration.between(clock.instant(), end.get());
        Duration half = left.dividedBy(2);
        Duration early = left.minus(config.linkLifetime().dividedBy(2));
        Duration wait = (half.compareTo(early) > 0 ? half : early).minus(MARGIN);
        return wait.compareTo(config.credentialsLookupInterval()) > 0 ? wait : config.credentialsLookupInterval();
    }

    private double secondsLeft() {
        AwsCredentials known = current;
        if (known == null) {
            return 0;
        }
        return known.expirationTime().map(end -> (double) Duration.between(clock.instant(), end).toSeconds())
                .orElse(Double.POSITIVE_INFINITY);
    }
}
