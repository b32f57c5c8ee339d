package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.datasetlisting.base.HeapShare;
import io.datasetlisting.catalogue.column.Column;

/** Compares metrics, migrations, limits, paths and shares of the heap in {@code docs/operations.md} with the code. */
class OperationsDocumentTest {

    private static final Path DOCUMENT = Path.of("docs/operations.md");
    private static final Path DASHBOARD = Path.of("src/main/kubernetes/monitoring/grafana-dashboard.json");

    private static final Path ALERTS = Path.of("src/main/kubernetes/monitoring/alerts.yaml");
    /** Metrics of Prometheus, the platform and the JVM. */
    private static final Set<String> COMMON = Set.of("up", "http_server_requests_seconds_count",
            "http_server_requests_seconds_bucket", "cache_gets_total", "jvm_memory_used_bytes",
            "jvm_gc_pause_seconds_sum");

    private static final Path INGRESS = Path.of("src/main/kubernetes/overlays/production/ingress.yaml");
    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");
    /** The migrations of the release 1.0.0. */
    private static final Set<String> RELEASED = Set.of("V1", "V2", "V3", "V4", "V5");

    private static final Pattern ROW_OF_METRICS = Pattern.compile("^\\| (`[a-z_]+_[a-z_]+.*?) \\| ", Pattern.MULTILINE);
    private static final Pattern METER = Pattern.compile("(Counter.builder|Timer.builder|gauge)\\(\"([a-z.]+)\"");
    private static final Pattern KEY = Pattern.compile("`((?:dataset|quarkus)\\.[a-z0-9.*-]+)`");
    private static final Pattern METRIC = Pattern.compile("`([a-z_]+)");

