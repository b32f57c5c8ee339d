package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.access.account.AuditConfig;
import io.datasetlisting.access.account.RateLimitConfig;
import io.datasetlisting.access.account.TokenConfig;
import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.base.SpoolConfig;
import io.datasetlisting.base.StrictBoolean;
import io.datasetlisting.catalogue.cache.CacheConfig;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.catalogue.query.IntersectionConfig;
import io.datasetlisting.catalogue.rank.ChangesConfig;
import io.datasetlisting.dataset.DeletedConfig;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.dataset.raster.RasterConfig;
import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.faces.item.StacConfig;
import io.datasetlisting.http.HttpConfig;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.input.BodyConfig;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.write.exports.ExportsConfig;
import io.datasetlisting.write.mirror.MirrorConfig;
import io.datasetlisting.write.sample.SampleConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests that {@link StartupChecks} accepts a good configuration, and names the wrong key of a bad one. */
class StartupChecksTest {

    private static final Path CLASSES = Path.of("target", "classes");
    private static final List<Class<?>> MAPPINGS = mappings();

    /** Each text is right for these keys: names, secrets that others give, and paths that nothing but their use can check. */
    private static final Set<String> ANY_TEXT = Set.of("dataset.oidc.name-claim", "dataset.oidc.right-claim",
            "dataset.oidc.audience", "dataset.oidc.clients", "dataset.oidc.rights.reader", "dataset.oidc.rights.writer",
            "dataset.oidc.rights.admin",
            "dataset.storage.region", "dataset.follow.token", "dataset.http.allowed-hosts");
    /** Texts that are wrong for keys without a type of their own. */
    private static final Map<String, String> WRONG_TEXTS = Map.of("dataset.page.title", " ", "dataset.storage.bucket",
            "a/b",
            "dataset.storage.placeholder-key", "/a.png");

