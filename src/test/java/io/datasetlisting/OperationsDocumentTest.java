package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.datasetlisting.base.HeapShare;

/** Compares metrics, migrations and shares of the heap in {@code docs/operations.md} with the dashboard and the code. */
class OperationsDocumentTest {

    private static final Path DOCUMENT = Path.of("docs/operations.md");
    private static final Path DASHBOARD = Path.of("docs/grafana-dashboard.json");

    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");
    /** The migrations of the release 1.0.0. */
    private static final Set<String> RELEASED = Set.of("V1", "V2", "V3", "V4", "V5");

    private static final Pattern ROW_OF_METRICS = Pattern.compile("^\\| (`[a-z_]+_[a-z_]+.*?) \\| ", Pattern.MULTILINE);
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
}
