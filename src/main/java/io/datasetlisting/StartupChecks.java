package io.datasetlisting;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.access.account.AuditConfig;
import io.datasetlisting.access.account.RateLimitConfig;
import io.datasetlisting.access.account.TokenConfig;
import io.datasetlisting.access.account.Username;
import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.base.SpoolConfig;
import io.datasetlisting.catalogue.cache.CacheConfig;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.rank.ChangesConfig;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DeletedConfig;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.dataset.raster.RasterConfig;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.storage.ObjectKey;
import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.faces.item.StacConfig;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.input.BodyConfig;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.postgres.replica.BeforeConnections;
import io.datasetlisting.write.exports.ExportsConfig;
import io.datasetlisting.write.mirror.MirrorConfig;
import io.datasetlisting.write.sample.SampleConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;

/**
 * Stops the start if a value of the configuration is out of its range, or if two keys contradict each other. The error names the
 * key.
 */
@Singleton
class StartupChecks {

    private static final Logger LOG = Logger.getLogger(StartupChecks.class);

    /** In bytes. Bodies are held in memory. */
    private static final long MAX_BODY_SIZE = 64 << 20;

    /** In bytes. A smaller one has no room for one file. */
    private static final long MIN_SPOOL = 1 << 20;

    /** A longer address would not fit into quarkus.http.limits.max-initial-line-length. */
    private static final long MIN_CLIENT_MEMORY = 1 << 20;
    private static final int MAX_URI_LENGTH = 16384;

    /** With the rest of the key of an upload it is shorter than the longest key. */
    private static final int MAX_PREFIX = 900;

    /** A longer time would reach beyond the times of the database. */
    private static final Duration MAX_KEEP = Duration.ofDays(10_000);

    /** A token is not valid much longer than its provider says. */
    private static final Duration MAX_LEEWAY = Duration.ofMinutes(5);
    /** A key that was stolen and withdrawn is not trusted for days. */
    private static final Duration MAX_KEYS = Duration.ofDays(1);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final int MAX_TITLE = 100;
    /** Browsers read the origin of the tiles in the Content-Security-Policy, where a space or a semicolon would end it. */
    private static final Pattern TILES = Pattern.compile("https?://(\\{s}\\.)?[-A-Za-z0-9.]+(:\\d+)?/[!-~&&[^;,'\"]]*");

    private static final Pattern CONTACT = Pattern.compile("(mailto:|https://)[!-~&&[^<>\"'\\\\]]+");

    void check(@Observes BeforeConnections event, PagingConfig paging,
            HttpConfig http, BodyConfig bodies, StorageConfig storage, RasterConfig rasters, TokenConfig tokens,
            AuditConfig audit,
            DeletedConfig deleted,
            OidcConfig oidc, MirrorConfig mirror, SpoolConfig spool, ExportsConfig exports,
            StreamConfig streams, StreamConnections streamConnections,
            IntersectionConfig intersections, StacConfig stac, LicenseConfig license, PageConfig page,
            DatabaseConfig database, ChangesConfig changes, CacheConfig caches, RateLimitConfig rates,
            SampleConfig sample) {
        check(paging);
        check(storage);
        check(rasters);
        check(tokens);
        check(audit);
        check(deleted);
        check(oidc, mirror);
        check(spool);
        check(exports, spool);
        check(streams);
        check(streamConnections);
        check(intersections);
        check(stac);
        check(license);
        check(page);
        check(database);
        check(changes, caches);
        check(rates, sample);
        check(http);
        check(bodies);
        LOG.info(heap(caches, http, changes, Runtime.getRuntime().maxMemory()));
    }

    /** The table of what takes the heap, which fits into it. */
    static String heap(CacheConfig caches, HttpConfig http, ChangesConfig changes, long heap) {
        return HeapShare.check(share -> switch (share) {
            case COLUMNS -> caches.columns();
            case CLIENTS -> http.http().clientMemory();
            case PAGES -> caches.pages();
            case DATASETS -> caches.datasets();
            case ITEMS -> caches.items();
            case CARDS -> caches.cards();
            case EVENTS -> changes.maxUnread();
            case ORIGIN -> Optional.empty();
        }, heap);
    }

