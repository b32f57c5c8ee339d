package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.access.account.RateLimit;
import io.datasetlisting.access.identity.BearerTokens;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.catalogue.cache.RevisionCache;
import io.datasetlisting.http.StaticFiles;
import io.datasetlisting.support.AugmentationLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.test.junit.QuarkusTest;

/** Checks on the JVM what the native executable finds by name: registered classes, service files and resources. */
@QuarkusTest
class NativeRegistrationTest {

    private static final Path CLASSES = Path.of("target", "classes");

    /** The platform includes these files itself. */
    private static final Pattern NOT_INCLUDED = Pattern
            .compile(".*[.](class|sql|md)|templates/.*|application.properties"
                    + "|META-INF/(native-image/.*|services/(io.smallrye.config.ConfigSourceInterceptor"
                    + "|org.eclipse.microprofile.config.spi.Converter))");

    private static final String WEB_JARS = "META-INF/resources/webjars/";
    private static final String LEAFLET = WEB_JARS + "leaflet/" + StaticFiles.LEAFLET_VERSION + "/dist/leaflet";

    private static final List<String> ANSWERED_OF_WEB_JARS = List.of(LEAFLET + ".js", LEAFLET + ".css");

    @Inject
    PageCache pages;

    @Inject
    MeterRegistry meters;

    @Inject
    RateLimit rateLimit;

    @Inject
    BearerTokens bearers;

    /**
     * A type without its hierarchy is usually one that nobody wants to register: a parameter of a resource method without
     * {@code @Context}, which is taken for a body, and with it half of the class path.
     */
    @Test
    void eachTypeIsRegisteredWithItsHierarchy() {
        assertEquals("", AugmentationLog.content());
    }

    /** A dependency that renames a class would otherwise go unnoticed until the native executable needs it. */
    @Test
    void eachRegisteredClassExists() throws Exception {
        Set<String> names = registeredNames();
        assertTrue(names.size() > 5, names::toString);
        for (String name : names) {
            assertNotNull(Class.forName(name, false, getClass().getClassLoader()));
        }
    }

