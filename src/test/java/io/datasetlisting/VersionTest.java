package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the version of {@code pom.xml} with the other files that contain it. */
class VersionTest {

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"CHANGELOG.md; \\A(?s:.*?)\\n## \\[(\\d[^]]*)] - \\d",
            "docs/operations.md; ^### From .+ to (.+)$",
            "src/main/kubernetes/README.md; job/dataset-listing-migration-([0-9-]+)",
            "src/main/kubernetes/base/migration/kustomization.yaml; ^nameSuffix: -(.+)$",
            "src/main/kubernetes/overlays/production/kustomization.yaml; ^ +newTag: (.+)-jvm$"})
    void aFileHasTheVersionOfTheBuild(Path file, String regex) throws IOException {
        assertEquals(find(Path.of("pom.xml"), "<artifactId>dataset-listing-service</artifactId>\\s*<version>(.+)<"),
                find(file, regex));
    }

    private static Set<String> find(Path file, String regex) throws IOException {
        return Pattern.compile(regex, Pattern.MULTILINE).matcher(Files.readString(file)).results()
                .map(match -> match.group(1).replace('-', '.')).collect(Collectors.toSet());
    }
}