    static void check(PagingConfig paging) {
        require(paging.defaultPageSize() >= 1, "dataset.listing.default-page-size must be at least 1");
        require(paging.defaultPageSize() <= paging.maxPageSize(), "dataset.listing.default-page-size ("
                + paging.defaultPageSize() + ") is above dataset.listing.max-page-size (" + paging.maxPageSize()
                + ")");
        require(paging.maxArraySize() >= 1, "dataset.listing.max-array-size must be at least 1");
    }

    static void check(HttpConfig http) {
        http.publicBaseUrl()
                .ifPresent(url -> require(isHttp(url) && url.getQuery() == null && url.getFragment() == null,
                        "dataset.public-base-url must be an http or https address without a query, not " + url));
        int maxUriLength = http.http().maxUriLength();
        require(maxUriLength >= 1024 && maxUriLength <= MAX_URI_LENGTH,
                "dataset.http.max-uri-length must be 1024 to 16384");
        long maxBodySize = http.http().maxBodySize().asLongValue();
        require(http.http().requestTimeout().toMillis() >= 100, "dataset.http.request-timeout must be at least 100 ms");
        require(http.http().maxConcurrentRequests() >= 1, "dataset.http.max-concurrent-requests must be at least 1");
        require(maxBodySize >= 1024 && maxBodySize <= MAX_BODY_SIZE, "dataset.http.max-body-size must be 1K to 64M");
        require(http.http().clientMemory().map(MemorySize::asLongValue).orElse(MIN_CLIENT_MEMORY) >= MIN_CLIENT_MEMORY,
                "dataset.http.client-memory must be at least 1M");
        require(http.http().maxClientSilence().toSeconds() >= 1,
                "dataset.http.max-client-silence must be at least 1 s");
    }

    static void check(BodyConfig bodies) {
        require(bodies.maxSearchBodySize().asLongValue() >= 1024,
                "dataset.http.max-search-body-size must be at least 1K");
        require(bodies.searchBodyTimeout().toMillis() >= 100,
                "dataset.http.search-body-timeout must be at least 100 ms");
        require(bodies.maxIncompleteBodies() >= 1, "dataset.http.max-incomplete-bodies must be at least 1");
    }

    static void check(DatabaseConfig database) {
        require(database.connectTimeout().toMillis() >= 100,
                "dataset.database.connect-timeout must be at least 100 ms");
        database.readUrl().ifPresent(url -> require(
                url.matches(
                        "postgres(ql)?://[^@/?]+/[^@/?]+(\\?(sslmode|sslrootcert)=[^&]+(&(sslmode|sslrootcert)=[^&]+)?)?"),
                "dataset.database.read-url must be postgresql://host:port/database, without a user, and with no other"
                        + " parameters than sslmode and sslrootcert"));
        database.passwordFile().ifPresent(file -> require(isReadable(file),
                "dataset.database.password-file cannot be read, or is empty: " + file));
        require(database.maxReplicaLag().toMillis() >= 1000, "dataset.database.max-replica-lag must be at least 1 s");
        require(database.pageConnections() >= 1, "dataset.database.page-connections must be at least 1");
        require(database.searchConnections() >= 1, "dataset.database.search-connections must be at least 1");
        require(database.searchTimeout().toMillis() >= 100, "dataset.database.search-timeout must be at least 100 ms");
        require(database.maintenanceTimeout().compareTo(database.idleTimeout()) >= 0,
                "dataset.database.maintenance-timeout must be at least dataset.database.idle-timeout");
        require(database.idleTimeout().toMillis() >= 1000, "dataset.database.idle-timeout must be at least 1 s");
        require(!database.startTimeout().isNegative(), "dataset.database.start-timeout must not be negative");
        require(database.foldInterval().toMillis() >= 1, "dataset.database.fold-interval must be at least 1 ms");
    }

    static void check(ChangesConfig changes, CacheConfig caches) {
        changes.keep().ifPresent(keep -> require(!keep.isNegative(), "dataset.changes.keep must not be negative"));
        require(changes.maxListeners() >= 1, "dataset.changes.max-listeners must be at least 1");
        require(changes.maxListenersPerClient() >= 1, "dataset.changes.max-listeners-per-client must be at least 1");
        require(!caches.maxAge().isNegative(), "dataset.cache.max-age must not be negative");
    }

