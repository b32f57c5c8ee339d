package io.datasetlisting.storage;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

import io.quarkus.runtime.annotations.RegisterForReflection;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** The AWS SDK's client, as {@link StorageConfig} wants it, made when it is used first, and not for listings. */
@RegisterForReflection(classNames = {
        // The default chain looks for them by name.
        "software.amazon.awssdk.services.sts.internal.StsWebIdentityCredentialsProviderFactory",
        "software.amazon.awssdk.services.sts.internal.StsProfileCredentialsProviderFactory"})
class StorageClient {

    @Produces
    @ApplicationScoped
    S3AsyncClient client(S3AsyncClientBuilder builder, StorageConfig config, StorageCredentials credentials) {
        StorageAddress address = StorageAddress.of(config);
        return builder.region(Region.of(config.region()))
                .credentialsProvider(credentials)
                .endpointOverride(address.endpoint())
                .serviceConfiguration(s3 -> s3.pathStyleAccessEnabled(address.pathStyle()))
                // Storage that is older than the SDK's new checksums refuses them.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(override -> override.apiCallTimeout(config.uploadTimeout())
                        // The body comes from a client, once.
                        .retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }
}
