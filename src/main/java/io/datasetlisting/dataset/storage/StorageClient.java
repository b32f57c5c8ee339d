package io.datasetlisting.dataset.storage;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

import io.datasetlisting.base.ApiException;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/**
 * Produces the AWS SDK's S3 client from {@link StorageConfig}. The client is created at its first use; lists do not need it.
 */
@RegisterForReflection(methods = false, fields = false, ignoreNested = true, classNames = {
        // The default chain of the SDK loads these classes by name.
        "software.amazon.awssdk.services.sts.internal.StsWebIdentityCredentialsProviderFactory",
        "software.amazon.awssdk.services.sts.internal.StsProfileCredentialsProviderFactory"})
public class StorageClient {

    @Produces
    @ApplicationScoped
    S3AsyncClient client(S3AsyncClientBuilder builder, StorageConfig config, StorageCredentials credentials) {
        StorageAddress address = StorageAddress.of(config);
        return builder.region(Region.of(config.region()))
                .credentialsProvider(credentials)
                .endpointOverride(address.endpoint())
                .serviceConfiguration(s3 -> s3.pathStyleAccessEnabled(address.pathStyle()))
                // Storages that do not support the SDK's newer checksums refuse requests with them.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(override -> override.apiCallTimeout(config.uploadTimeout())
                        // The body streams from a client and cannot be sent again.
                        .retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    /** Sends a request. The SDK blocks the calling thread while it prepares one, and longer before the first one. */
    public static <T> Uni<T> send(Supplier<CompletableFuture<T>> request) {
        return Uni.createFrom().completionStage(request).runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }

    /**
     * 502 for a request that has failed.
     *
     * @param object
     *            what the storage has refused, if it has answered
     */
    public static ApiException failure(String object, Throwable e) {
        return new ApiException(502, e instanceof AwsServiceException refused
                ? "The file storage refused " + object + " with status " + refused.statusCode() + '.'
                : "The file storage could not be reached, or broke off.");
    }
}