    static void check(RateLimitConfig rates, SampleConfig sample) {
        require(rates.perMinute() >= 0, "dataset.rate-limit.per-minute must not be negative");
        require(sample.generated() >= 0, "dataset.sample.generated must not be negative");
    }

    static void check(StreamConnections streams) {
        require(streams.maxTransfers() >= 1, "dataset.bulk.max-transfers must be at least 1");
        require(streams.maxArrays() >= 1, "dataset.bulk.max-arrays must be at least 1");
    }

    static void check(SpoolConfig spool) {
        spool.spool().ifPresent(folder -> require(isFolder(folder),
                "dataset.bulk.spool must be a folder in which files can be created, not " + folder));
        require(spool.spoolSize().asLongValue() >= MIN_SPOOL, "dataset.bulk.spool-size must be at least 1M");
    }

    static void check(ExportsConfig exports, SpoolConfig spool) {
        require(exports.store() != ExportsConfig.Store.FOLDER || exports.folder().isPresent(),
                "dataset.exports.store=folder needs dataset.exports.folder");
        exports.folder().ifPresent(folder -> require(isFolder(folder),
                "dataset.exports.folder must be a folder in which files can be created, not " + folder));
        require(!exports.store().isOn() || spool.spool().isPresent(), "dataset.exports.store needs dataset.bulk.spool");
        checkPrefix("dataset.exports.prefix", exports.prefix());
        require(isBetween(exports.interval(), Duration.ofMillis(100), MAX_KEEP),
                "dataset.exports.interval must be 0.1 s to 10000 days");
        require(isBetween(exports.maxAge(), Duration.ZERO, Duration.ofDays(365)),
                "dataset.exports.max-age must be 0 to 365 days");
    }

    static void check(StreamConfig streams) {
        require(streams.maxDelay().toMillis() >= 1000, "dataset.bulk.max-delay must be at least 1 s");
        require(streams.maxExportTime().toMillis() >= 1000, "dataset.bulk.max-export-time must be at least 1 s");
        // The largest statement_timeout of PostgreSQL is 24 days.
        require(streams.maxExportTime().toDays() <= 7, "dataset.bulk.max-export-time must be at most 7 days");
        require(streams.progressInterval().toMillis() >= 100, "dataset.bulk.progress-interval must be at least 100 ms");
    }

    static void check(IntersectionConfig intersections) {
        require(intersections.maxIntersectsCandidates() >= 1,
                "dataset.search.max-intersects-candidates must be at least 1");
        require(intersections.maxIntersectsTime().toMillis() >= 1,
                "dataset.search.max-intersects-time must be at least 1 ms");
    }

    static void check(LicenseConfig license) {
        require(DatasetFields.LICENSE.matcher(license.license()).matches(),
                "dataset.stac.license must be an SPDX identifier or other");
        license.licenseUrl().ifPresent(url -> require(isHttp(url),
                "dataset.stac.license-url must be an http or https address, not " + url));
    }

    static void check(StacConfig stac) {
        require(stac.maxFilterDepth() >= 1, "dataset.stac.max-filter-depth must be at least 1");
        require(stac.maxFilterLength() >= 1, "dataset.stac.max-filter-length must be at least 1");
        require(stac.maxVertices() >= 1, "dataset.stac.max-vertices must be at least 1");
        require(stac.maxPatterns() >= 1, "dataset.stac.max-patterns must be at least 1");
    }

    static void check(PageConfig page) {
        require(!page.title().isBlank() && page.title().length() <= MAX_TITLE,
                "dataset.page.title must have 1 to " + MAX_TITLE + " characters");
        checkTiles("dataset.page.tiles", page.tiles(), page.tilesAttribution());
        checkTiles("dataset.page.satellite", page.satellite(), page.satelliteAttribution());
        page.contact().ifPresent(address -> require(CONTACT.matcher(address).matches(),
                "dataset.page.contact must be a mailto: or https: address, not " + address));
    }

