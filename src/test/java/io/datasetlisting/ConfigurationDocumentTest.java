package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;

/** Compares the keys and defaults in {@code docs/configuration.md} with the code. */
class ConfigurationDocumentTest {

    private static final Path DOCUMENT = Path.of("docs/configuration.md");
    private static final Path PROPERTIES = Path.of("src/main/resources/application.properties");
    private static final Path IMAGES = Path.of("src/main/docker");

    private static final String NO_DEFAULT = "none";

    /** The row of a key. The second group is the default, the third the default of dev mode or of the images. */
    private static final Pattern ROW = Pattern.compile(
            "^\\| `([^`|]+\\.[^`|]+)` \\| (none|`[^`]*`)( \\((?:dev mode|images): `[^`]*`\\))? \\| [^|]+ \\|$",
            Pattern.MULTILINE);

    /** The start of the row of a key. */
    private static final Pattern START_OF_ROW = Pattern.compile("^\\|[ `]*(?:dataset|quarkus)\\..*", Pattern.MULTILINE);

    private static final Pattern KEY_OF_THE_SERVICE = Pattern.compile("(?<![\\w.])dataset(?:\\.[a-z][a-z0-9-]*)+");

    /** A key in the table of storages, which omits the prefix. */
    private static final Pattern SHORT_STORAGE_KEY = Pattern.compile("`([a-z-]+)(?:=[^`]*)?`");

    private record Row(String key, String value, String elsewhere) {
    }

    private static String document() throws IOException {
        return Files.readString(DOCUMENT);
    }

    private static List<Row> rows() throws IOException {
        return ROW.matcher(document()).results()
                .map(row -> new Row(row.group(1), withoutQuotes(row.group(2)),
                        row.group(3) == null ? "" : row.group(3).strip()))
                .toList();
    }

    private static String withoutQuotes(String value) {
        return value.replace("`", "");
    }

    /** Key and default of each row that the filter keeps. */
    private static Map<String, String> documented(Set<String> keys) throws IOException {
        return rows().stream().filter(row -> keys.contains(row.key)).collect(
                Collectors.toMap(Row::key, Row::value, (first, second) -> first + " and " + second, TreeMap::new));
    }

    /** Key and default of every property of every mapping, by the naming rules of SmallRye Config. */
    static Map<String, String> mapped() {
        Map<String, String> all = new TreeMap<>();
        StartupChecksTest.mappings()
                .forEach(type -> ConfigMappings.getProperties(ConfigClass.configClass(type)).forEach(
                        (key, property) -> all.put(key,
                                property.hasDefaultValue() ? property.getDefaultValue() : NO_DEFAULT)));
        // SmallRye names a list twice: as a whole, and its elements.
        all.keySet().removeIf(key -> key.endsWith("[*]"));
        return all;
    }

    private static Properties properties() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(PROPERTIES)) {
            properties.load(reader);
        }
        return properties;
    }

    /**
     * Key and value of the platform's properties in a package. Values of the profile {@code prod} override the others.
     */
    static Map<String, String> packaged() throws IOException {
        Map<String, String> all = new TreeMap<>();
        Properties properties = properties();
        for (String prefix : List.of("", "%prod.")) {
            properties.stringPropertyNames().stream().filter(name -> name.startsWith(prefix + "quarkus."))
                    .forEach(name -> all.put(name.substring(prefix.length()), properties.getProperty(name)));
        }
        return all;
    }

    /** Key and the text in parentheses after its default. */
    private static Map<String, String> otherDefaults() throws IOException {
        Map<String, String> all = new TreeMap<>();
        Properties properties = properties();
        properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith("%dev.") && !properties.getProperty(name).isEmpty())
                .forEach(name -> all.put(name.substring("%dev.".length()),
                        "(dev mode: `" + properties.getProperty(name) + "`)"));
        try (Stream<Path> images = Files.list(IMAGES)) {
            for (Path image : images.toList()) {
                for (Row row : rows()) {
                    find("(?m)^(?:ENV)? +" + variable(row.key) + "=(\\S+)", Files.readString(image))
                            .forEach(set -> all.put(row.key, "(images: `" + set.group(1) + "`)"));
                }
            }
        }
        return all;
    }

    private static String variable(String key) {
        return key.toUpperCase().replaceAll("[^A-Z0-9]", "_");
    }

    private static List<MatchResult> find(String regex, String text) {
        return Pattern.compile(regex).matcher(text).results().toList();
    }

    @Test
    void everyRowOfAKeyCanBeParsed() throws IOException {
        assertEquals(START_OF_ROW.matcher(document()).results().count(), rows().size());
    }

    @Test
    void noKeyIsListedTwice() throws IOException {
        Set<String> once = new TreeSet<>();
        assertEquals(List.of(), rows().stream().map(Row::key).filter(key -> !once.add(key)).toList());
    }

    @Test
    void everyKeyOfTheServiceIsListedWithItsDefault() throws IOException {
        Map<String, String> mapped = mapped();
        assertFalse(mapped.isEmpty());
        assertEquals(mapped, documented(mapped.keySet()));
    }

    @Test
    void everyListedKeyOfTheServiceExists() throws IOException {
        Set<String> named = KEY_OF_THE_SERVICE.matcher(document()).results().map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        String storages = document().replaceFirst("(?s).*?\n### Storages\n", "").replaceFirst("(?s)\n#.*", "");
        SHORT_STORAGE_KEY.matcher(storages).results().forEach(key -> named.add("dataset.storage." + key.group(1)));
        named.removeAll(mapped().keySet());
        assertEquals(Set.of(), named);
    }

    @Test
    void everyListedKeyOfThePlatformHasTheValueOfThePackage() throws IOException {
        Map<String, String> packaged = packaged();
        Map<String, String> documented = documented(packaged.keySet());
        assertFalse(documented.isEmpty());
        packaged.keySet().retainAll(documented.keySet());
        assertEquals(packaged, documented);
    }

    @Test
    void otherDefaultsOfDevModeAndOfTheImagesAreInParentheses() throws IOException {
        Map<String, String> documented = rows().stream().filter(row -> !row.elsewhere.isEmpty())
                .collect(Collectors.toMap(Row::key, Row::elsewhere, (first, second) -> second, TreeMap::new));
        Map<String, String> others = otherDefaults();
        others.keySet().retainAll(rows().stream().map(Row::key).collect(Collectors.toSet()));
        assertEquals(others, documented);
    }
}
