package io.datasetlisting.sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.listing.ListingRepository;
import io.datasetlisting.listing.ListingRepository.Thumbnail;
import io.datasetlisting.storage.StorageConfig;
import io.datasetlisting.support.Browser;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

/**
 * Writes the screenshots of {@code docs/images} from the sample data. Only {@code -Dtest=Screenshots} runs it: the name is not that of a
 * test, because a build must not change files of the project.
 */
@QuarkusTest
@TestProfile(Screenshots.SampleDataWithThumbnails.class)
class Screenshots {

    private static final Path FOLDER = Path.of("docs", "images");
    private static final int MAX_THUMBNAILS = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Ends when the element is in the view, and everything in the view is drawn. */
    private static final String SHOW = """
            (async (selector, drawn) => {
              const frame = () => new Promise(requestAnimationFrame);
              while (!drawn.every(each => document.querySelector(each))) {
                await frame();
              }
              document.querySelector(selector).scrollIntoView();
              const isInView = image => image.getBoundingClientRect().top < innerHeight;
              await Promise.all([...document.images].filter(isInView).map(image => image.decode()));
              await document.fonts.ready;
              await frame();
              return 'shown';
            })""";

    private static Browser browser;

    @TestHTTPResource("/")
    URI service;

    @Inject
    ListingRepository datasets;

    @Inject
    StorageConfig config;

    S3Server storage;

    public static class SampleDataWithThumbnails implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("dataset.sample.enabled", "true", "dataset.sample.generated", "5000");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(S3Resource.class));
        }
    }

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start();
    }

    @AfterAll
    static void closeBrowser() {
        browser.close();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            list,    datasets/?in_bbox=-12%2C35%2C32%2C62, body
            map,     datasets/?ordering=-captured_date,    '#map'
            dataset, datasets/2003/,                       body""")
    void writes(String name, String path, String top) throws IOException {
        paintThumbnails();
        List<String> drawn = name.equals("dataset")
                ? List.of("path.land", "path.footprint", "figure img")
                : List.of("path.land", ".footprint", ".count-circle");
        for (int width : List.of(1280, 390)) {
            for (String scheme : List.of("light", "dark")) {
                boolean isPhone = width < 600;
                browser.devTools("Emulation.setDeviceMetricsOverride", Map.of("width", width, "height",
                        isPhone ? 844 : 800, "deviceScaleFactor", 1, "mobile", isPhone));
                browser.devTools("Emulation.setEmulatedMedia",
                        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
                browser.open(service.resolve(path).toString());
                assertEquals("shown", browser.call(SHOW, top, drawn));
                Object image = browser.devTools("Page.captureScreenshot", Map.of("format", "webp", "quality", 80))
                        .get("data");
                Files.write(FOLDER.resolve(name + '-' + width + '-' + scheme + ".webp"),
                        Base64.getDecoder().decode((String) image));
            }
        }
    }

    private void paintThumbnails() {
        String placeholder = config.placeholderKey();
        put(placeholder, ThumbnailPainter.placeholder(ThumbnailPainter.format(placeholder)));
        for (Thumbnail thumbnail : datasets.thumbnails(MAX_THUMBNAILS).await().atMost(TIMEOUT)) {
            put(thumbnail.key(), ThumbnailPainter.landscape(thumbnail.datasetId(), thumbnail.category(),
                    ThumbnailPainter.format(thumbnail.key())));
        }
    }

    private void put(String key, byte[] image) {
        storage.put(S3Resource.BUCKET, key, image, "image/" + ThumbnailPainter.format(key));
    }
}
