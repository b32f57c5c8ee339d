package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.account.RateLimit;
import io.datasetlisting.cache.PageCache;
import io.datasetlisting.cache.RevisionCache;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.support.AugmentationLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.test.junit.QuarkusTest;

/** Checks on the JVM what the native executable finds by name: registered classes, service files and resources. */
@QuarkusTest
class NativeRegistrationTest {

    private static final Path CLASSES = Path.of("target", "classes");

    @Inject
    PageCache pages;

    @Inject
    MeterRegistry meters;

    @Inject
    RateLimit rateLimit;

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

    /** Caffeine selects the class of a cache by its features, and loads it by name. */
    @Test
    void theClassesOfEachCacheAreRegistered() throws Exception {
        Set<String> registered = registeredNames();
        for (Object owner : List.of(pages, new RevisionCache<>("of a test", 1, meters), rateLimit)) {
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
    void theFilesThatTheServiceAnswersAreIncluded() throws IOException {
        List<PathMatcher> included = Stream
                .of(properties().getProperty("quarkus.native.resources.includes").split(","))
                .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern)).toList();
        String swagger = "META-INF/resources/webjars/swagger-ui/" + Endpoints.SWAGGER_UI_VERSION + '/';
        String leaflet = "META-INF/resources/webjars/leaflet/" + Endpoints.LEAFLET_VERSION + "/dist/";
        List<String> names = new ArrayList<>(List.of("META-INF/openapi.yaml", swagger + "swagger-ui-bundle.js",
                swagger + "swagger-ui.css", leaflet + "leaflet.js", leaflet + "leaflet.css"));
        // Qute registers the templates.
        for (String directory : List.of("openapi", "stac", "web")) {
            try (Stream<Path> files = Files.list(CLASSES.resolve(directory))) {
                files.map(CLASSES::relativize).forEach(file -> names.add(file.toString()));
            }
        }
        for (String name : names) {
            assertNotNull(getClass().getClassLoader().getResource(name), name);
            assertTrue(included.stream().anyMatch(pattern -> pattern.matches(Path.of(name))), name);
        }
    }

    /** The JDK loads the data of this normal form by a name that it computes, which the native image cannot find by itself. */
    @Test
    void theNormalFormOfUsernamesIsIncluded() throws IOException {
        String argument = properties().getProperty("quarkus.native.additional-build-args");
        String pattern = argument.replaceFirst(".*-H:IncludeResources=java.base:([^,]+).*", "$1");
        List<Path> data;
        try (Stream<Path> files = Files.walk(Path.of(java.net.URI.create("jrt:/java.base/jdk/internal/icu")))) {
            data = files.filter(file -> file.toString().endsWith(".nrm")).toList();
        }
        assertEquals(1,
                data.stream().filter(file -> file.toString().replaceFirst(".*/java.base/", "").matches(pattern))
                        .count(),
                () -> pattern + data);
    }

    private static Properties properties() throws IOException {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(CLASSES.resolve("application.properties"))) {
            properties.load(reader);
        }
        return properties;
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = Files.newInputStream(CLASSES.resolve(name))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
