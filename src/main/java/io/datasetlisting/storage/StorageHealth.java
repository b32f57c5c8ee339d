package io.datasetlisting.storage;

import java.time.Instant;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

import software.amazon.awssdk.auth.credentials.AwsCredentials;

/**
 * Says who signs the links. Missing credentials are no reason to send no requests here: the listing works without; only
 * until it is known whether there are any, first pages wait for them.
 */
@Readiness
@Singleton
class StorageHealth implements HealthCheck {

    private final StorageCredentials credentials;

    StorageHealth(StorageCredentials credentials) {
        this.credentials = credentials;
    }

    @Override
    public HealthCheckResponse call() {
        AwsCredentials known = credentials.current();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("File storage credentials")
                .status(credentials.areLookedFor())
                .withData("credentials", known == null ? "none" : known.accessKeyId());
        if (known != null) {
            known.expirationTime().map(Instant::toString).ifPresent(end -> response.withData("end", end));
        }
        if (credentials.areMissing()) {
            response.withData("problem", "The AWS SDK's default chain found none when it was asked last: see the log.");
        }
        return response.build();
    }
}