    private static void checkTiles(String key, Optional<String> tiles, Optional<String> attribution) {
        tiles.ifPresent(address -> require(
                TILES.matcher(address).matches() && Stream.of("{z}", "{x}", "{y}").allMatch(address::contains),
                key + " must be an http or https address with {z}, {x} and {y}, not " + address));
        require(attribution.isEmpty() || tiles.isPresent(), key + "-attribution needs " + key);
    }

    private static boolean isBetween(Duration value, Duration min, Duration max) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    static void check(TokenConfig tokens) {
        // Without the key itself, because the message is printed.
        tokens.adminToken().ifPresent(key -> require(key.matches("[!-~]{16,}"),
                "dataset.admin-token must be at least 16 printable ASCII characters without spaces"));
        String refusal = Username.refusal(Username.normalize(tokens.adminUsername()));
        require(refusal == null, "dataset.admin-username: " + refusal);
        require(tokens.maxTokensPerAccount() >= 1, "dataset.max-tokens-per-account must be at least 1");
        require(isBetween(tokens.tokens().maxLifetime(), Duration.ofMinutes(1), MAX_KEEP),
                "dataset.tokens.max-lifetime must be 1 minute to 10000 days");
        require(isBetween(tokens.tokens().seenWithin(), Duration.ZERO, MAX_KEEP),
                "dataset.tokens.seen-within must be 0 to 10000 days");
    }

    static void check(AuditConfig audit) {
        require(audit.keep().toHours() >= 1, "dataset.audit.keep must be at least 1 h");
    }

    static void check(DeletedConfig deleted) {
        require(!deleted.keep().isNegative() && deleted.keep().compareTo(MAX_KEEP) <= 0,
                "dataset.deleted.keep must be 0 to 10000 days");
    }

    static void check(OidcConfig oidc, MirrorConfig mirror) {
        mirror.url().ifPresent(origin -> checkAddress("dataset.follow.url", origin));
        require(mirror.digestInterval().toMillis() >= 1, "dataset.follow.digest-interval must be at least 1 ms");
        oidc.issuer().ifPresent(issuer -> {
            checkAddress("dataset.oidc.issuer", issuer);
            require(issuer.getUserInfo() == null, "dataset.oidc.issuer must have no user");
            require("https".equals(issuer.getScheme()) || LOOPBACK.contains(issuer.getHost()),
                    "dataset.oidc.issuer must be an https address: other hosts could otherwise change the keys of the provider");
            require(!oidc.audiences().isEmpty(),
                    "dataset.oidc.issuer needs dataset.oidc.audience or dataset.oidc.client-id: otherwise tokens for other"
                            + " services would be accepted");
            require(!oidc.createAccounts() || mirror.url().isEmpty(),
                    "dataset.oidc.create-accounts cannot be used with dataset.follow.url: a mirror has the accounts of its"
                            + " origin");
        });
        require(oidc.issuer().isPresent() || oidc.clientId().isEmpty(),
                "dataset.oidc.client-id needs dataset.oidc.issuer");
        require(oidc.scopes().contains("openid")
                && oidc.scopes().stream().allMatch(scope -> scope.matches("[!#-\\[\\]-~]+")),
                "dataset.oidc.scopes must contain openid, without spaces in a scope");
        require(!oidc.leeway().isNegative() && oidc.leeway().compareTo(MAX_LEEWAY) <= 0,
                "dataset.oidc.leeway must be at most 5 minutes");
        require(isBetween(oidc.keysMaxAge(), Duration.ofSeconds(1), MAX_KEYS),
                "dataset.oidc.keys-max-age must be 1 second to 1 day");
        require(isBetween(oidc.keysKept(), oidc.keysMaxAge(), MAX_KEYS),
                "dataset.oidc.keys-kept must be at least dataset.oidc.keys-max-age, and at most 1 day");
    }

