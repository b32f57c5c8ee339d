package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.KnownHole;
import io.datasetlisting.support.KnownHole.Library;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/** Compares the SBOM with the jars of the package and with the list of known holes. */
class SbomIT {

    private static List<JsonObject> components() throws IOException {
        return new JsonObject(Files.readString(Path.of("target", "bom.json"))).getJsonArray("components").stream()
                .map(JsonObject.class::cast).toList();
    }

    /** As Quarkus names the jar of a library: group, artifact, version, classifier. */
    private static String jar(JsonObject component) {
        String classifier = component.getString("purl").replaceFirst(".*[?&]classifier=([^&]+).*|.*", "$1");
        return component.getString("group") + '.' + component.getString("name") + '-' + component.getString("version")
                + (classifier.isEmpty() ? "" : '-' + classifier) + ".jar";
    }

    private static boolean isTheService(JsonObject component) {
        return component.getString("group").equals("io.datasetlisting");
    }

    @Test
    void theSbomListsTheLibrariesOfThePackageAndNothingElse() throws IOException {
        Set<String> listed = components().stream().filter(component -> !isTheService(component)).map(SbomIT::jar)
                .collect(Collectors.toCollection(TreeSet::new));
        try (Stream<Path> files = Files.walk(ServiceProcess.folder().resolve("lib"))) {
            Set<String> packaged = files.filter(Files::isRegularFile).map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertFalse(packaged.isEmpty());
            assertEquals(packaged, listed);
        }
    }

    @Test
    void noLibraryHasAKnownHole() throws IOException {
        List<Library> libraries = components().stream()
                .map(component -> new Library(component.getString("group") + ':' + component.getString("name"),
                        component.getString("version")))
                .toList();
        assertEquals(List.of(), KnownHole.in(libraries, Files.readAllLines(Path.of("config", "known-holes.txt"))));
    }
}
