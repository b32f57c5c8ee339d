package io.datasetlisting.write.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.support.Browser;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

/**
 * Writes the screenshots of {@code docs/images} from the sample data. Only {@code -Dtest=Screenshots} runs it: the name is not
 * that of a test, because a build must not change files of the project.
 */
@QuarkusTest
@TestProfile(Screenshots.SampleDataAndStorage.class)
class Screenshots {

    private static final Path FOLDER = Path.of("docs", "images");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final List<View> VIEWS = List.of(
            new View("list", "datasets/", "body", "#map .count-circle"),
            new View("map", "datasets/?category=Forest", "#map", "#map .count-circle"),
            new View("dataset", "datasets/2020/", "body", "#map .footprint"));

    @TestHTTPResource("/")
    URI service;

    @Inject
    Reads reads;

    @Inject
    TestClock clock;

    S3Server storage;

    /**
     * One screenshot.
     *
     * @param top
     *            the element at the upper edge
     * @param last
     *            what the map draws last
     */
    private record View(String name, String path, String top, String last) {
    }

    public static class SampleDataAndStorage implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("dataset.sample.enabled", "true", "dataset.sample.generated", "1500");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(S3Resource.class));
        }
    }

    @Test
    void writesEachViewInBothSizesAndColours() throws IOException {
        // The storage uses the clock of the system.
        clock.setToNow();
        paintThumbnails();
        try (Browser browser = Browser.start()) {
            browser.hideScrollbars();
            for (int width : List.of(1280, 390)) {
                browser.size(width, width == 390 ? 844 : 800);
                for (String scheme : List.of("light", "dark")) {
                    browser.prefer(Map.of("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"));
                    for (View view : VIEWS) {
                        browser.open(service.resolve(view.path).toString());
                        browser.await("document.querySelector('path.land') && document.querySelector('" + view.last
                                + "')");
                        browser.read("document.querySelector('" + view.top + "').scrollIntoView()");
                        browser.await("[...document.images].every(image => image.naturalWidth > 0"
                                + " || image.getBoundingClientRect().top > innerHeight)");
                        assertEquals(List.of(), browser.console());
                        Files.write(FOLDER.resolve(view.name + '-' + width + '-' + scheme + ".webp"),
                                browser.screenshot());
                    }
                }
            }
        }
    }

    private void paintThumbnails() {
        storage.put(S3Resource.BUCKET, "placeholder/thumbnail.png", ThumbnailPainter.placeholder("png"), "image/png");
        for (StoredThumbnail thumbnail : StoredThumbnail.first(reads, Integer.MAX_VALUE).await().atMost(TIMEOUT)) {
            String format = ThumbnailPainter.format(thumbnail.key());
            storage.put(S3Resource.BUCKET, thumbnail.key(),
                    ThumbnailPainter.landscape(thumbnail.datasetId(), thumbnail.category(), format), "image/" + format);
        }
    }
}
