package io.datasetlisting.write.sample;

import static io.datasetlisting.support.Listing.list;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import javax.imageio.ImageIO;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.postgres.replica.Reads;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.KeptPagesAndSampleData;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the file storage of dev mode. */
@QuarkusTest
@TestProfile(KeptPagesAndSampleData.class)
class DevStorageTest {

    @Inject
    StorageConfig config;
    @Inject
    Reads datasets;
    @Inject
    TestClock clock;

    @Inject
    Catalogue catalogue;
    @Inject
    SampleData sample;

    /** The last image is painted after more than a thousand others. */
    private static final Duration PAINTING = Duration.ofMinutes(4);

    private final HttpClient client = HttpClient.newHttpClient();
    private DevStorage storage;

    @BeforeEach
    void setTheClockToNow() throws Throwable {
        SampleDataTest.fill(catalogue, sample);
        clock.setToNow();
        storage = new DevStorage(config, datasets);
    }

    @AfterEach
    void stop() throws Exception {
        storage.onStop(null);
    }

    @Test
    @Tag(NightlySuite.TAG)
    void everyLinkOfTheListingOpensAnImage() throws Exception {
        storage.onStart(null);

        for (String page : List.of("1", "last")) {
            List<String> links = list("?page_size=30&p=" + page).path("results.thumbnail_image");
            assertFalse(links.isEmpty());
            for (String link : links) {
                HttpResponse<byte[]> picture = openWhenPainted(link);
                assertTrue(picture.headers().firstValue("content-type").orElse("").startsWith("image/"));
                assertNotNull(ImageIO.read(new ByteArrayInputStream(picture.body())), link);
            }
        }
    }

    @Test
    void theStorageStopsWithTheService() throws Exception {
        storage.onStart(null);
        String link = list("?page_size=1").path("results[0].thumbnail_image");
        openWhenPainted(link);

        storage.onStop(null);

        assertThrows(ConnectException.class, () -> open(link));
    }

    @Test
    void theStorageDoesNotStartIfThePortIsTaken() throws Exception {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(address());

            storage.onStart(null);

            other.setSoTimeout(10_000);
            other.accept().close();
            try (Socket client = new Socket(address().getHostString(), address().getPort());
                    Socket accepted = other.accept()) {
                assertEquals(client.getLocalPort(), accepted.getPort());
            }
        }
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(config.url().getHost(), config.url().getPort());
    }

    private HttpResponse<byte[]> openWhenPainted(String link) throws Exception {
        HttpResponse<byte[]> response = Patience.await(link).atMost(PAINTING).until(() -> open(link),
                opened -> opened.statusCode() != 404);
        assertEquals(200, response.statusCode(), link);
        return response;
    }

    private HttpResponse<byte[]> open(String link) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(link)).timeout(Duration.ofSeconds(10)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }
}