    private Set<String> registeredNames() throws Exception {
        Set<String> names = new HashSet<>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".class")).toList()) {
                String name = CLASSES.relativize(file).toString().replace('/', '.').replaceFirst("[.]class$", "");
                RegisterForReflection registration = Class.forName(name, false, getClass().getClassLoader())
                        .getAnnotation(RegisterForReflection.class);
                if (registration != null) {
                    names.addAll(Arrays.asList(registration.classNames()));
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** The platform looks for the method of a stream by its name, and itself registers only those that the resource declares. */
    @Test
    void theClassesFromWhichResourcesInheritAreRegistered() throws Exception {
        Set<String> registered = registeredNames();
        Set<String> inherited = new HashSet<>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file : files.filter(file -> file.toString().endsWith("Resource.class")).toList()) {
                String name = CLASSES.relativize(file).toString().replace('/', '.').replaceFirst("[.]class$", "");
                Class<?> resource = Class.forName(name, false, getClass().getClassLoader());
                if (resource.isAnnotationPresent(jakarta.ws.rs.Path.class)
                        && resource.getSuperclass() != Object.class) {
                    inherited.add(resource.getSuperclass().getName());
                }
            }
        }
        assertFalse(inherited.isEmpty());
        assertTrue(registered.containsAll(inherited), inherited::toString);
    }

    /** Caffeine selects the class of a cache by its features, and loads it by name. */
    @Test
    void theClassesOfEachCacheAreRegistered() throws Exception {
        Set<String> registered = registeredNames();
        for (Object owner : List.of(pages, new RevisionCache<>("of a test", 1, meters), rateLimit, bearers)) {
            List<Object> caches = new ArrayList<>();
            for (var field : owner.getClass().getDeclaredFields()) {
                if (field.getType().getName().startsWith("com.github.benmanes.caffeine.cache.")) {
                    field.setAccessible(true);
                    caches.add(field.get(owner));
                }
            }
            assertFalse(caches.isEmpty(), owner::toString);
            for (Object cache : caches) {
                var local = cache.getClass().getDeclaredField("cache");
                local.setAccessible(true);
                Object implementation = local.get(cache);
                assertTrue(registered.contains(implementation.getClass().getName()),
                        implementation.getClass()::getName);
            }
        }
    }

    @Test
    void eachClassInAServiceFileOfNettyIsRegistered() throws Exception {
        String file = "META-INF/services/io.netty.bootstrap.ChannelInitializerExtension";
        List<String> names = resource(file).lines().toList();
        assertTrue(registeredNames().containsAll(names), names::toString);
        assertFalse(names.isEmpty());
        assertTrue(properties().getProperty("quarkus.native.resources.includes").contains(file));
    }

    /** The executable contains only the files on the class path that the configuration names. */
    @Test
    void theFilesThatTheServiceReadsAreIncluded() throws IOException {
        List<String> names = new ArrayList<>(ANSWERED_OF_WEB_JARS);
        try (Stream<Path> files = Files.walk(CLASSES)) {
            files.filter(Files::isRegularFile).map(file -> CLASSES.relativize(file).toString())
                    .filter(name -> !NOT_INCLUDED.matcher(name).matches()).forEach(names::add);
        }
        assertTrue(names.containsAll(List.of("openapi/openapi.json", "openapi/openapi.yaml",
                "openapi/stac.json", "web/land.json", "sample/noaa-nashville-2020.ndjson")), names::toString);
        assertEquals(List.of(), names.stream().filter(name -> !included(name)).toList());
    }

    /** The platform includes all files of these jars. */
    @Test
    void theLargeFilesOfWebJarsAreRemovedUnlessTheServiceAnswersThem() throws IOException {
        String key = "quarkus.class-loading.removed-resources.\"org.webjars.npm:leaflet\"";
        List<String> removed = List.of(properties().getProperty(key).split(","));
        for (String answered : ANSWERED_OF_WEB_JARS) {
            URL url = getClass().getClassLoader().getResource(answered);
            assertNotNull(url, answered);
            List<ZipEntry> entries = ((JarURLConnection) url.openConnection()).getJarFile().stream()
                    .filter(entry -> entry.getName().startsWith("META-INF/resources/")).map(ZipEntry.class::cast)
                    .toList();
            List<String> kept = entries.stream().filter(entry -> entry.getSize() > 100_000)
                    .map(ZipEntry::getName).filter(name -> !removed.contains(name)).toList();
            assertTrue(ANSWERED_OF_WEB_JARS.containsAll(kept), kept::toString);
            assertFalse(removed.contains(answered), answered);
            assertTrue(entries.stream().map(ZipEntry::getName).toList().containsAll(removed), removed::toString);
        }
    }

    /** Only the profile native has this library: its codec is linked, and never called. */
    @Test
    void theLibrariesOfSnappyAreLeftOut() {
        assertEquals("META-INF/native-image/org.xerial.snappy/snappy-java/resource-config.json", properties()
                .getProperty("quarkus.class-loading.removed-resources.\"org.xerial.snappy:snappy-java\""));
    }

    private static boolean included(String name) {
        return Stream.of(properties().getProperty("quarkus.native.resources.includes").split(","))
                .anyMatch(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(Path.of(name)));
    }

    /** The JDK loads the data of this normal form by a name that it computes, which the native image cannot find by itself. */
    @Test
    void theNormalFormOfUsernamesIsIncluded() throws IOException {
        JsonNode resource = new ObjectMapper().readTree(resource(
                "META-INF/native-image/io.datasetlisting/dataset-listing-service/reachability-metadata.json"))
                .at("/resources/0");
        PathMatcher glob = FileSystems.getDefault().getPathMatcher("glob:" + resource.get("glob").textValue());
        Path module = Path.of(URI.create("jrt:/" + resource.get("module").textValue()));
        try (Stream<Path> files = Files.walk(module)) {
            assertEquals(List.of("nfkc.nrm"),
                    files.filter(file -> glob.matches(Path.of(module.relativize(file).toString())))
                            .map(file -> file.getFileName().toString()).toList());
        }
    }

    /** Such arguments need a second argument that unlocks them, or they end the build of a newer compiler. */
    @Test
    void noArgumentOfTheCompilerIsExperimental() {
        String arguments = properties().getProperty("quarkus.native.additional-build-args");
        assertFalse(arguments.contains("-H:"), arguments);
    }

    /** They would keep the offsets of the machine that builds, or unpack libraries there. */
    @Test
    void theCodecsOfParquetAreInitializedAtRunTime() {
        String arguments = properties().getProperty("quarkus.native.additional-build-args");
        for (String codec : List.of("io.airlift.compress", "com.github.luben.zstd", "org.xerial.snappy")) {
            assertTrue(arguments.contains(",--initialize-at-run-time=" + codec), arguments);
        }
    }

    /** The executable contains the locales of the languages. A locale with an extension would write numbers as in English. */
    @Test
    void noLocaleHasAnExtension() throws IOException {
        Pattern extension = Pattern.compile("-u-(nu|ca|co|hc|fw)-");
        try (Stream<Path> files = Files.walk(CLASSES.resolve("io"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertFalse(extension.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find(),
                        file::toString);
            }
        }
    }

    private static Properties properties() {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(CLASSES.resolve("application.properties"))) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = Files.newInputStream(CLASSES.resolve(name))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
