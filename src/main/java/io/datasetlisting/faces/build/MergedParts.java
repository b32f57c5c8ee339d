package io.datasetlisting.faces.build;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.OASModelReader;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.smallrye.openapi.api.SmallRyeOpenAPI;

/**
 * Merges the parts of the OpenAPI document in {@code src/main/openapi} during the build. The part {@value #FIRST} names the
 * others, whose paths and components follow in this order. The parsers of OpenAPI do not know the aliases of YAML, so an alias
 * becomes a copy of what its anchor marks. The package does not contain this class.
 */
public class MergedParts implements OASModelReader {

    private static final String FIRST = "document";
    private static final String PARTS = "x-parts";
    private static final String PATHS = "paths";
    private static final String COMPONENTS = "components";
    private static final String TYPE = ".yaml";
    private static final String OTHER = "META-INF/openapi.yaml";
    private static final int MAX_ALIASES = 1000;

    private final Path folder;
    private final Path classes;
    private Map<String, Object> paths;
    private Map<String, Map<String, Object>> components;

    /** The part in which each path and component is. */
    private Map<String, String> owners;

    /** Merges the parts of the project, the classes of which are in {@code target/classes}. */
    public MergedParts() throws URISyntaxException {
        this(classes().resolve("../../src/main/openapi").normalize(), classes());
    }

    MergedParts(Path folder, Path classes) {
        this.folder = folder;
        this.classes = classes;
    }

    /** Merges the parts to maps, lists and scalars. */
    public Map<String, Object> document() {
        if (Files.exists(classes.resolve(OTHER))) {
            // The plugin of the build adds this file to the document. Builds of former versions leave it behind.
            throw new IllegalStateException(OTHER + " is in " + classes + ": run ./mvnw clean");
        }
        paths = new LinkedHashMap<>();
        components = new LinkedHashMap<>();
        owners = new HashMap<>();
        Map<String, Object> document = read(FIRST);
        List<String> names = ((List<?>) document.remove(PARTS)).stream().map(Object::toString).toList();
        checkNames(names);
        add(FIRST, Map.of(COMPONENTS, document.remove(COMPONENTS)));
        names.forEach(name -> add(name, read(name)));
        document.put(PATHS, paths);
        document.put(COMPONENTS, components);
        return document;
    }

    private static Path classes() throws URISyntaxException {
        return Path.of(MergedParts.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private void checkNames(List<String> names) {
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> named = Stream.concat(Stream.of(FIRST), names.stream()).map(name -> name + TYPE)
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> there = files.map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!named.equals(there)) {
                throw new IllegalStateException(
                        PARTS + " of " + FIRST + TYPE + " names " + named + ", and there are " + there);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> read(String name) {
        try (InputStream text = Files.newInputStream(folder.resolve(name + TYPE))) {
            return yaml().load(text);
        } catch (YAMLException e) {
            throw new IllegalStateException(name + TYPE + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads scalars as the parsers of OpenAPI do: a date, {@code yes} and {@code no} are texts. */
    private static Yaml yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(options), new Representer(unused), unused, options, new Resolver() {

            @Override
            protected void addImplicitResolvers() {
                addImplicitResolver(Tag.BOOL, Pattern.compile("true|false"), "tf");
                addImplicitResolver(Tag.INT, INT, "-+0123456789");
                addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
                addImplicitResolver(Tag.NULL, Pattern.compile("null|~|"), "n~\0");
            }
        });
    }

    private void add(String name, Map<String, Object> part) {
        part.forEach((member, value) -> {
            if (member.equals(PATHS)) {
                add(name, "path", paths, (Map<?, ?>) value);
            } else if (member.equals(COMPONENTS)) {
                ((Map<?, ?>) value).forEach((kind, named) -> add(name, kind.toString(),
                        components.computeIfAbsent(kind.toString(), key -> new LinkedHashMap<>()), (Map<?, ?>) named));
            } else {
                throw new IllegalStateException(
                        name + TYPE + " has " + member + ", which only " + FIRST + TYPE + " may have");
            }
        });
    }

    private void add(String name, String kind, Map<String, Object> into, Map<?, ?> values) {
        values.forEach((key, value) -> {
            String other = owners.putIfAbsent(kind + ' ' + key, name);
            if (other != null) {
                throw new IllegalStateException(kind + ' ' + key + " is in " + other + TYPE + " and in " + name + TYPE);
            }
            into.put(key.toString(), value);
        });
    }

    @Override
    public OpenAPI buildModel() {
        try {
            byte[] json = new ObjectMapper().writeValueAsBytes(document());
            return SmallRyeOpenAPI.builder().enableModelReader(false).enableStandardStaticFiles(false)
                    .enableStandardFilter(false).enableAnnotationScan(false)
                    .withCustomStaticFile(() -> new ByteArrayInputStream(json)).build().model();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
