package io.datasetlisting;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.storage.StorageConfig;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;

/** Refuses to start on a configuration that contradicts itself, with a sentence that names the key. */
@Singleton
class StartupChecks {

    private static final Logger LOG = Logger.getLogger(StartupChecks.class);

    void check(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event, ListingConfig listing,
            HttpConfig http, StorageConfig storage,
            @ConfigProperty(name = "quarkus.http.proxy.proxy-address-forwarding") boolean forwarding,
            @ConfigProperty(name = "quarkus.http.proxy.trusted-proxies") Optional<String> trustedProxies) {
        check(listing);
        check(storage);
        http.publicBaseUrl()
                .ifPresent(url -> require(isHttp(url) && url.getQuery() == null && url.getFragment() == null,
                        "dataset.public-base-url must be an http or https address without a query, not " + url));
        require(http.http().maxUriLength() >= 1024, "dataset.http.max-uri-length must be at least 1024");
        require(!forwarding || trustedProxies.isPresent(),
                "quarkus.http.proxy.proxy-address-forwarding needs quarkus.http.proxy.trusted-proxies: "
                        + "without it anyone could forge the addresses in the links");
    }

    static void check(ListingConfig listing) {
        require(listing.defaultPageSize() >= 1, "dataset.listing.default-page-size must be at least 1");
        require(listing.defaultPageSize() <= listing.maxPageSize(), "dataset.listing.default-page-size ("
                + listing.defaultPageSize() + ") is above dataset.listing.max-page-size (" + listing.maxPageSize()
                + ")");
    }

    static void check(StorageConfig storage) {
        require(isHttp(storage.url()) && storage.url().getQuery() == null && storage.url().getFragment() == null,
                "dataset.storage.url must be an http or https address without a query, not " + storage.url());
        require(!storage.bucket().isBlank() && !storage.bucket().contains("/"),
                "dataset.storage.bucket must be one name without a slash");
        require(storage.linkLifetime().compareTo(Duration.ofSeconds(2)) >= 0,
                "dataset.storage.link-lifetime must be at least 2 s");
        require(storage.accessKeyId().isPresent() == storage.secretAccessKey().isPresent(),
                "dataset.storage.access-key-id and dataset.storage.secret-access-key go together: one of them is missing");
        if (storage.accessKeyId().isEmpty()) {
            LOG.warn("dataset.storage.access-key-id is not set: thumbnail links go out unsigned");
        }
    }

    private static boolean isHttp(URI url) {
        return url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new ConfigurationException(otherwise);
        }
    }
}