    @Test
    void theTableOfUpgradesNamesEachMigrationSinceTheFirstRelease() throws IOException {
        Set<String> named = Pattern.compile("^\\| `V\\d+.*?\\|", Pattern.MULTILINE).matcher(Files.readString(DOCUMENT))
                .results()
                .flatMap(row -> Pattern.compile("`(V[0-9_]+)`").matcher(row.group()).results())
                .map(name -> name.group(1)).collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            assertEquals(files.map(file -> file.getFileName().toString().replaceFirst("__.*", ""))
                    .filter(version -> !RELEASED.contains(version)).collect(Collectors.toSet()), named);
        }
    }

    /** How the document writes the value of a key: {@code 2M} is a size or minutes, {@code 16384} may be 16 KB. */
    private static Pattern written(String value) {
        long number = Long.parseLong(value.replaceAll("\\D", ""));
        String unit = Map.of("K", " KB", "M", " (?:MB|minutes)", "G", " GB", "PTS", " s", "PTH", " h")
                .get(value.replaceAll("\\d", ""));
        return Pattern.compile(unit == null
                ? "(?<![\\d,.])(?:%,d(?![\\d,.]*\\d)|%d KB)".formatted(number, number >> 10)
                : "(?<![\\d,.])" + number + unit);
    }

    @Test
    void theTableOfLimitsHasTheDefaultsOfItsKeys() throws IOException {
        Map<String, String> defaults = new TreeMap<>(ConfigurationDocumentTest.packaged());
        defaults.putAll(ConfigurationDocumentTest.mapped());
        defaults.values().removeIf(value -> !value.matches("(?:PT)?\\d+[A-Z]?"));
        String section = Files.readString(DOCUMENT).replaceFirst("(?s).*\n## Limits\n", "").replaceFirst("(?s)\n##.*",
                "");
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (String row : section.lines().filter(line -> line.startsWith("| ")).toList()) {
            for (MatchResult key : KEY.matcher(row).results().toList()) {
                for (Map.Entry<String, String> each : defaults.entrySet()) {
                    if (each.getKey().matches(key.group(1).replace(".", "\\.").replace("*", ".*"))) {
                        found++;
                        if (!written(each.getValue()).matcher(row).find()) {
                            wrong.add(each + " in: " + row);
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(found > 20, "keys: " + found);
    }

    @Test
    void theTableOfTheHeapHasTheSharesOfTheCode() throws IOException {
        String section = Files.readString(DOCUMENT).replaceFirst("(?s).*\n### The heap\n", "")
                .replaceFirst("(?s)\n##.*", "");
        long heap = 222 << 20;
        List<String> rows = Arrays.stream(HeapShare.values())
                .map(each -> "| %s | %s | %d %% | %s |".formatted(each.what(),
                        each.key() == null ? "none" : "`" + each.key() + "`", each.percent(),
                        HeapShare.mebibytes(each.bytes(Optional.empty(), heap))))
                .toList();
        assertEquals(rows,
                section.lines().filter(line -> line.matches(".*\\d % \\| \\d+ MB \\|") && !line.contains("least"))
                        .toList());
        long datasets = HeapShare.COLUMNS.bytes(Optional.empty(), heap) / HeapShare.BYTES_OF_A_DATASET;
        assertTrue(section.contains(String.format(Locale.ROOT, "%,d datasets", datasets / 10_000 * 10_000)), section);
        int bytes = Arrays.stream(Column.values()).mapToInt(Column::width).sum();
        assertTrue(section.contains("The columns of a dataset take %d bytes".formatted(bytes)), bytes + " bytes");
        assertTrue(Files.readString(Path.of("docs/scaling.md")).contains(bytes + " bytes each"), bytes + " bytes");
        assertTrue(Files.readString(Path.of("docs/configuration.md")).contains("up to " + bytes + " bytes for each"),
                bytes + " bytes");
    }

    /** A path that the proxy does not have is missing for clients outside of the cluster. */
    @Test
    void theProxyHasThePathsOfTheIngress() throws IOException {
        String sentence = Files.readString(DOCUMENT).replaceFirst("(?s).*\\*\\*Proxy\\.\\*\\* Route ", "")
                .replaceFirst("(?s), as\\s.*", "");
        Set<String> named = Pattern.compile("`(/[^`]*)`").matcher(sentence).results()
                .map(path -> path.group(1).replaceFirst("^/sitemap.*", "/sitemap")).filter(path -> !path.equals("/q"))
                .collect(Collectors.toSet());
        assertEquals(Set.copyOf(new YAMLMapper().readTree(INGRESS.toFile()).findValuesAsText("path")), named);
    }

    @Test
    void theDashboardShowsEachMetricOfTheDocument() throws IOException {
        String table = Files.readString(DOCUMENT).replaceFirst("(?s).*\\| Metric at ", "").replaceFirst("(?s)\n\n.*",
                "");
        TreeSet<String> metrics = ROW_OF_METRICS.matcher(table).results()
                .flatMap(row -> METRIC.matcher(row.group(1)).results()).map((MatchResult name) -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(metrics.size() > 20, metrics.toString());
        String dashboard = Files.readString(DASHBOARD);
        metrics.removeIf(
                metric -> Pattern.compile("\\b" + metric + "(_(sum|count|bucket))?\\b").matcher(dashboard).find());
        assertEquals(new TreeSet<>(), metrics, "not on the dashboard");
    }

    @Test
    void everyMetricOfTheAlertsAndTheDashboardExists() throws IOException {
        Set<String> known = new TreeSet<>(COMMON);
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(source);
                METER.matcher(text).results().forEach(meter -> {
                    String name = meter.group(2).replace('.', '_');
                    switch (meter.group(1)) {
                        case "Counter.builder" -> known.add(name + "_total");
                        case "Timer.builder" -> known.addAll(Set.of(name + "_seconds_sum", name + "_seconds_count"));
                        default -> known.add(name);
                    }
                });
            }
        }
        TreeSet<String> asked = new TreeSet<>();
        for (JsonNode file : List.of(new YAMLMapper().readTree(ALERTS.toFile()),
                new ObjectMapper().readTree(DASHBOARD.toFile()))) {
            for (String expression : file.findValuesAsText("expr")) {
                String names = expression.replaceAll("\\{[^}]*}|\\[[^]]*]|\\bby \\([^)]*\\)", " ");
                Pattern.compile("\\b[a-z][a-z_]*\\b(?! *\\()").matcher(names).results()
                        .forEach(name -> asked.add(name.group()));
            }
        }
        assertTrue(asked.size() > 30, asked.toString());
        asked.removeAll(known);
        assertEquals(new TreeSet<>(), asked, "not in the code");
    }
}
