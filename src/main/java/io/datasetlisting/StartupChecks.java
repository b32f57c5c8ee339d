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

import io.datasetlisting.account.TokenConfig;
import io.datasetlisting.dataset.BulkConfig;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.listing.ListingConfig;
import io.datasetlisting.storage.StorageConfig;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;

/** Refuses to start on a configuration that contradicts itself, with a sentence that names the key. */
@Singleton
class StartupChecks {

    private static final Logger LOG = Logger.getLogger(StartupChecks.class);

    /** Bodies are held whole. */
    private static final long MAX_HELD = 64 << 20;

    void check(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event, ListingConfig listing,
            HttpConfig http, StorageConfig storage, TokenConfig tokens, BulkConfig bulk,
            @ConfigProperty(name = "quarkus.http.proxy.proxy-address-forwarding") boolean forwarding,
            @ConfigProperty(name = "quarkus.http.proxy.trusted-proxies") Optional<String> trustedProxies) {
        check(listing);
        check(storage);
        check(tokens);
        check(bulk);
        check(http);
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

    static void check(HttpConfig http) {
        http.publicBaseUrl()
                .ifPresent(url -> require(isHttp(url) && url.getQuery() == null && url.getFragment() == null,
                        "dataset.public-base-url must be an http or https address without a query, not " + url));
        require(http.http().maxUriLength() >= 1024, "dataset.http.max-uri-length must be at least 1024");
        long maxBodySize = http.http().maxBodySize().asLongValue();
        require(maxBodySize >= 1024 && maxBodySize <= MAX_HELD, "dataset.http.max-body-size must be 1K to 64M");
    }

    static void check(BulkConfig bulk) {
        require(bulk.maxTransfers() >= 1, "dataset.bulk.max-transfers must be at least 1");
        require(bulk.progressInterval().toMillis() >= 100, "dataset.bulk.progress-interval must be at least 100 ms");
    }

    static void check(TokenConfig tokens) {
        // Not the key itself: this sentence is printed.
        tokens.adminToken().ifPresent(key -> require(key.matches("[!-~]{16,}"),
                "dataset.admin-token must be at least 16 printable ASCII characters without spaces"));
        require(!tokens.adminUsername().isBlank() && tokens.adminUsername().length() <= 150,
                "dataset.admin-username must be 1 to 150 characters");
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
