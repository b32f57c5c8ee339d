package io.datasetlisting.dataset.storage;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Provides the credentials that sign links and uploads: those of the configuration, otherwise those of the AWS SDK's default
 * chain (system properties, environment, web identity, profile, container, instance metadata). The chain may use the network, so
 * the lookup runs outside of requests. It is repeated before temporary credentials end. The present credentials stay in use until
 * a lookup succeeds.
 */
@Singleton
public class StorageCredentials implements AwsCredentialsProvider {

    private static final Logger LOG = Logger.getLogger(StorageCredentials.class);

    private static final AwsCredentialsProviderChain OF_THE_PROCESS = AwsCredentialsProviderChain
            .of(SystemPropertyCredentialsProvider.create(), EnvironmentVariableCredentialsProvider.create());

    /** Time that a lookup may take while links still have half of their lifetime. */
    private static final Duration LOOKUP_MARGIN = Duration.ofMinutes(1);

    private final StorageConfig config;
    private final Clock clock;
    private final Vertx vertx;
    private final Counter found;
    private final Counter missed;
    private final Counter unsigned;

    private volatile AwsCredentials current;
    private volatile boolean firstLookupDone;
    private volatile boolean lookupFailed;

    StorageCredentials(StorageConfig config, Clock clock, Vertx vertx, MeterRegistry metrics) {
        this.config = config;
        this.clock = clock;
        this.vertx = vertx;
        found = lookupCounter(metrics, "found");
        missed = lookupCounter(metrics, "missed");
        unsigned = Counter.builder("dataset.storage.unsigned")
                .description("How often credentials were needed and there were none").register(metrics);
        metrics.gauge("dataset.storage.credentials.seconds.left", this, StorageCredentials::secondsLeft);
        if (config.accessKeyId().isPresent()) {
            current = configuredCredentials();
            firstLookupDone = true;
        }
    }

    private static Counter lookupCounter(MeterRegistry metrics, String result) {
        return Counter.builder("dataset.storage.credentials.lookups").tag("result", result)
                .description("Lookups of credentials in the default chain").register(metrics);
    }

    private AwsCredentials configuredCredentials() {
        String id = config.accessKeyId().orElseThrow();
        String secret = config.secretAccessKey().orElseThrow();
        return config.sessionToken().<AwsCredentials>map(token -> AwsSessionCredentials.create(id, secret, token))
                .orElseGet(() -> AwsBasicCredentials.create(id, secret));
    }

    /**
     * Takes the credentials of the process, which are first in the chain, at once. Otherwise the first lookup runs during the
     * start and after it: the start does not wait for a network, and the service is not ready before the lookup has ended.
     */
    void onStart(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE + 1) StartupEvent event) {
        if (firstLookupDone) {
            return;
        }
        try {
            endLookup(Future.succeededFuture(OF_THE_PROCESS.resolveCredentials()));
        } catch (SdkClientException e) {
            LOG.debug("No credentials in system properties and the environment", e);
            lookUp();
        }
    }

    /** The credentials for the links of a page, or null. */
    public AwsCredentials current() {
        AwsCredentials credentials = current;
        if (credentials == null) {
            unsigned.increment();
        }
        return credentials;
    }

    /** Whether the first lookup has ended, or is not necessary. */
    boolean isFirstLookupDone() {
        return firstLookupDone;
    }

    /** Whether the last lookup found no credentials. */
    boolean hasLookupFailed() {
        return lookupFailed;
    }

    /** The credentials for uploads, for the SDK. */
    @Override
    public AwsCredentials resolveCredentials() {
        AwsCredentials credentials = current;
        if (credentials == null) {
            throw SdkClientException.create("no credentials for the file storage");
        }
        return credentials;
    }

    private void lookUp() {
        vertx.<AwsCredentials>executeBlocking(() -> {
            // A new chain has no cached credentials, so a web identity gets a new session with its full duration.
            try (DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build()) {
                return chain.resolveCredentials();
            }
        }, false).onComplete(this::endLookup);
    }

    private void endLookup(AsyncResult<AwsCredentials> lookup) {
        if (lookup.succeeded()) {
            use(lookup.result());
        } else {
            keepCurrent(lookup.cause().getMessage());
        }
        firstLookupDone = true;
        vertx.setTimer(untilNextLookup().toMillis(), timer -> lookUp());
    }

    private void use(AwsCredentials credentials) {
        found.increment();
        if (current == null || lookupFailed) {
            LOG.infof("Access key %s signs thumbnail links and uploads", credentials.accessKeyId());
        }
        lookupFailed = false;
        // The same instance keeps the link window and its links.
        if (!credentials.equals(current)) {
            current = credentials;
        }
    }

    private void keepCurrent(String reason) {
        missed.increment();
        if (!lookupFailed) {
            LOG.warn(current == null
                    ? "No credentials for the file storage: thumbnail links are not signed, uploads fail. Set"
                            + " dataset.storage.access-key-id and dataset.storage.secret-access-key, or configure a"
                            + " source of the AWS SDK's default chain: " + reason
                    : "Credentials for the file storage could not be renewed, the present ones "
                            + current.expirationTime().map(end -> "end at " + end).orElse("stay in use") + ": "
                            + reason);
        }
        lookupFailed = true;
    }

    /** Early enough that links have half of their lifetime until the new credentials arrive, if sessions are long enough. */
    private Duration untilNextLookup() {
        Optional<Instant> end = lookupFailed ? Optional.empty() : current.expirationTime();
        if (end.isEmpty()) {
            // A profile may have changed. Credentials of containers and instances have an end that they do not report.
            return config.credentialsLookupInterval();
        }
        Duration left = Duration.between(clock.instant(), end.get());
        Duration half = left.dividedBy(2);
        Duration beforeLinksEnd = left.minus(config.linkLifetime().dividedBy(2));
        Duration wait = (half.compareTo(beforeLinksEnd) > 0 ? half : beforeLinksEnd).minus(LOOKUP_MARGIN);
        return wait.compareTo(config.credentialsLookupInterval()) > 0 ? wait : config.credentialsLookupInterval();
    }

    private double secondsLeft() {
        AwsCredentials credentials = current;
        if (credentials == null) {
            return 0;
        }
        return credentials.expirationTime().map(end -> (double) Duration.between(clock.instant(), end).toSeconds())
                .orElse(Double.POSITIVE_INFINITY);
    }
}