    /** All interfaces with the annotation: their class files name it. */
    static List<Class<?>> mappings() {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            List<Class<?>> mappings = new ArrayList<>();
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1)
                        .contains("Lio/smallrye/config/ConfigMapping;")) {
                    mappings.add(Class.forName(CLASSES.relativize(file).toString().replace(".class", "")
                            .replace(File.separatorChar, '.')));
                }
            }
            return mappings.stream().filter(type -> type.isAnnotationPresent(ConfigMapping.class)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SmallRyeConfig config(Map<String, String> values) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
        MAPPINGS.forEach(builder::withMapping);
        return builder.withConverter(MemorySize.class, 100, new MemorySizeConverter())
                .withConverter(Boolean.class, 200, new StrictBoolean()).withDefaultValues(values).build();
    }

    private static String heap(Map<String, String> values, long mebibytes) {
        SmallRyeConfig config = config(values);
        return StartupChecks.heap(config.getConfigMapping(CacheConfig.class), config.getConfigMapping(HttpConfig.class),
                config.getConfigMapping(ChangesConfig.class), mebibytes << 20);
    }

    private static void check(Map<String, String> values) {
        SmallRyeConfig config = config(values);
        StartupChecks.check(config.getConfigMapping(PagingConfig.class));
        StartupChecks.check(config.getConfigMapping(StorageConfig.class));
        StartupChecks.check(config.getConfigMapping(RasterConfig.class));
        StartupChecks.check(config.getConfigMapping(HttpConfig.class));
        StartupChecks.check(config.getConfigMapping(BodyConfig.class));
        StartupChecks.check(config.getConfigMapping(SpoolConfig.class));
        StartupChecks.check(config.getConfigMapping(ExportsConfig.class), config.getConfigMapping(SpoolConfig.class));
        StartupChecks.check(config.getConfigMapping(StreamConfig.class));
        StartupChecks.check(config.getConfigMapping(StreamConnections.class));
        StartupChecks.check(config.getConfigMapping(IntersectionConfig.class));
        StartupChecks.check(config.getConfigMapping(StacConfig.class));
        StartupChecks.check(config.getConfigMapping(LicenseConfig.class));
        StartupChecks.check(config.getConfigMapping(PageConfig.class));
        StartupChecks.check(config.getConfigMapping(TokenConfig.class));
        StartupChecks.check(config.getConfigMapping(AuditConfig.class));
        StartupChecks.check(config.getConfigMapping(DeletedConfig.class));
        StartupChecks.check(config.getConfigMapping(DatabaseConfig.class));
        StartupChecks.check(config.getConfigMapping(OidcConfig.class), config.getConfigMapping(MirrorConfig.class));
        StartupChecks.check(config.getConfigMapping(ChangesConfig.class), config.getConfigMapping(CacheConfig.class));
        StartupChecks.check(config.getConfigMapping(RateLimitConfig.class),
                config.getConfigMapping(SampleConfig.class));
    }

    @Test
    void theDefaultsAreAccepted() {
        check(Map.of());
    }

    /** A wrong text for each key, and a number below zero for each number and each duration. */
    @Test
    void aWrongValueOfEachKeyEndsInOneLineWithTheKey() {
        List<String> accepted = new ArrayList<>();
        MAPPINGS.forEach(
                type -> ConfigMappings.getProperties(ConfigClass.configClass(type)).forEach((key, property) -> {
                    if (!ANY_TEXT.contains(key.replace("[*]", ""))) {
                        String text = WRONG_TEXTS.getOrDefault(key, "\u200b not right");
                        List<String> wrong = property.hasDefaultValue()
                                && property.getDefaultValue().matches("\\d+|PT?[\\d.]+[A-Z]")
                                && !key.equals("dataset.sample.seed")
                                        ? List.of(text, property.getDefaultValue().matches("\\d+") ? "-1" : "-PT1S")
                                        : List.of(text);
                        wrong.stream().filter(value -> !endsInOneLine(key, value))
                                .forEach(value -> accepted.add(key + "=" + value));
                    }
                }));
        assertEquals(List.of(), accepted);
    }

    private static boolean endsInOneLine(String key, String value) {
        try {
            check(Map.of(key.replace("[*]", "[0]"), value));
            return false;
        } catch (ConfigurationException | ConfigValidationException e) {
            List<String> lines = Main.reasons(e).orElseThrow();
            return lines.size() == 1 && lines.get(0).lines().count() == 1
                    && lines.get(0).contains(key.replace("[*]", "")) && !lines.get(0).contains("Exception");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {48, 63, 222, 500, 8_000})
    void theDefaultsFitIntoEachHeap(long mebibytes) {
        assertTrue(heap(Map.of(), mebibytes).contains("The heap has " + mebibytes + " MB"));
    }

    @ParameterizedTest
    @EnumSource(value = HeapShare.class, mode = EnumSource.Mode.EXCLUDE, names = "ORIGIN")
    void aSizeThatDoesNotFitIntoTheHeapIsRefused(HeapShare share) {
        assertTrue(heap(Map.of(share.key(), "1M"), 222).contains("  1 MB  " + share.what() + ": " + share.key()));
        ConfigurationException e = assertThrows(ConfigurationException.class,
                () -> heap(Map.of(share.key(), "1G"), 222));
        assertTrue(e.getMessage().matches("The caches, budgets and requests need 1\\d+ MB of a heap of 222 MB: "
                + share.key() + " \\(1024 MB\\) can have at most \\d+ MB, or the heap must be larger"), e.getMessage());
    }

    @Test
    void anErrorOfTheHeapSaysHowMuchFits() {
        String most = "dataset.cache.columns (100 MB) can have at most 70 MB";
        ConfigurationException e = assertThrows(ConfigurationException.class,
                () -> heap(Map.of("dataset.cache.columns", "100M"), 222));
        assertTrue(e.getMessage().contains(most), e.getMessage());
        heap(Map.of("dataset.cache.columns", "70M"), 222);
        assertThrows(ConfigurationException.class, () -> heap(Map.of("dataset.cache.columns", "71M"), 222));
        assertThrows(ConfigurationException.class, () -> heap(Map.of(), 47));
    }

    @Test
    void theOriginOfAMirrorHasAnAddressWithAHost() {
        for (String address : List.of("api.example.org", "ftp://api.example.org", "https://a/?b=c")) {
            assertRefused("dataset.follow.url", Map.of("dataset.follow.url", address));
        }
        check(Map.of("dataset.follow.url", "https://api.example.org/catalogue"));
    }

    @Test
    void signatureVersion4LimitsLinksToAWeek() {
        assertRefused("dataset.storage.link-lifetime", Map.of("dataset.storage.signature-version", "4",
                "dataset.storage.link-lifetime", "P7DT1S"));
        check(Map.of("dataset.storage.signature-version", "4", "dataset.storage.link-lifetime", "P7D"));
        check(Map.of("dataset.storage.link-lifetime", "P8D"));
    }

    @ParameterizedTest
    @CsvSource({"dataset.storage.bucket,My_Bucket", "dataset.storage.bucket,my.bucket",
            "dataset.storage.url,http://127.0.0.1:9000", "dataset.storage.url,http://[::1]:9000",
            "dataset.storage.endpoint,http://127.0.0.1:9000"})
    void virtualHostedAddressingNeedsDnsNames(String key, String value) {
        assertRefused("dataset.storage.addressing", Map.of("dataset.storage.addressing", "virtual-hosted", key, value));
    }

    @Test
    void tilesHaveAnAddressWithThreeNumbers() {
        for (String tiles : List.of("https://tiles.example.org/{z}/{x}/{y}.png",
                "http://localhost:8081/{z}/{x}/{y}?key=a",
                "https://{s}.tiles.example.org/{z}/{x}/{y}{r}.png")) {
            check(Map.of("dataset.page.tiles", tiles, "dataset.page.tiles-attribution", "© somebody"));
        }
        assertRefused("dataset.page.title", Map.of("dataset.page.title", "x".repeat(101)));
    }

    @Test
    void aProviderHasASafeAddressAndAnAudience() {
        String issuer = "dataset.oidc.issuer";
        for (String address : List.of("https://id.example.org", "https://id.example.org/realms/a/",
                "http://localhost:8080/a",
                "http://127.0.0.1:1", "http://[::1]:2")) {
            check(Map.of(issuer, address, "dataset.oidc.client-id", "pages"));
            check(Map.of(issuer, address, "dataset.oidc.audience", "datasets"));
        }
        for (String address : List.of("http://id.example.org", "ftp://localhost", "https://a?b=c", "https://a@b",
                "here")) {
            assertRefused(issuer, Map.of(issuer, address, "dataset.oidc.client-id", "pages"));
        }
        assertRefused("dataset.oidc.audience", Map.of(issuer, "https://a"));
        assertRefused("dataset.oidc.create-accounts", Map.of(issuer, "https://a", "dataset.oidc.client-id", "pages",
                "dataset.oidc.create-accounts", "true", "dataset.follow.url", "https://b"));
    }

    @Test
    void temporaryFilesHaveAFolderThatExists(@TempDir Path folder) {
        check(Map.of("dataset.bulk.spool", folder.toString()));
        assertRefused("dataset.bulk.spool", Map.of("dataset.bulk.spool", folder.resolve("none").toString()));
    }

    private static void assertRefused(String key, Map<String, String> values) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> check(values));
        assertTrue(e.getMessage().contains(key), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"dataset.stac.license,MIT OR Apache-2.0", "dataset.stac.license-url,ftp://a",
            "dataset.stac.max-filter-depth,0", "dataset.stac.max-filter-length,0", "dataset.stac.max-vertices,0",
            "dataset.page.title,' '", "dataset.page.tiles,https://tiles.example.org/{z}/{x}",
            "dataset.page.tiles,ftp://a/{z}/{x}/{y}", "dataset.page.tiles,/{z}/{x}/{y}",
            "dataset.page.tiles,https://{s}/{z}/{x}/{y}", "dataset.page.tiles,https://{x}.a/{z}/{y}",
            "dataset.page.tiles,https://a b/{z}/{x}/{y}", "dataset.page.tiles,https://a;b/{z}/{x}/{y}",
            "dataset.page.tiles-attribution,alone", "dataset.page.satellite-attribution,alone",
            "dataset.page.satellite,https://tiles.example.org/{z}/{x}",
            "dataset.rasters.folder,{path}/rasters", "dataset.rasters.hosts,https://a.example",
            "dataset.rasters.hosts,'a.example,*.example'",
            "dataset.rasters.viewer,https://tiles.example.org/{z}/{x}/{y}",
            "dataset.rasters.viewer,http://tiles.example.org/{z}/{x}/{y}?url={href}",
            "dataset.page.contact,javascript:alert(1)", "dataset.page.contact,http://example.org/{id}",
            "dataset.listing.default-page-size,0", "dataset.listing.default-page-size,101",
            "dataset.listing.max-page-size,14", "dataset.storage.url,not-a-url", "dataset.storage.url,ftp://a",
            "dataset.storage.url,http://a?b=c", "dataset.storage.url,http://a#b", "dataset.storage.bucket,a/b",
            "dataset.storage.bucket,' '", "dataset.storage.link-lifetime,PT1S",
            "dataset.storage.access-key-id,alone", "dataset.storage.secret-access-key,alone",
            "dataset.storage.session-token,alone", "dataset.storage.endpoint,ftp://a",
            "dataset.storage.signed-for,endpoint", "dataset.storage.signature-version,3",
            "dataset.storage.prefix,/a", "dataset.storage.prefix,a b", "dataset.storage.max-thumbnail-size,10",
            "dataset.storage.upload-timeout,PT0S", "dataset.storage.credentials-lookup-interval,PT0S",
            "dataset.public-base-url,ftp://a", "dataset.http.max-uri-length,100", "dataset.http.max-uri-length,16385",
            "dataset.http.max-body-size,10", "dataset.http.max-search-body-size,10",
            "dataset.http.search-body-timeout,PT0S", "dataset.http.max-incomplete-bodies,0",
            "dataset.http.client-memory,1000K", "dataset.http.max-client-silence,PT0.9S",
            "dataset.http.max-body-size,1G", "dataset.bulk.max-transfers,0", "dataset.bulk.max-arrays,0",
            "dataset.database.search-connections,0", "dataset.database.search-timeout,PT0S",
            "dataset.stac.max-patterns,0", "dataset.bulk.progress-interval,PT0S",
            "dataset.bulk.max-delay,PT0S", "dataset.bulk.max-export-time,PT0S",
            "dataset.bulk.max-export-time,P8D", "dataset.bulk.spool,pom.xml", "dataset.bulk.spool-size,1000K",
            "dataset.exports.store,bucket", "dataset.exports.store,folder", "dataset.exports.folder,pom.xml",
            "dataset.exports.prefix,/a", "dataset.exports.interval,PT0.05S", "dataset.exports.max-age,P366D",
            "dataset.search.max-intersects-candidates,0",
            "dataset.search.max-intersects-time,PT0S",
            "dataset.oidc.client-id,alone", "dataset.oidc.scopes,profile", "dataset.oidc.leeway,PT6M",
            "dataset.oidc.leeway,PT-1S", "dataset.oidc.keys-max-age,PT0S", "dataset.oidc.keys-kept,PT4M",
            "dataset.tokens.max-lifetime,PT59S", "dataset.tokens.seen-within,PT-1S",
            "dataset.admin-token,short", "dataset.admin-token,with spaces and long enough",
            "dataset.admin-username,' '", "dataset.max-tokens-per-account,0", "dataset.audit.keep,PT59M",
            "dataset.deleted.keep,-PT1S", "dataset.deleted.keep,P10001D",
            "dataset.admin-username,a\u200bb",
            "dataset.storage.prefix,a/../b",
            "dataset.storage.placeholder-key,/a.png", "dataset.database.page-connections,0",
            "dataset.database.connect-timeout,PT0S", "dataset.database.read-url,postgresql://somebody@a/b"})
    void anErrorNamesTheWrongKey(String key, String value) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> check(Map.of(key, value)));
        assertTrue(e.getMessage().contains(key), e.getMessage());
        assertFalse(key.equals("dataset.admin-token") && e.getMessage().contains(value), e.getMessage());
    }
}
