package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

/** Compares the metrics that {@code docs/operations.md} names with the dashboard. */
class OperationsDocumentTest {

    private static final Path DOCUMENT = Path.of("docs/operations.md");
    private static final Path DASHBOARD = Path.of("docs/grafana-dashboard.json");

    private static final Pattern ROW_OF_METRICS = Pattern.compile("^\\| (`[a-z_]+_[a-z_]+.*?) \\| ", Pattern.MULTILINE);
    private static final Pattern METRIC = Pattern.compile("`([a-z_]+)");

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
