package io.datasetlisting.dataset.storage;

import java.time.Instant;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

import software.amazon.awssdk.auth.credentials.AwsCredentials;

/**
 * The readiness check of the file storage's credentials. The service is ready without credentials, because it lists datasets
 * without them. It is not ready until the first lookup of credentials has ended.
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
        AwsCredentials current = credentials.current();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("File storage credentials")
                .status(credentials.isFirstLookupDone())
                .withData("credentials", current == null ? "none" : current.accessKeyId());
        if (current != null) {
            current.expirationTime().map(Instant::toString).ifPresent(end -> response.withData("end", end));
        }
        if (credentials.hasLookupFailed()) {
            response.withData("problem",
                    "The last lookup in the AWS SDK's default chain found no credentials: see the log.");
        }
        return response.build();
    }
}