    static void check(RasterConfig rasters) {
        RasterConfig.templates(rasters).forEach((product, template) -> require(RasterLinks.isTemplate(template),
                "dataset.rasters." + product.replace('_', '-')
                        + " must be the key of an object or an https address, in which only "
                        + "{id}, {uav_uid} and {path} stand in braces"));
        rasters.folder().ifPresent(folder -> require(RasterLinks.isFolder(folder),
                "dataset.rasters.folder must be the key of an object with {id} or {uav_uid}, in which only these and {path}"
                        + " stand in braces"));
        rasters.hosts().ifPresent(hosts -> require(hosts.stream().allMatch(RasterLinks::isHost),
                "dataset.rasters.hosts must be names of hosts, each with or without a port"));
        rasters.viewer().ifPresent(viewer -> require(RasterLinks.isViewer(viewer),
                "dataset.rasters.viewer must be an https address with {z}, {x}, {y} and either {href} or {signed}, each once"));
    }

    static void check(StorageConfig storage) {
        checkAddress("dataset.storage.url", storage.url());
        storage.endpoint().ifPresent(endpoint -> checkAddress("dataset.storage.endpoint", endpoint));
        require(storage.signedFor() == StorageConfig.SignedFor.URL || storage.endpoint().isPresent(),
                "dataset.storage.signed-for=endpoint needs dataset.storage.endpoint");
        require(!storage.bucket().isBlank() && !storage.bucket().contains("/"),
                "dataset.storage.bucket must be one name without a slash");
        if (storage.addressing() == StorageConfig.Addressing.VIRTUAL_HOSTED) {
            require(storage.bucket().matches("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]"),
                    "dataset.storage.addressing=virtual-hosted needs a bucket name that is valid in a host name");
            require(!storage.endpoint().orElse(storage.url()).getHost().matches("[0-9.]+|\\[.*"),
                    "dataset.storage.addressing=virtual-hosted needs a host name, not an IP address");
        }
        require(storage.signatureVersion() == 2 || storage.signatureVersion() == 4,
                "dataset.storage.signature-version must be 2 or 4");
        require(storage.linkLifetime().compareTo(Duration.ofSeconds(2)) >= 0,
                "dataset.storage.link-lifetime must be at least 2 s");
        require(storage.signatureVersion() == 2 || storage.linkLifetime().compareTo(Duration.ofDays(7)) <= 0,
                "dataset.storage.link-lifetime must be at most 7 days: signature version 4 does not allow more");
        require(storage.accessKeyId().isPresent() == storage.secretAccessKey().isPresent(),
                "dataset.storage.access-key-id and dataset.storage.secret-access-key must be set together: one of them is "
                        + "missing");
        require(storage.accessKeyId().isPresent() || storage.sessionToken().isEmpty(),
                "dataset.storage.session-token needs dataset.storage.access-key-id");
        checkPrefix("dataset.storage.prefix", storage.prefix());
        require(ObjectKey.isNormal(storage.placeholderKey()),
                "dataset.storage.placeholder-key must be the key of an object: segments with slashes between, none of them "
                        + ". or ..");
        require(storage.maxThumbnailSize().asLongValue() >= 1024,
                "dataset.storage.max-thumbnail-size must be at least 1K");
        require(storage.uploadTimeout().toMillis() >= 100, "dataset.storage.upload-timeout must be at least 100 ms");
        require(storage.credentialsLookupInterval().toMillis() >= 100,
                "dataset.storage.credentials-lookup-interval must be at least 100 ms");
    }

    private static void checkPrefix(String key, String prefix) {
        require(prefix.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*") && ObjectKey.isNormal(prefix)
                && prefix.length() <= MAX_PREFIX,
                key + " must be at most 900 letters, digits, dots, underscores and hyphens, with slashes"
                        + " between, without the segments . and ..");
    }

    private static boolean isFolder(String path) {
        try {
            return Files.isDirectory(Path.of(path)) && Files.isWritable(Path.of(path));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isReadable(String file) {
        try {
            return !Files.readString(Path.of(file)).isBlank();
        } catch (IOException | InvalidPathException e) {
            return false;
        }
    }

    private static void checkAddress(String key, URI address) {
        require(isHttp(address) && address.getQuery() == null && address.getFragment() == null,
                key + " must be an http or https address without a query, not " + address);
    }

    private static boolean isHttp(URI url) {
        return url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigurationException(message);
        }
    }
}
