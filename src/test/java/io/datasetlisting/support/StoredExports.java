package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** A test profile with stored exports in a folder, which are made as soon as the catalogue has changed. */
public class StoredExports implements QuarkusTestProfile {

    public static final Path FOLDER = Path.of("target", "stored-exports");

    @Override
    public Map<String, String> getConfigOverrides() {
        try {
            Files.createDirectories(FOLDER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of("dataset.exports.store", "folder", "dataset.exports.folder", FOLDER.toString(),
                "dataset.exports.interval", "PT0.1S");
    }

    /** The same exports in the bucket of a storage that may fail. */
    public static class InBucket implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("dataset.exports.store", "bucket", "dataset.exports.interval", "PT1S");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(FaultsAndOrigins.Faults.class));
        }
    }
}
